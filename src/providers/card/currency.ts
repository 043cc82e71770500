/** ISO 4217. `Intl` knows only what people use day by day, which is less in some countries. */
const withoutDecimals = new Set(
  'bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf'.split(' '),
);
const withThreeDecimals = new Set('bhd iqd jod kwd lyd omr tnd'.split(' '));

/** Digits after the point of a currency: what its smallest unit is. */
export function currencyDecimals(currency: string): number {
  const lower = currency.toLowerCase();
  if (withoutDecimals.has(lower)) return 0;
  return withThreeDecimals.has(lower) ? 3 : 2;
}

/** For people, e.g. `USD 12.34`, `JPY 1200`. */
export function formatMoney(amountMinor: bigint, currency: string): string {
  const decimals = currencyDecimals(currency);
  const digits = amountMinor.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${currency.toUpperCase()} ${digits.slice(0, point)}${decimals === 0 ? '' : `.${digits.slice(point)}`}`;
}
