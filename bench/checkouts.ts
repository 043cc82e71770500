import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { openRunBrowser } from '../src/runner/browser/index.ts';
import { openEgressProxy } from '../src/runner/egress/index.ts';
import {
  buyer,
  type CheckoutWorld,
  ended,
  startCheckoutWorld,
  usualAnswer,
} from '../test/harness/checkout-world.ts';
import { type BenchOptions, type Measure, median } from './measure.ts';

const rounds = 5;
const atOnce = 4;
const within = { browserMs: 1_000, checkoutMs: 6_000, memoryMib: 400 };
const product = { shop: 'plain', product: 'map-case', request: 'one' } as const;

/**
 * Agent checkouts in the plain fixture shop: API, gateway, runner and shop in this process, browsers
 * as in production.
 */
export async function benchCheckouts(options: BenchOptions): Promise<Measure[]> {
  const count = options.quick ? 1 : rounds;
  const world = await startCheckoutWorld();
  try {
    options.progress('checkouts: browser');
    const ready: number[] = [];
    for (let round = 0; round < count; round++) ready.push(await openBrowserMs());
    const runner = await world.startRunner({ pollMs: 50 });
    options.progress('checkouts: one after the other');
    const guests: GuestTimes[] = [];
    for (let round = 0; round < count; round++)
      guests.push(await buyAsGuest(world, `one-${round}`));
    options.progress(`checkouts: ${atOnce} at once`);
    const startedMs = performance.now();
    await Promise.all(
      Array.from({ length: atOnce }, (_, index) => buyAsGuest(world, `many-${index}`)),
    );
    const togetherMs = performance.now() - startedMs;
    await runner.stop();
    const ownMs = median(guests.map((guest) => guest.ownMs));
    return [
      timeRow('browser ready', median(ready), within.browserMs),
      timeRow('guest checkout, plain shop, own time', ownMs, within.checkoutMs),
      {
        name: 'memory of a checkout’s browser, peak',
        value: peakMemoryMib(world),
        unit: 'MiB',
        beside: { what: 'promised', value: within.memoryMib },
        ratio: peakMemoryMib(world) / within.memoryMib,
        goal: { atMost: 1 },
      },
      {
        name: `${atOnce} checkouts at once, all bought`,
        value: togetherMs / 1_000,
        unit: 's',
        beside: { what: 'one alone', value: median(guests.map((guest) => guest.wallMs)) / 1_000 },
      },
    ];
  } finally {
    await world.close();
  }
}

function timeRow(name: string, ms: number, withinMs: number): Measure {
  return {
    name,
    value: ms / 1_000,
    unit: 's',
    beside: { what: 'promised', value: withinMs / 1_000 },
    ratio: ms / withinMs,
    goal: { atMost: 1 },
  };
}

async function openBrowserMs(): Promise<number> {
  const startedMs = performance.now();
  const proxy = await openEgressProxy();
  const browser = await openRunBrowser({ egress: proxy });
  const ms = performance.now() - startedMs;
  await browser.close();
  await proxy.close();
  return ms;
}

interface GuestTimes {
  readonly wallMs: number;
  /** Without the time in which the shop answers, and without the user's. */
  readonly ownMs: number;
}

async function buyAsGuest(world: CheckoutWorld, user: string): Promise<GuestTimes> {
  const buyerProfileId = (await world.as(user, 'POST', '/buyer-profiles', buyer)).body.id as string;
  const shopTime = watchShop(Number(new URL(world.shops.shop('plain').origin).port));
  const startedMs = performance.now();
  const id = await world.create(user, { ...product, profiles: { buyerProfileId } });
  let userMs = 0;
  for (;;) {
    const view = await world.read(user, id);
    if (ended.includes(view.status)) {
      if (view.status !== 'succeeded')
        throw new Error(`A checkout of the bench has ended as ${JSON.stringify(view.failure)}.`);
      break;
    }
    if (view.pendingUserAction) {
      const values = usualAnswer(view.pendingUserAction);
      const askedMs = Date.parse(view.updatedAt);
      await world.as(user, 'POST', `/${id}/actions/${view.pendingUserAction.id}`, {
        action: 'submit',
        values,
      });
      userMs += Date.now() - askedMs;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const wallMs = performance.now() - startedMs;
  return { wallMs, ownMs: wallMs - userMs - shopTime.stop() };
}

/** Milliseconds in which the server on the port had at least one request to answer. */
function watchShop(port: number): { stop(): number } {
  let [busyMs, open, sinceMs] = [0, 0, 0];
  const isShop = (message: unknown) =>
    (message as { request: IncomingMessage }).request.socket.localPort === port;
  const onStart = (message: unknown) => {
    if (isShop(message) && open++ === 0) sinceMs = performance.now();
  };
  const onFinish = (message: unknown) => {
    if (isShop(message) && --open === 0) busyMs += performance.now() - sinceMs;
  };
  subscribe('http.server.request.start', onStart);
  subscribe('http.server.response.finish', onFinish);
  return {
    stop: () => {
      unsubscribe('http.server.request.start', onStart);
      unsubscribe('http.server.response.finish', onFinish);
      return busyMs;
    },
  };
}

function peakMemoryMib(world: CheckoutWorld): number {
  const peaks = world.logLines.flatMap(
    (line) => (JSON.parse(line) as { memoryMib?: number }).memoryMib ?? [],
  );
  return Math.max(...peaks);
}
