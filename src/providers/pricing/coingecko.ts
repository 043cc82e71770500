import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { divideDecimals, isDecimalPrice } from '../../lib/money/amount.ts';
import type { Secret } from '../../lib/sealing/secret.ts';
import { getJson, HttpJsonError } from './http-json.ts';
import type { PricingProvider } from './pricing.ts';

/**
 * Prices of CoinGecko, or of anything that speaks its `GET <url>/simple/price`. All known coins are
 * asked for at once, so one request a minute serves every caller. When the source is out, prices up
 * to ten minutes old are served, then none.
 */

export interface CoingeckoOptions {
  /** Base address, e.g. `https://api.coingecko.com/api/v3`. */
  readonly url: string;
  readonly apiKey?: Secret;
  readonly clock: Clock;
  readonly log?: Logger;
  /** 3 s when absent. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 3_000;
const freshMs = 60_000;
const staleMaxMs = 600_000;
/**
 * After a failure nobody asks again for this long, so that an outage does not cost every caller the
 * time-out.
 */
const retryAfterMs = 10_000;
const retryAfterMaxMs = 120_000;
const answerBytesMax = 256 * 1024;

/**
 * Coin ids by symbol. A symbol that more than one coin claims is here only where the token is meant
 * without doubt.
 */
const coinIds: Readonly<Record<string, string>> = {
  usdc: 'usd-coin',
  usdt: 'tether',
  eurc: 'euro-coin',
  eth: 'ethereum',
  sol: 'solana',
  xlm: 'stellar',
  sui: 'sui',
  apt: 'aptos',
  pol: 'polygon-ecosystem-token',
  matic: 'polygon-ecosystem-token',
  avax: 'avalanche-2',
  bnb: 'binancecoin',
  ape: 'apecoin',
  chz: 'chiliz',
  coti: 'coti',
  flow: 'flow',
  hbar: 'hedera-hashgraph',
  mnt: 'mantle',
  plume: 'plume',
  sei: 'sei-network',
  u2u: 'u2u-network',
  vic: 'tomochain',
  xai: 'xai-blockchain',
};
/** Units of account, and the test stablecoin, which no market prices. */
const fixedPrices: ReadonlyMap<string, string> = new Map([
  ['usd', '1'],
  ['usdxm', '1'],
]);

/** Fiat currencies whose price follows from a coin that is priced in them and in dollars. */
const fiatCodes = [
  'eur',
  'gbp',
  'aud',
  'cop',
  'mxn',
  'jpy',
  'sgd',
  'hkd',
  'krw',
  'inr',
  'vnd',
] as const;
/** Of the coin that is traded in most of them. */
const fiatCoin = 'bitcoin';
const fiatDigits = 12;

const priceSchema = z.number().nullish();
const answerSchema = z.record(
  z.string(),
  z.looseObject({
    usd: priceSchema,
    ...Object.fromEntries(fiatCodes.map((code) => [code, priceSchema])),
  }),
);

function isQuoted(symbol: string): boolean {
  return Object.hasOwn(coinIds, symbol) || (fiatCodes as readonly string[]).includes(symbol);
}

interface Snapshot {
  /** Decimal strings by symbol. */
  readonly prices: ReadonlyMap<string, string>;
  readonly atMs: number;
}

export function createCoingeckoPricing(options: CoingeckoOptions): PricingProvider {
  const { clock, log } = options;
  let snapshot: Snapshot | undefined;
  let refreshing: Promise<void> | undefined;
  let pause: { readonly fromMs: number; readonly untilMs: number } | undefined;

  const nowMs = () => clock.now().getTime();
  const isYoungerThan = (ageMaxMs: number) => {
    const ageMs = snapshot ? nowMs() - snapshot.atMs : Number.POSITIVE_INFINITY;
    return ageMs >= 0 && ageMs < ageMaxMs;
  };
  const isPaused = () => pause !== undefined && nowMs() >= pause.fromMs && nowMs() < pause.untilMs;

  const refresh = async () => {
    try {
      snapshot = { prices: await fetchPrices(options), atMs: nowMs() };
      pause = undefined;
    } catch (error) {
      const waitMs =
        error instanceof HttpJsonError && error.retryAfterSeconds !== undefined
          ? error.retryAfterSeconds * 1_000
          : retryAfterMs;
      pause = {
        fromMs: nowMs(),
        untilMs: nowMs() + Math.min(Math.max(waitMs, retryAfterMs), retryAfterMaxMs),
      };
      log?.warn(
        { err: error },
        'prices could not be read; older ones are served while they are younger than ten minutes',
      );
    }
  };

  return {
    async pricesUsd(symbols) {
      if (symbols.some(isQuoted) && !isYoungerThan(freshMs) && !isPaused()) {
        await (refreshing ??= refresh().finally(() => (refreshing = undefined)));
      }
      const known = isYoungerThan(staleMaxMs) ? snapshot?.prices : undefined;
      return new Map(
        symbols.flatMap((symbol) => {
          const price = fixedPrices.get(symbol) ?? known?.get(symbol);
          return price === undefined ? [] : [[symbol, price] as const];
        }),
      );
    },
  };
}

async function fetchPrices({
  url,
  apiKey,
  timeoutMs = defaultTimeoutMs,
}: CoingeckoOptions): Promise<ReadonlyMap<string, string>> {
  const address = new URL(`${url.replace(/\/+$/, '')}/simple/price`);
  address.searchParams.set('ids', [...new Set([...Object.values(coinIds), fiatCoin])].join(','));
  address.searchParams.set('vs_currencies', ['usd', ...fiatCodes].join(','));
  address.searchParams.set('precision', 'full');
  const body = await getJson({
    url: address,
    headers: keyHeader(address, apiKey),
    timeoutMs,
    bytesMax: answerBytesMax,
  });
  const answer = answerSchema.safeParse(body);
  if (!answer.success)
    throw new HttpJsonError('The answer is not of the form {"<coin id>": {"usd": <number>}}.');
  const prices = new Map<string, string>();
  for (const [symbol, id] of Object.entries(coinIds)) {
    const usd = Object.hasOwn(answer.data, id) ? answer.data[id]?.usd : undefined;
    const price = typeof usd === 'number' && usd > 0 ? decimalOf(usd) : undefined;
    if (price !== undefined && isDecimalPrice(price)) prices.set(symbol, price);
  }
  for (const [code, price] of fiatPrices(answer.data[fiatCoin])) prices.set(code, price);
  // All coins missing at once is another service, or a broken one: what was known before is better.
  if (prices.size === 0)
    throw new HttpJsonError('The answer has no price of any coin that was asked for.');
  return prices;
}

/**
 * A currency is worth as many dollars as the coin costs in them, divided by what it costs in the
 * currency.
 */
function fiatPrices(coin: Readonly<Record<string, unknown>> | undefined): [string, string][] {
  const decimal = (value: unknown) =>
    typeof value === 'number' && value > 0 ? decimalOf(value) : undefined;
  const usd = decimal(coin?.usd);
  return fiatCodes.flatMap((code): [string, string][] => {
    const price = decimal(coin?.[code]);
    return usd === undefined || price === undefined
      ? []
      : [[code, divideDecimals(usd, price, fiatDigits)]];
  });
}

/** The paid service has its own host and header. */
function keyHeader(address: URL, apiKey: Secret | undefined): Record<string, string> {
  if (!apiKey) return {};
  return {
    [address.hostname.startsWith('pro-api.') ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key']:
      apiKey.reveal(),
  };
}

/**
 * The source sends JSON numbers. The shortest decimal of such a number is what it sent, to 17
 * digits; only the exponent that JavaScript writes for very small and very large ones is written
 * out here.
 */
function decimalOf(value: number): string {
  const match = /^(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value));
  if (!match) return String(value);
  const [, whole, fraction = '', exponentText] = match as unknown as [
    string,
    string,
    string | undefined,
    string,
  ];
  const digits = whole + fraction;
  const pointAt = whole.length + Number(exponentText);
  if (pointAt <= 0) return `0.${'0'.repeat(-pointAt)}${digits}`;
  return digits.length <= pointAt
    ? digits.padEnd(pointAt, '0')
    : `${digits.slice(0, pointAt)}.${digits.slice(pointAt)}`;
}
