import validator from 'validator';

export { cardBrand } from '../../lib/money/card-number.ts';

/** ABA: nine digits, a prefix that was given out, and the check digit (weights 3, 7, 1). */
export function isRoutingNumber(text: string): boolean {
  return /^\d{9}$/.test(text) && text !== '000000000' && validator.isAbaRouting(text);
}

/** 4 to 17 digits (NACHA); they carry no check digit. */
export function isUsAccountNumber(text: string): boolean {
  return /^\d{4,17}$/.test(text) && !/^0+$/.test(text);
}

const clabeWeights = [3, 7, 1];

/**
 * CLABE: 18 digits, the last one over the others with the weights 3, 7, 1, each product modulo 10.
 */
export function isClabe(text: string): boolean {
  return (
    /^\d{18}$/.test(text) &&
    text.slice(0, 3) !== '000' &&
    clabeCheckDigit(text.slice(0, 17)) === Number(text[17])
  );
}

/** The check digit of 17 digits. */
export function clabeCheckDigit(digits: string): number {
  const sum = [...digits].reduce(
    (total, digit, index) => total + ((Number(digit) * clabeWeights[index % 3]!) % 10),
    0,
  );
  return (10 - (sum % 10)) % 10;
}

/** Countries of the SEPA schemes, as IBAN prefixes (European Payments Council). */
const sepaCountries = new Set(
  'AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA'.split(
    ' ',
  ),
);

/**
 * An IBAN of a SEPA country, without spaces and in capitals: length of the country, format and
 * check digits.
 */
export function isSepaIban(text: string): boolean {
  return (
    /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(text) &&
    sepaCountries.has(text.slice(0, 2)) &&
    validator.isIBAN(text)
  );
}

const nitWeights = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];

/** Check digit of a Colombian tax number (NIT), from the right with DIAN's weights, modulo 11. */
export function nitCheckDigit(digits: string): number {
  const sum = [...digits]
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * nitWeights[index]!, 0);
  const rest = sum % 11;
  return rest > 1 ? 11 - rest : rest;
}

/**
 * A Colombian document: 5 to 15 letters and digits, or a tax number with its check digit behind a
 * hyphen.
 */
export function isColombianDocument(text: string): boolean {
  const nit = /^(\d{6,14})-(\d)$/.exec(text);
  if (nit) return nitCheckDigit(nit[1]!) === Number(nit[2]);
  return /^[A-Z0-9]{5,15}$/.test(text);
}
