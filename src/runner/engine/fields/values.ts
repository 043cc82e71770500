import { parsePhoneNumberFromString } from 'libphonenumber-js';
import type { RunBuyer, RunCard } from '../../types.ts';
import type { FieldInfo } from '../page/snapshot.ts';
import type { Meaning } from './meanings.ts';
import { countryNames, regionNames } from './places.ts';

/** What a field may be given, the best first. Empty: nothing is known. */
export type Candidates = readonly string[];

/** The buyer's data for a meaning, in the spellings that shops accept. */
export function buyerValues(meaning: Meaning, buyer: RunBuyer, field: FieldInfo, hasHouseNumber: boolean): Candidates {
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
      return phoneSpellings(buyer.phone, address?.countryCode, field);
    case 'addressLine1':
      return only(
        hasHouseNumber ? splitStreet(line1).street : field.tag === 'textarea' ? [line1, line2].filter(Boolean).join('\n') : line1,
      );
    case 'houseNumber':
      return only(splitStreet(line1).number);
    case 'addressLine2':
      return only(line2);
    case 'city':
      return only(address?.locality);
    case 'postalCode':
      return only(address?.postalCode);
    case 'state':
      return address?.administrativeAreaCode === undefined ? [] : regionNames(address.administrativeAreaCode);
    case 'country':
      return address === undefined ? [] : countryNames(address.countryCode);
    default:
      return [];
  }
}

/** Street and number, wherever the number stands: `12 Main St`, `Hauptstraße 5a`. */
export function splitStreet(line: string): { readonly street: string; readonly number: string } {
  const front = /^(\d+\s?[a-z]?(?:[-/]\d+)?)[,\s]+(.+)$/i.exec(line);
  if (front) return { street: front[2]!, number: front[1]! };
  const back = /^(.+?)[,\s]+(\d+\s?[a-z]?(?:[-/]\d+\s?[a-z]?)?)$/i.exec(line);
  return back ? { street: back[1]!, number: back[2]! } : { street: line, number: '' };
}

/** International first; the national spelling for fields that have no room or want digits only. */
function phoneSpellings(phone: string | undefined, countryCode: string | undefined, field: FieldInfo): Candidates {
  if (phone === undefined || phone === '') return [];
  const parsed = parsePhoneNumberFromString(phone, countryCode as 'US' | undefined);
  if (parsed === undefined) return [phone];
  const national = parsed.formatNational();
  const digits = parsed.nationalNumber.toString();
  const wantsDigits = field.maxLength === 10 || /^\^?(?:\[0-9\]|\\d)\{/.test(field.pattern);
  const all = wantsDigits ? [digits, national, parsed.number] : [parsed.number, national, digits];
  return [...new Set(all)];
}

/** The card's data for a meaning; for a single field of month and year in the spelling that the field shows. */
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
      return field.maxLength === 2 || /^\D*yy\D*$/i.test(field.placeholder) ? [short, year] : [year, short];
    case 'cardExpiry': {
      if (field.type === 'month') return [`${year}-${month}`];
      const hint = `${field.placeholder} ${field.label} ${field.near}`;
      const isLong = /m\s?m?\s*[/. -]?\s*(?:y{4}|j{4}|a{4})/i.test(hint) || field.maxLength === 7;
      if (field.maxLength === 4) return [`${month}${short}`];
      const spellings = [`${month}/${short}`, `${month}/${year}`, `${month} / ${short}`, `${month}${short}`];
      return isLong ? [spellings[1]!, spellings[0]!, spellings[3]!] : spellings;
    }
    default:
      return [];
  }
}

function monthName(month: number): string {
  return new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2000, month - 1, 1)));
}
