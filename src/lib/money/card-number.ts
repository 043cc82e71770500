import validator from 'validator';

interface Brand {
  readonly name: string;
  readonly starts: RegExp;
  readonly lengths: readonly number[];
  readonly cvcLength: 3 | 4;
}

/** Issuer identification ranges (ISO/IEC 7812) of the networks; the first that fits counts. */
const brands: readonly Brand[] = [
  { name: 'amex', starts: /^3[47]/, lengths: [15], cvcLength: 4 },
  { name: 'diners', starts: /^3(?:0[0-5]|095|[689])/, lengths: [14, 16, 17, 18, 19], cvcLength: 3 },
  { name: 'jcb', starts: /^35(?:2[89]|[3-8])/, lengths: [16, 17, 18, 19], cvcLength: 3 },
  { name: 'discover', starts: /^6(?:011|4[4-9]|5)/, lengths: [16, 17, 18, 19], cvcLength: 3 },
  { name: 'unionpay', starts: /^(?:62|81)/, lengths: [16, 17, 18, 19], cvcLength: 3 },
  {
    name: 'mastercard',
    starts: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    cvcLength: 3,
  },
  { name: 'visa', starts: /^4/, lengths: [13, 16, 19], cvcLength: 3 },
];

export interface CardBrand {
  readonly name: string;
  readonly cvcLength: 3 | 4;
}

/**
 * The network of a card number, or undefined when no network has such numbers or the check digit
 * (Luhn) is wrong.
 */
export function cardBrand(digits: string): CardBrand | undefined {
  if (!isCardNumber(digits)) return undefined;
  return brands.find((brand) => brand.starts.test(digits) && brand.lengths.includes(digits.length));
}

/** The digit that makes a card number of these digits (Luhn). */
export function cardCheckDigit(digits: string): number {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Whether the last digit is the right check digit, of whatever network. */
export function isCardNumber(digits: string): boolean {
  return /^\d{12,19}$/.test(digits) && validator.isLuhnNumber(digits);
}
