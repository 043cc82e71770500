import { pino } from 'pino';
import {
  type RunningShops,
  type Shop,
  type ShopName,
  startShops,
  testCards,
} from '../../fixtures/shops/index.ts';
import { agentCheckoutRoutes, sandboxAnswerRoutes } from '../../src/areas/agent-checkouts/index.ts';
import { liveRoutes, liveStreamRoute } from '../../src/areas/agent-checkouts/live/live-routes.ts';
import { livePeers, runnerLive } from '../../src/areas/agent-checkouts/live/test-kit.ts';
import { browserProfileRoutes } from '../../src/areas/browser-profiles/index.ts';
import { buyerProfileRoutes } from '../../src/areas/buyer-profiles/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { mcpRoute } from '../../src/mcp/http.ts';
import { createUserCards } from '../../src/providers/card-source/user.ts';
import { runnerPeer } from '../../src/runner/link/wire.ts';
import { startLiveServer } from '../../src/runner/live/index.ts';
import { type Runner, type RunnerOptions, startRunner } from '../../src/runner/runner.ts';
import { type CallAnswer, startTestApi, type TestApi } from './http.ts';
import {
  gatewaySeeds,
  startTestGateway,
  type TestGateway,
  workerPublicKey,
} from './runner-gateway.ts';

/**
 * API with its live page, gateway and fixture shops in this process; runners and their browsers as a
 * test starts them.
 */
export interface CheckoutWorld {
  readonly api: TestApi;
  readonly gateway: TestGateway;
  readonly shops: RunningShops;
  /** Every line that a runner has logged. */
  readonly logLines: string[];
  startRunner(options?: Partial<RunnerOptions>): Promise<Runner>;
  /** Origins that a runner must be told of. */
  readonly surroundings: {
    readonly allowedPrivateOrigins: readonly string[];
    readonly paymentFrameOrigins: readonly string[];
  };
  as(user: string, method: string, below?: string, body?: unknown): Promise<CallAnswer>;
  /** Makes a checkout of the user. @returns its id */
  create(user: string, wish: Wish): Promise<string>;
  read(user: string, id: string): Promise<CallAnswer['body']>;
  /** Answers whatever is asked until the checkout has ended, or `until` says so. */
  follow(user: string, id: string, options?: FollowOptions): Promise<CallAnswer['body']>;
  close(): Promise<void>;
}

export interface Wish {
  readonly shop: ShopName;
  readonly product: string;
  readonly request: string;
  readonly mean?: string;
  readonly maxCost?: string;
  readonly profiles?: { readonly buyerProfileId?: string; readonly browserProfileId?: string };
}

export interface FollowOptions {
  /** Undefined: answered as most users would. `wait`: not answered. */
  readonly answer?: (action: PendingAction, asked: number) => object | 'wait' | undefined;
  readonly until?: (view: CallAnswer['body']) => boolean;
  readonly timeoutMs?: number;
}

export interface PendingAction {
  readonly id: string;
  readonly message: string;
  readonly responseSchema: {
    readonly properties: Readonly<
      Record<string, { readonly oneOf?: readonly { const: string }[] }>
    >;
  };
}

const path = '/unstable/agent-checkouts';
export const ended = ['succeeded', 'failed', 'cancelled'];

export const buyer = {
  name: { first: 'Ada', last: 'Lovelace' },
  contact: { email: 'ada@example.com', phone: '+14155550123' },
  shipping: {
    addressLines: ['12 Main Street'],
    locality: 'San Francisco',
    administrativeAreaCode: 'US-CA',
    postalCode: '94105',
    countryCode: 'US',
  },
};
const contact = {
  fullName: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+14155550123',
  addressLine1: '12 Main Street',
  city: 'San Francisco',
  state: 'US-CA',
  postalCode: '94105',
  countryCode: 'US',
};
export const cardAnswer = {
  number: testCards.authorised,
  expirationMonth: 7,
  expirationYear: 2031,
  cvc: '123',
  holder: 'Ada Lovelace',
  postalCode: '94105',
};

/** What most users would answer. */
export function usualAnswer({ responseSchema }: PendingAction): object {
  const { properties } = responseSchema;
  const values = Object.keys(properties).map((name): [string, unknown] => {
    if (name === 'approved' || name === 'done') return [name, true];
    if (name === 'choice') return [name, properties[name]!.oneOf?.[0]?.const];
    if (name === 'outcome') return [name, 'not-placed'];
    return [name, { ...contact, ...cardAnswer }[name as keyof typeof contact]];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

export async function startCheckoutWorld(): Promise<CheckoutWorld> {
  const api = await startTestApi({
    routes: [...agentCheckoutRoutes, ...buyerProfileRoutes, ...browserProfileRoutes],
    providers: { cardSource: createUserCards() },
    config: { runnerLive },
    server: {
      publicRoutes: [...liveRoutes, ...sandboxAnswerRoutes],
      socketRoutes: [liveStreamRoute],
      keyedRoutes: [mcpRoute],
    },
  });
  const live = await startLiveServer({
    host: '127.0.0.1',
    port: 0,
    peers: livePeers,
    clock: systemClock,
    log: api.ctx.log,
  });
  const gateway = await startTestGateway(api.ctx);
  const shops = await startShops({ store: api.ctx.store, lateMs: 150, slowMs: 300 });
  const logLines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
  const runners = new Set<Runner>();
  const surroundings = {
    allowedPrivateOrigins: [
      ...new Set(shops.shops.flatMap((shop) => [shop.origin, ...shop.paymentOrigins])),
    ],
    paymentFrameOrigins: [...new Set(shops.shops.flatMap((shop) => shop.paymentOrigins))],
  };
  const world: CheckoutWorld = {
    api,
    gateway,
    shops,
    logLines,
    surroundings,
    async startRunner(options = {}) {
      const runner = await startRunner({
        config: {
          chromiumPath: undefined,
          runsMax: 4,
          memoryBytesMax: 1_024 * 1_048_576,
          blockedOrigins: [],
          ...surroundings,
        },
        link: {
          origin: gateway.origin,
          identity: { name: runnerPeer, seed: gatewaySeeds.runner },
          workerPublicKey,
        },
        log,
        clock: systemClock,
        name: `runner-${runners.size + 1}`,
        pollMs: 100,
        stopGraceMs: 5_000,
        live,
        ...options,
      });
      runners.add(runner);
      return runner;
    },
    as: async (user, method, below = '', body = undefined) =>
      api.call(method, `${path}${below}`, {
        key: api.clientKey,
        jwt: await api.userJwt(user),
        ...(body === undefined ? {} : { body }),
      }),
    async create(user, { shop: name, product, request, mean, maxCost = '200', profiles }) {
      const shop: Shop = shops.shop(name);
      const { status, body } = await world.as(user, 'POST', '', {
        target: {
          kind: 'direct_url',
          url: shop.productUrl(product, mean === undefined ? undefined : { mean }),
          request,
        },
        constraints: { maxCost: { amount: maxCost, currency: shop.currency } },
        ...profiles,
      });
      if (status !== 200) throw new Error(`The checkout was refused: ${JSON.stringify(body)}`);
      return body.id;
    },
    read: async (user, id) => (await world.as(user, 'GET', `/${id}`)).body,
    async follow(user, id, { answer, until, timeoutMs = 100_000 } = {}) {
      const answered = new Set<string>();
      for (
        const endMs = Date.now() + timeoutMs;
        ;
        await new Promise((resolve) => setTimeout(resolve, 100))
      ) {
        const view = await world.read(user, id);
        if (ended.includes(view.status) || until?.(view)) return view;
        if (Date.now() > endMs)
          throw new Error(
            `The checkout has not ended: ${JSON.stringify(view)}\n${logLines.slice(-30).join('')}`,
          );
        const pending = view.pendingUserAction as PendingAction | undefined;
        if (!pending || answered.has(pending.id)) continue;
        const values = answer?.(pending, answered.size) ?? usualAnswer(pending);
        if (values === 'wait') continue;
        answered.add(pending.id);
        const { status, body } = await world.as(user, 'POST', `/${id}/actions/${pending.id}`, {
          action: 'submit',
          values,
        });
        if (status !== 202) throw new Error(`The answer was refused: ${JSON.stringify(body)}`);
      }
    },
    async close() {
      await Promise.all([...runners].map((runner) => runner.stop()));
      await live.stop();
      await shops.stop();
      await gateway.stop();
      await api.close();
    },
  };
  return world;
}
