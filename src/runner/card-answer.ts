import { systemClock } from '../lib/clock.ts';
import type { JsonObject } from '../lib/json/json.ts';
import { cardBrand, isCardNumber } from '../lib/money/card-number.ts';
import type { RunCard } from './types.ts';

/** The card, or a sentence for the user that repeats nothing of what was entered. */
export type CardAnswer = { readonly card: RunCard } | { readonly problem: string };

const holderLengthMax = 140;
const postalCodeLengthMax = 20;
/** No issuer prints a later year than this far ahead. */
const yearsMax = 30;

/**
 * The user's answer to `payment-credential` as a card to type: both the API, which refuses a wrong
 * one while the user can still mend it, and the runner, which types it, read it here. Spaces and
 * hyphens in the number are what people type; a year of two digits is of this century.
 */
export function cardFromAnswer(values: JsonObject, now: Date = systemClock.now()): CardAnswer {
  const number = textOf(values.number).replaceAll(/[ -]/g, '');
  if (!isCardNumber(number))
    return { problem: 'The card number is not right: compare it with the card, digit by digit.' };
  const [month, year] = [
    numberOf(values.expirationMonth),
    fullYear(numberOf(values.expirationYear)),
  ];
  if (month === undefined || month < 1 || month > 12)
    return { problem: 'The month of expiry is a number from 1 to 12.' };
  if (year === undefined || year > now.getUTCFullYear() + yearsMax)
    return { problem: 'The year of expiry is the one on the card, in four digits.' };
  // A card is good to the last day of its month.
  if (Date.UTC(year, month, 1) <= now.getTime()) return { problem: 'The card has expired.' };
  const cvc = textOf(values.cvc).trim();
  const cvcLength = cardBrand(number)?.cvcLength;
  if (!(cvcLength === undefined ? /^\d{3,4}$/ : new RegExp(`^\\d{${cvcLength}}$`)).test(cvc))
    return { problem: `The security code of this card has ${cvcLength ?? '3 or 4'} digits.` };
  const holder = textOf(values.holder).trim();
  if (holder === '' || holder.length > holderLengthMax || /\p{C}/u.test(holder))
    return { problem: 'The name on the card is missing.' };
  const postalCode = textOf(values.postalCode).trim();
  if (postalCode.length > postalCodeLengthMax) return { problem: 'The postal code is too long.' };
  return {
    card: {
      number,
      expirationMonth: month,
      expirationYear: year,
      cvc,
      holder,
      ...(postalCode !== '' && { postalCode }),
    },
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined;
  return /^\d{1,4}$/.test(textOf(value)) ? Number(value) : undefined;
}

const fullYear = (year: number | undefined) =>
  year !== undefined && year < 100 ? 2_000 + year : year;
