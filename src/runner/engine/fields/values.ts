import { parsePhoneNumberFromString } from 'libphonenumber-js';
import type { RunBuyer, RunCard } from '../../types.ts';
import type { FieldInfo } from '../page/snapshot.ts';
import type { Meaning } from './meanings.ts';
import { countryNames, regionNames } from './places.ts';

/** What a field may be given, the best first. Empty: nothing is known. */
export type Candidates = readonly string[];

/**
 * The buyer's data for a meaning, in the spellings that shops accept. `beside` is what else the
 * same address asks for.
 */
export function buyerValues(
  meaning: Meaning,
  buyer: RunBuyer,
  field: FieldInfo,
  beside: ReadonlySet<Meaning>,
): Candidates {
  const address = buyer.shipping;
  const [line1 = '', line2 = ''] = address?.addressLines ?? [];
  const only = (value: string | undefined) => (value === undefined || value === '' ? [] : [value]);
  switch (meaning) {
    case 'email':
    case 'emailConfirm':
      return only(buyer.email);
    case 'firstName':
      return only(buyer.firstName);
    case 'lastName':
      return only(buyer.lastName);
    case 'fullName':
      return only([buyer.firstName, buyer.lastName].filter(Boolean).join(' '));
    case 'phone':
      return phoneSpellings(buyer.phone, address?.countryCode, field, beside.has('phoneCode'));
    case 'phoneCode':
      return callingCodes(buyer.phone, address?.countryCode);
    case 'addressLine1':
      return streetLines(line1, line2, field, beside);
    case 'houseNumber':
      return only(splitStreet(line1).number);
    case 'addressLine2':
      return only(line2);
    case 'city':
      return only(address?.locality);
    case 'postalCode':
      return only(address?.postalCode);
    case 'state':
      return address?.administrativeAreaCode === undefined
        ? []
        : stateSpellings(address.administrativeAreaCode, field);
    case 'country':
      return address === undefined ? [] : countryNames(address.countryCode);
    default:
      return [];
  }
}

/**
 * The street; with the second line where the form has no place of its own for it, unless the field
 * wants a suggestion to be taken.
 */
function streetLines(
  line1: string,
  line2: string,
  field: FieldInfo,
  beside: ReadonlySet<Meaning>,
): Candidates {
  if (line1 === '') return [];
  const street = beside.has('houseNumber') ? splitStreet(line1).street : line1;
  if (line2 === '' || beside.has('addressLine2')) return [street];
  if (field.tag === 'textarea') return [`${line1}\n${line2}`];
  return field.hasPopup !== '' || beside.has('houseNumber')
    ? [street]
    : [`${street}, ${line2}`, street];
}

/** In lists any of code and name; typed, the short code only where people write it. */
function stateSpellings(code: string, field: FieldInfo): Candidates {
  const names = regionNames(code);
  const isTyped = ['input', 'textarea'].includes(field.tag) && field.hasPopup === '';
  return isTyped && !/^(?:US|CA|AU)-/.test(code) && names.length > 1
    ? [names.find((name) => name.length > 3) ?? names[0]!, ...names]
    : names;
}

/** `+49` and the names that lists of calling codes write beside it. */
function callingCodes(phone: string | undefined, countryCode: string | undefined): Candidates {
  const parsed =
    phone === undefined
      ? undefined
      : parsePhoneNumberFromString(phone, countryCode as 'US' | undefined);
  if (parsed === undefined) return [];
  const code = `+${parsed.countryCallingCode}`;
  const country = parsed.country ?? countryCode;
  return [
    ...(country === undefined
      ? []
      : countryNames(country).flatMap((name) => [`${name} (${code})`, `${name} ${code}`])),
    code,
    `${parsed.countryCallingCode}`,
  ];
}

/** Street and number, wherever the number stands: `12 Main St`, `Hauptstraße 5a`. */
function splitStreet(line: string): { readonly street: string; readonly number: string } {
  const front = /^(\d+\s?[a-z]?(?:[-/]\d+)?)[,\s]+(.+)$/i.exec(line);
  if (front) return { street: front[2]!, number: front[1]! };
  const back = /^(.+?)[,\s]+(\d+\s?[a-z]?(?:[-/]\d+\s?[a-z]?)?)$/i.exec(line);
  return back ? { street: back[1]!, number: back[2]! } : { street: line, number: '' };
}

/** International first; the national spelling for fields that have no room or want digits only. */
function phoneSpellings(
  phone: string | undefined,
  countryCode: string | undefined,
  field: FieldInfo,
  hasCode: boolean,
): Candidates {
  if (phone === undefined || phone === '') return [];
  const parsed = parsePhoneNumberFromString(phone, countryCode as 'US' | undefined);
  if (parsed === undefined) return [phone];
  const national = parsed.formatNational();
  const digits = parsed.nationalNumber.toString();
  const wantsDigits =
    hasCode || field.maxLength === 10 || /^\^?(?:\[0-9\]|\\d)\{/.test(field.pattern);
  const all = wantsDigits ? [digits, national, parsed.number] : [parsed.number, national, digits];
  return [...new Set(all)];
}

/**
 * The card's data for a meaning; for a single field of month and year in the spelling that the
 * field shows.
 */
export function cardValues(meaning: Meaning, card: RunCard, field: FieldInfo): Candidates {
  const month = String(card.expirationMonth).padStart(2, '0');
  const year = String(card.expirationYear);
  const short = year.slice(-2);
  switch (meaning) {
    case 'cardNumber':
      return [card.number.replace(/\D/g, '')];
    case 'cardCvc':
      return [card.cvc];
    case 'cardHolder':
      return [card.holder];
    case 'cardMonth':
      return [month, String(card.expirationMonth), monthName(card.expirationMonth)];
    case 'cardYear':
      return field.maxLength === 2 ||
        /^\s*(?:yy|jj|aa)\s*$/i.test(field.placeholder || field.label) ||
        /^\D*yy\D*$/i.test(field.placeholder)
        ? [short, year]
        : [year, short];
    case 'cardExpiry': {
      if (field.type === 'month') return [`${year}-${month}`];
      const hint = `${field.placeholder} ${field.label} ${field.near}`;
      const isLong = /m\s?m?\s*[/. -]?\s*(?:y{4}|j{4}|a{4})/i.test(hint) || field.maxLength === 7;
      if (field.maxLength === 4) return [`${month}${short}`];
      const spellings = [
        `${month}/${short}`,
        `${month}/${year}`,
        `${month} / ${short}`,
        `${month}${short}`,
      ];
      return isLong ? [spellings[1]!, spellings[0]!, spellings[3]!] : spellings;
    }
    default:
      return [];
  }
}

function monthName(month: number): string {
  return new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2000, month - 1, 1)),
  );
}
