import { describe, expect, it } from 'vitest';
import { formatMoney, parsePrice, pricesIn } from './prices.ts';

const table: readonly (readonly [string, string, string, string?])[] = [
  ['1.234,56 €', 'EUR', '123456'],
  ['€1.234,56', 'EUR', '123456'],
  ['$1,234.56', 'USD', '123456'],
  ['US$ 12', 'USD', '1200'],
  ['CA$12.50', 'CAD', '1250'],
  ['C$12.50', 'CAD', '1250'],
  ['$12.50 CAD', 'CAD', '1250'],
  ['¥1,200', 'JPY', '1200', 'JPY'],
  ['EUR 12', 'EUR', '1200'],
  ['12,5 EUR', 'EUR', '1250'],
  ['12,– €', 'EUR', '1200'],
  ['1 234,50 kr', 'SEK', '123450', 'SEK'],
  ["CHF 1'234.55", 'CHF', '123455'],
  ['CHF 1’234.55', 'CHF', '123455'],
  ['£0.99', 'GBP', '99'],
  ['KWD 1.250', 'KWD', '1250'],
  ['1.200 €', 'EUR', '120000'],
  ['₹1,23,456.00', 'INR', '12345600'],
  ['-5,00 €', 'EUR', '-500'],
  ['19,90 zł', 'PLN', '1990'],
  ['Pay $12.34', 'USD', '1234'],
  ['1 234,50 €', 'EUR', '123450'],
  ['249kr', 'SEK', '24900', 'SEK'],
  ['1 249:-', 'SEK', '124900', 'SEK'],
  ['249,- Kč', 'CZK', '24900'],
  ['5,00 € (10,00 € / l)', 'EUR', '500'],
  ['(1 kg = 8,40 €) 4,20 €', 'EUR', '420'],
  ['10,00 € / l', 'EUR', '1000'],
];

describe('prices', () => {
  it.each(
    table.map(
      ([text, currency, minor, expected = 'USD']) => [text, currency, minor, expected] as const,
    ),
  )('%s is read as %s', (text, currency, amountMinor, expected) => {
    expect(parsePrice(text, { expected })).toEqual({ amountMinor: BigInt(amountMinor), currency });
  });

  it.each(['$12.50 or $13.00', 'from 12', '12.345,678 €', '1,2,3 €', 'twelve', '12.505 USD 3'])(
    '%s is not accepted',
    (text) => {
      expect(parsePrice(text, { expected: 'USD' })).toBeUndefined();
    },
  );

  it('takes a sign of several currencies only with a page or an expectation that decides, and never against the page', () => {
    expect(parsePrice('$5')).toBeUndefined();
    expect(parsePrice('$5', { expected: 'AUD' })?.currency).toBe('AUD');
    expect(parsePrice('$5', { pageCurrency: 'CAD', expected: 'USD' })?.currency).toBe('CAD');
    expect(parsePrice('$5', { pageCurrency: 'EUR', expected: 'USD' })).toBeUndefined();
    expect(parsePrice('$5', { expected: 'EUR' })).toBeUndefined();
    expect(parsePrice('12.50')).toBeUndefined();
  });

  it('finds every amount of a sentence', () => {
    expect(pricesIn('2 × 10,00 € = 20,00 €, was €25').map((one) => formatMoney(one))).toEqual([
      '10.00 EUR',
      '20.00 EUR',
      '25.00 EUR',
    ]);
  });

  it('leaves a number alone that stands before the sign of another amount, or behind one', () => {
    expect(pricesIn('Lemons - Box Size 24 $12.49').map((one) => formatMoney(one))).toEqual([]);
    expect(
      pricesIn('Lemons - Box Size 24 $12.49', { expected: 'USD' }).map((one) => formatMoney(one)),
    ).toEqual(['12.49 USD']);
    expect(
      pricesIn('Vase $75.00 3 Remove', { expected: 'USD' }).map((one) => formatMoney(one)),
    ).toEqual(['75.00 USD']);
    expect(pricesIn('12 € 13 €').map((one) => formatMoney(one))).toEqual([
      '12.00 EUR',
      '13.00 EUR',
    ]);
  });
});
