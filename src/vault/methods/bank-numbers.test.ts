import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cardBrand,
  clabeCheckDigit,
  isClabe,
  isColombianDocument,
  isRoutingNumber,
  isSepaIban,
  isUsAccountNumber,
  nitCheckDigit,
} from './bank-numbers.ts';

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
const runs = { numRuns: 150 };

/** Every number that differs from a good one in exactly one digit is refused. */
function everyWrongDigitIsCaught(
  good: fc.Arbitrary<string>,
  accepts: (text: string) => boolean,
): void {
  fc.assert(
    fc.property(good, fc.nat(), fc.integer({ min: 1, max: 9 }), (text, where, shift) => {
      const places = [...text].flatMap((character, index) => (/\d/.test(character) ? [index] : []));
      const place = places[where % places.length]!;
      const wrong = `${text.slice(0, place)}${(Number(text[place]) + shift) % 10}${text.slice(place + 1)}`;
      expect([text, accepts(text)]).toEqual([text, true]);
      expect([wrong, accepts(wrong)]).toEqual([wrong, false]);
    }),
    runs,
  );
}

function luhnDigit(body: string): string {
  const sum = [...body].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

function abaDigit(body: string): string {
  const weights = [3, 7, 1];
  const sum = [...body].reduce(
    (total, digit, index) => total + Number(digit) * weights[index % 3]!,
    0,
  );
  return String((10 - (sum % 10)) % 10);
}

function ibanOf(country: string, account: string): string {
  const letters = (text: string) =>
    text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  const check = 98n - (BigInt(letters(`${account}${country}00`)) % 97n);
  return `${country}${check.toString().padStart(2, '0')}${account}`;
}

describe('ABA routing numbers', () => {
  const prefixes = [
    ...Array(13).keys(),
    ...Array.from({ length: 12 }, (_, i) => 21 + i),
    ...Array.from({ length: 12 }, (_, i) => 61 + i),
    80,
  ];
  const good = fc
    .tuple(fc.constantFrom(...prefixes), digits(6))
    .map(([prefix, rest]) => `${String(prefix).padStart(2, '0')}${rest}`)
    .filter((body) => body !== '00000000')
    .map((body) => body + abaDigit(body));

  it('of every prefix that was given out pass, and each wrong digit is caught', () =>
    everyWrongDigitIsCaught(good, isRoutingNumber));
  it('of real banks pass', () =>
    expect(
      ['021000021', '121000248', '026009593', '322271627'].filter(isRoutingNumber),
    ).toHaveLength(4));
  it('of prefixes that nobody has are refused, whatever their check digit', () => {
    const others = Array.from({ length: 100 }, (_, index) => index).filter(
      (prefix) => !prefixes.includes(prefix),
    );
    fc.assert(
      fc.property(fc.constantFrom(...others), digits(6), (prefix, rest) => {
        const body = `${String(prefix).padStart(2, '0')}${rest}`;
        expect(isRoutingNumber(body + abaDigit(body))).toBe(false);
      }),
    );
  });
  it.each(['', '02100002', '0210000211', '000000000', '02100002a', ' 021000021', '０21000021'])(
    'refuses %j',
    (text) => expect(isRoutingNumber(text)).toBe(false),
  );
});

describe('US account numbers', () => {
  it.each(['1234', '12345678901234567', '0001'])('accepts %s', (text) =>
    expect(isUsAccountNumber(text)).toBe(true),
  );
  it.each(['123', '123456789012345678', '0000', '12a4', '', '１２３４'])('refuses %j', (text) =>
    expect(isUsAccountNumber(text)).toBe(false),
  );
});

describe('CLABE', () => {
  const good = digits(17)
    .filter((body) => !body.startsWith('000'))
    .map((body) => body + clabeCheckDigit(body));

  it('with their check digit pass, and each wrong digit is caught', { tags: 'slow' }, () =>
    // The bank code 000 is nobody's: a wrong digit may lead there, and is refused for that.
    everyWrongDigitIsCaught(good, isClabe),
  );
  it('of the public examples pass', () =>
    expect(
      ['032180000118359719', '002010077777777771', '646180157000000004'].filter(isClabe),
    ).toHaveLength(3));
  it.each(['03218000011835971', '0321800001183597190', '000180000118359719', 'abc'])(
    'refuses %s',
    (text) => expect(isClabe(text)).toBe(false),
  );
});

describe('IBAN', () => {
  const good = fc.oneof(
    digits(18).map((account) => ibanOf('DE', account)),
    digits(20).map((account) => ibanOf('ES', account)),
    digits(10).map((account) => ibanOf('NL', `ABNA${account}`)),
    digits(14).map((account) => ibanOf('GB', `NWBK${account}`)),
  );

  it('of SEPA countries pass, and each wrong digit is caught', () =>
    everyWrongDigitIsCaught(good, isSepaIban));
  it('of other countries are refused although they are right', () => {
    expect(isSepaIban('TR330006100519786457841326')).toBe(false);
    expect(isSepaIban('SA0380000000608010167519')).toBe(false);
  });
  it.each([
    '',
    'DE8937040044053201300',
    'de89370400440532013000',
    'DE89 3704 0044 0532 0130 00',
    'XX89370400440532013000',
  ])('refuses %j', (text) => expect(isSepaIban(text)).toBe(false));
});

describe('card numbers', () => {
  const shapes: readonly [brand: string, prefix: string, length: number][] = [
    ['visa', '4', 16],
    ['visa', '4', 13],
    ['visa', '4', 19],
    ['mastercard', '51', 16],
    ['mastercard', '55', 16],
    ['mastercard', '2221', 16],
    ['mastercard', '2720', 16],
    ['amex', '34', 15],
    ['amex', '37', 15],
    ['discover', '6011', 16],
    ['discover', '65', 16],
    ['diners', '305', 14],
    ['diners', '36', 14],
    ['jcb', '3528', 16],
    ['jcb', '3589', 16],
    ['unionpay', '62', 16],
    ['unionpay', '62', 19],
  ];
  const good = fc
    .constantFrom(...shapes)
    .chain(([, prefix, length]) => digits(length - prefix.length - 1).map((rest) => prefix + rest))
    .map((body) => body + luhnDigit(body));

  it('with their check digit pass, and each wrong digit is caught', () =>
    everyWrongDigitIsCaught(good, (text) => cardBrand(text) !== undefined));
  it.each(shapes)('%s begins with %s and has %s digits', (brand, prefix, length) => {
    const body = prefix.padEnd(length - 1, '1');
    expect(cardBrand(body + luhnDigit(body))?.name).toBe(brand);
  });
  it('of a wrong length or an unknown network are refused although their check digit is right', () => {
    for (const body of [
      '41111111111111111',
      '51',
      '5111111111111111',
      '2220111111111111'.slice(0, 15),
      '911111111111111',
      '00000000000',
    ])
      expect([body, cardBrand(body + luhnDigit(body))]).toEqual([body, undefined]);
  });
  it('American Express has a code of 4 digits, the others of 3', () => {
    expect([
      cardBrand('378282246310005')?.cvcLength,
      cardBrand('4242424242424242')?.cvcLength,
    ]).toEqual([4, 3]);
  });
});

describe('Colombian documents', () => {
  const nit = digits(9)
    .filter((body) => !body.startsWith('0'))
    .map((body) => `${body}-${nitCheckDigit(body)}`);

  it('a tax number passes with its own check digit only', () => {
    expect(['860002964-4', '890903938-8', '899999068-1'].filter(isColombianDocument)).toHaveLength(
      3,
    );
    fc.assert(
      fc.property(nit, fc.integer({ min: 1, max: 9 }), (text, shift) => {
        expect(isColombianDocument(text)).toBe(true);
        expect(
          isColombianDocument(`${text.slice(0, -1)}${(Number(text.at(-1)) + shift) % 10}`),
        ).toBe(false);
      }),
    );
  });
  it.each(['1018456789', 'AB12345', '12345'])('%s passes as a personal document', (text) =>
    expect(isColombianDocument(text)).toBe(true),
  );
  it.each(['1234', 'x', '12345678901234567', 'ab12345', '12-34', ''])('refuses %j', (text) =>
    expect(isColombianDocument(text)).toBe(false),
  );
});

it('every digit of a Colombian tax number weighs what DIAN says: one alone, from the right', () => {
  const alone = Array.from({ length: 15 }, (_, index) => nitCheckDigit(`1${'0'.repeat(index)}`));
  expect(alone).toEqual([8, 4, 9, 5, 3, 1, 4, 7, 3, 1, 8, 2, 7, 1, 6]);
});
