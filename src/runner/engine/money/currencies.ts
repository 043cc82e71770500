/**
 * Signs that shops write, and the currencies that they may mean; the first is the most common one.
 */
const signs: readonly (readonly [RegExp, readonly string[]])[] = [
  [/US\s?\$/i, ['USD']],
  [/CA\s?\$|C\$/i, ['CAD']],
  [/AU\s?\$|A\$/i, ['AUD']],
  [/NZ\s?\$/i, ['NZD']],
  [/HK\s?\$/i, ['HKD']],
  [/S\$/i, ['SGD']],
  [/MX\s?\$/i, ['MXN']],
  [/R\$/i, ['BRL']],
  [/€|\beuros?\b/i, ['EUR']],
  [/£/, ['GBP']],
  [/¥|円|元/, ['JPY', 'CNY']],
  [/₹/, ['INR']],
  [/₩/, ['KRW']],
  [/₽/, ['RUB']],
  [/₺/, ['TRY']],
  [/₪/, ['ILS']],
  [/฿/, ['THB']],
  [/₫/, ['VND']],
  [/zł/i, ['PLN']],
  [/Kč/i, ['CZK']],
  [/(?<![a-z])Ft(?![a-z])/i, ['HUF']],
  [/(?<![a-z])lei(?![a-z])/i, ['RON']],
  // “249:-” is written in Sweden alone.
  [/\d:[-–—]/, ['SEK']],
  [/(?<![a-z])kr(?![a-z])\.?/i, ['SEK', 'NOK', 'DKK', 'ISK']],
  [/\b(?:S?Fr)\.?(?=\s|\d|$)/i, ['CHF']],
  [/\$/, ['USD', 'CAD', 'AUD', 'NZD', 'MXN', 'SGD', 'HKD', 'ARS', 'CLP', 'COP', 'TWD']],
];

const known = new Set(Intl.supportedValuesOf('currency'));

/** Currencies that a text may mean, the surest first; a code (ISO 4217) names exactly one. */
export function currenciesIn(text: string): readonly string[] {
  for (const [code] of text.matchAll(/(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])/g))
    if (known.has(code) && commonCodes.has(code)) return [code];
  return signs.find(([sign]) => sign.test(text))?.[1] ?? [];
}

/** The sign itself, as the text writes it; undefined where a text has none. */
export function signIn(text: string): string | undefined {
  for (const [sign] of signs) {
    const found = sign.exec(text);
    if (found !== null) return found[0];
  }
  return undefined;
}

/** Capitals that are words as well (ALL, TOP, CUP …) are no currency here. */
const commonCodes = new Set(
  'USD EUR GBP CHF JPY CAD AUD NZD SEK NOK DKK ISK PLN CZK HUF RON BGN MXN BRL ARS CLP COP PEN INR CNY HKD SGD TWD KRW THB IDR MYR PHP VND TRY ZAR ILS AED SAR QAR KWD BHD JOD OMR EGP MAD NGN KES UAH RUB'.split(
    ' ',
  ),
);

export function isCurrency(code: string): boolean {
  return known.has(code);
}

const decimalsOf = new Map<string, number>();

/** Digits after the decimal point: 2 for EUR, 0 for JPY, 3 for KWD. */
export function decimals(currency: string): number {
  const cached = decimalsOf.get(currency);
  if (cached !== undefined) return cached;
  const found =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits ?? 2;
  decimalsOf.set(currency, found);
  return found;
}
