import type { Json } from '../../../lib/json/json.ts';
import type { NetworkAnswer } from '../page/settle.ts';
import type { SnapshotInfo } from '../page/snapshot.ts';
import { currenciesIn, signIn } from './currencies.ts';
import { collectCurrencies } from './json-totals.ts';
import type { PageData } from './page-data.ts';

/** Which currency a sign of several means here. */
export type CurrencyFinding =
  /** Every amount names its currency, or the page does. */
  | { readonly kind: 'named'; readonly currency?: string }
  /** Nothing names it, and the most common meaning is what the user expects. */
  | { readonly kind: 'common' }
  | { readonly kind: 'open'; readonly sign: string; readonly candidates: readonly string[] };

const byRegion: Readonly<Record<string, string>> = {
  US: 'USD', CA: 'CAD', AU: 'AUD', NZ: 'NZD', MX: 'MXN', SG: 'SGD', HK: 'HKD', AR: 'ARS', CL: 'CLP', CO: 'COP', TW: 'TWD',
  JP: 'JPY', CN: 'CNY', SE: 'SEK', NO: 'NOK', DK: 'DKK', IS: 'ISK',
}; // biome-ignore format: a table
const byLanguage: Readonly<Record<string, string>> = {
  ja: 'JPY',
  zh: 'CNY',
  sv: 'SEK',
  nb: 'NOK',
  nn: 'NOK',
  no: 'NOK',
  da: 'DKK',
  is: 'ISK',
};

/**
 * Reads what decides a sign such as `$` or `kr`: codes that page, programs and answers name, then
 * country and language of the shop.
 */
export function findCurrency(
  snapshot: SnapshotInfo,
  answers: readonly NetworkAnswer[],
  data: PageData,
  given: { readonly expected: string; readonly known?: string },
): CurrencyFinding {
  const ambiguous = snapshot.prices
    .map((price) => currenciesIn(price.text))
    .find((one) => one.length > 1);
  if (ambiguous === undefined) return { kind: 'named' };
  if (given.known !== undefined && ambiguous.includes(given.known)) return { kind: 'named' };
  const codes = [
    ...snapshot.prices.flatMap((price) => [
      ...only(currenciesIn(price.label)),
      ...only(currenciesIn(price.text)),
    ]),
    ...data.currencies,
    ...answers.flatMap((answer) => collectCurrencies(answer.json as Json | undefined)),
  ].filter((code) => ambiguous.includes(code));
  const [code] = codes;
  if (code !== undefined && codes.every((one) => one === code))
    return { kind: 'named', currency: code };
  const local = localCurrency(snapshot);
  if (code === undefined && local === given.expected && ambiguous.includes(local))
    return { kind: 'named', currency: local };
  const isCommon =
    code === undefined &&
    (local === undefined || !ambiguous.includes(local)) &&
    ambiguous[0] === 'USD';
  if (isCommon && given.expected === 'USD') return { kind: 'common' };
  const text = snapshot.prices.find((price) => currenciesIn(price.text).length > 1)?.text ?? '';
  return { kind: 'open', sign: signIn(text) ?? '', candidates: ambiguous };
}

const only = (codes: readonly string[]) => (codes.length === 1 ? codes : []);

/**
 * What is used where the shop seems to be: by its address or the region of its language, else by a
 * language of one country.
 */
function localCurrency(snapshot: SnapshotInfo): string | undefined {
  const host = URL.canParse(snapshot.url) ? new URL(snapshot.url).hostname : '';
  const [language = '', region = ''] = snapshot.lang.split(/[-_]/);
  return (
    byRegion[host.split('.').at(-1)!.toUpperCase()] ??
    byRegion[region.toUpperCase()] ??
    byLanguage[language.toLowerCase()]
  );
}
