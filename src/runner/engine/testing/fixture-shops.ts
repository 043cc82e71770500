import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import {
  type Authorisation,
  type OrderRequest,
  type RunningShops,
  type ShopName,
  type ShopOrder,
  startShops,
  testCards,
} from '../../../../fixtures/shops/index.ts';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { installOrderGate, looksLikeOrder } from '../../gate/order-gate.ts';
import type { RunBuyer, RunCard, RunTask } from '../../types.ts';
import {
  aTask,
  runInShop,
  type TestAnswers,
  type TestHands,
  type TestRun,
  testCard,
} from './test-shop-kit.ts';

/** One purchase in a fixture shop. */
export interface ShopTry {
  readonly shop: ShopName;
  readonly product: string;
  readonly request: string;
  /** What the mean shop does. */
  readonly mean?: string;
  readonly card?: keyof typeof testCards;
  /** Whether the issuer of the card can be asked what it has authorised. Default true. */
  readonly knowsIssuer?: boolean;
  readonly hasGate?: boolean;
  /** Absent: the plain one of a run. */
  readonly gate?: TestAnswers['gate'];
  readonly task?: Partial<RunTask>;
  readonly answer?: TestAnswers['answer'];
}

/** What the run said and what is true. */
export interface ShopResult {
  readonly run: TestRun;
  readonly orders: readonly ShopOrder[];
  readonly requests: readonly OrderRequest[];
  readonly authorisations: readonly Authorisation[];
  /** Card numbers that reached the thief. */
  readonly thefts: number;
}

const buyer = (
  countryCode: string,
  phone: string,
  line1: string,
  locality: string,
  postalCode: string,
  administrativeAreaCode?: string,
): RunBuyer => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone,
  shipping: { addressLines: [line1], locality, postalCode, countryCode, administrativeAreaCode },
});
const american = buyer('US', '+14155550123', '12 Main Street', 'San Francisco', '94105', 'US-CA');
/** Somebody whom each shop delivers to. */
export const buyers: Readonly<Record<ShopName, RunBuyer>> = {
  plain: american,
  mean: american,
  tricks: american,
  steps: buyer('GB', '+447700900321', '7 Mill Lane', 'York', 'YO1 7HH'),
  accordion: buyer('DE', '+4930901820', 'Torstraße 12', 'Berlin', '10119', 'DE-BE'),
  app: buyer('JP', '+81312345678', '1-2-3 Meguro', 'Tokyo', '153-0063', 'JP-13'),
  frames: buyer('NL', '+31612345678', 'Oudegracht 12', 'Utrecht', '3511 AB'),
};

export const cardOf = (name: keyof typeof testCards): RunCard => ({
  ...testCard,
  number: testCards[name],
});

export interface FixtureShops {
  readonly shops: RunningShops;
  buy(input: ShopTry): Promise<ShopResult>;
}

/** All fixture shops and one browser for a file of tests. */
export function useFixtureShops(): FixtureShops {
  const now = {} as { shops: RunningShops; browser: Browser; database: TestDatabase };
  beforeAll(async () => {
    now.database = await startTestDatabase();
    now.shops = await startShops({ store: now.database.store, lateMs: 150, slowMs: 300 });
    now.browser = await startBrowser();
  });
  afterAll(async () => {
    await now.browser?.close();
    await now.shops?.stop();
    await now.database?.close();
  });
  return {
    get shops() {
      return now.shops;
    },
    async buy(input) {
      await now.shops.resetShop(input.shop);
      return readResult(now.shops, input.shop, await tryShop(now.browser, now.shops, input));
    },
  };
}

/** What the shops' books say after a run. */
export async function readResult(
  shops: RunningShops,
  name: ShopName,
  run: TestRun,
): Promise<ShopResult> {
  return {
    run,
    orders: await shops.readOrders(name),
    requests: await shops.readRequests(name),
    authorisations: await shops.readAuthorisations(name),
    thefts: (await shops.readTrapHits()).filter((hit) => hit.holdsCard).length,
  };
}

/** Buys in a new context of a browser, or in the page that is given. */
export function tryShop(
  place: Browser | TestHands,
  shops: RunningShops,
  input: ShopTry,
): Promise<TestRun> {
  const {
    shop: name,
    product,
    request,
    mean,
    card = 'authorised',
    knowsIssuer = true,
    hasGate = true,
    gate,
    task,
    answer,
  } = input;
  const shop = shops.shop(name);
  const number = testCards[card];
  const cardUse = async () => {
    const used = (await shops.readAuthorisations(name)).find(
      (one) => one.amountMinor > 0n && number.endsWith(one.cardLast4),
    );
    return used === undefined
      ? ({ state: 'not-used' } as const)
      : ({
          state: 'authorised',
          total: { amountMinor: used.amountMinor, currency: used.currency },
        } as const);
  };
  return runInShop(
    place,
    aTask(shop.productUrl(product, mean === undefined ? undefined : { mean }), {
      request,
      buyer: buyers[name],
      maxCost: {
        amountMinor: shop.currency === 'JPY' ? 60_000n : 200_000n,
        currency: shop.currency,
      },
      paymentFrameOrigins: shop.paymentOrigins,
      ...task,
    }),
    {
      answer,
      card: async () => cardOf(card),
      ...(knowsIssuer ? { cardUse } : {}),
      ...(hasGate ? { gate: gate ?? ((context) => gateOf(context, shop.origin)) } : {}),
    },
  );
}

/** The gate of the runner, as the engine sees it. */
export async function gateOf(
  context: Parameters<typeof installOrderGate>[0],
  origin: string,
  more: Partial<Parameters<typeof installOrderGate>[1]> = {},
) {
  const gate = await installOrderGate(context, { match: looksLikeOrder(origin), ...more });
  return {
    arm: () => void gate.armOnce(),
    placedRequests: () => gate.passedCount(),
    allowStep: (url: string) => gate.allowStep(url),
    covers: (request: Parameters<typeof gate.covers>[0]) => gate.covers(request),
  };
}
