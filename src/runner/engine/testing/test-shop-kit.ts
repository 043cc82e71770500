import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { Commerce } from '../../commerce/types.ts';
import type {
  CardUse,
  RunCard,
  RunEnd,
  RunPorts,
  RunScreen,
  RunStep,
  RunTask,
  StepEvidence,
  UserActionRequest,
} from '../../types.ts';
import { type OrderGate, type Patience, type Planner, runCheckout } from '../index.ts';

/** What a page of a test shop gives back: HTML, JSON, or a place to go to. */
export type Reply =
  | { readonly html: string; readonly status?: number }
  | { readonly json: unknown; readonly status?: number }
  | { readonly to: string }
  | { readonly hang: true }
  /** The same after a time; without a time never. */
  | { readonly later: Reply; readonly afterMs?: number };
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly form: URLSearchParams;
  readonly session: Map<string, string>;
  readonly headers: IncomingMessage['headers'];
  /** As it came. */
  readonly body: string;
}

/** A shop of a few pages. `orders` is the truth. */
export interface TestShop {
  readonly origin: string;
  readonly orders: Record<string, string>[];
  /** Form posts that came, by path. */
  readonly posts: { readonly path: string; readonly values: Record<string, string> }[];
  close(): Promise<void>;
}

export type Handler = (request: PageRequest, orders: Record<string, string>[]) => Reply | undefined;

/** Serves a shop on a port of its own. */
export async function startTestShop(handler: Handler): Promise<TestShop> {
  const sessions = new Map<string, Map<string, string>>();
  const orders: Record<string, string>[] = [];
  const posts: { path: string; values: Record<string, string> }[] = [];
  const server: Server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const id =
      /sid=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? Math.random().toString(36).slice(2);
    const session = sessions.get(id) ?? new Map<string, string>();
    sessions.set(id, session);
    const url = new URL(request.url ?? '/', 'http://shop');
    const isJson = (request.headers['content-type'] ?? '').includes('json');
    const form = isJson
      ? new URLSearchParams(JSON.parse(body || '{}') as Record<string, string>)
      : new URLSearchParams(request.method === 'POST' ? body : url.search);
    if (request.method === 'POST')
      posts.push({ path: url.pathname, values: Object.fromEntries(form) });
    let reply = handler(
      {
        method: request.method ?? 'GET',
        path: url.pathname,
        form,
        session,
        headers: request.headers,
        body,
      },
      orders,
    );
    while (reply !== undefined && 'later' in reply) {
      const { afterMs, later } = reply;
      if (afterMs === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, afterMs).unref());
      reply = later;
    }
    response.setHeader('set-cookie', `sid=${id}; Path=/`);
    // On a kept connection that breaks the browser would send a form again by itself.
    response.setHeader('connection', 'close');
    if (reply === undefined) response.writeHead(404).end('nothing here');
    else if ('hang' in reply) response.destroy();
    else if ('to' in reply) response.writeHead(303, { location: reply.to }).end();
    else if ('json' in reply)
      response
        .writeHead(reply.status ?? 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(reply.json));
    else
      response
        .writeHead(reply.status ?? 200, { 'content-type': 'text/html; charset=utf-8' })
        .end(reply.html);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    orders,
    posts,
    close,
  };
}

export const testCard: RunCard = {
  number: '4242424242424242',
  expirationMonth: 7,
  expirationYear: 2031,
  cvc: '123',
  holder: 'Ada Lovelace',
  postalCode: '94105',
};
export const aBuyer: RunTask['buyer'] = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+14155550123',
  shipping: {
    addressLines: ['12 Main Street', 'Apt 4'],
    locality: 'San Francisco',
    administrativeAreaCode: 'US-CA',
    postalCode: '94105',
    countryCode: 'US',
  },
};

export function aTask(url: string, more: Partial<RunTask> = {}): RunTask {
  return {
    checkoutId: 'checkout-1',
    url,
    maxCost: { amountMinor: 10_000n, currency: 'USD' },
    buyer: aBuyer,
    allowedPrivateOrigins: [],
    paymentFrameOrigins: [],
    timeoutMs: 120_000,
    ...more,
  };
}

export interface TestRun {
  readonly end: RunEnd;
  readonly steps: readonly RunStep[];
  readonly asked: readonly UserActionRequest[];
  readonly armed: number;
  readonly cards: number;
  readonly logs: readonly string[];
  readonly evidence: readonly StepEvidence[];
  readonly pictures: number;
  /** What the user reads while it runs. */
  readonly progress: readonly { readonly title: string; readonly message?: string }[];
}

/** What a user has in the live page: where a bank or a test for humans is answered by hand. */
export interface TestHands {
  readonly page: Page;
  readonly context: BrowserContext;
}

export interface TestAnswers {
  readonly answer?: (
    request: UserActionRequest,
    hands: TestHands,
  ) => JsonObject | 'decline' | undefined | Promise<JsonObject | 'decline' | undefined>;
  readonly mayArm?: boolean;
  readonly gate?: OrderGate | ((context: BrowserContext) => Promise<OrderGate>);
  readonly onStep?: (step: RunStep, hands: TestHands) => void | Promise<void>;
  /** How long a picture is on its way. */
  readonly onPicture?: () => Promise<unknown>;
  readonly card?: () => Promise<RunCard>;
  readonly cardUse?: () => Promise<CardUse>;
  readonly screen?: RunScreen;
  readonly planner?: Planner;
  readonly commerce?: Commerce;
  readonly patience?: Partial<Patience>;
  readonly refusalOf?: (address: string) => string | undefined;
}

/**
 * Runs a checkout in a new context, or in the one given, and keeps what it asked and recorded.
 * Questions without an answer fail the run as declined.
 */
export async function runInShop(
  place: Browser | TestHands,
  task: RunTask,
  {
    answer,
    mayArm = true,
    gate,
    onStep,
    onPicture,
    card,
    cardUse,
    screen,
    ...places
  }: TestAnswers = {},
): Promise<TestRun> {
  const context = 'page' in place ? place.context : await place.newContext();
  const page = 'page' in place ? place.page : await context.newPage();
  const steps: RunStep[] = [];
  const asked: UserActionRequest[] = [];
  const logs: string[] = [];
  const evidence: StepEvidence[] = [];
  const progress: TestRun['progress'][number][] = [];
  const hands: TestHands = { page, context };
  let [armed, cards, pictures] = [0, 0, 0];
  const ports: RunPorts = {
    record: async (proof) => {
      steps.push(proof.step);
      evidence.push(proof);
      await onStep?.(proof.step, hands);
    },
    progress: async (item) => void progress.push(item),
    picture: async () => {
      pictures += 1;
      await onPicture?.();
    },
    ask: async (request) => {
      asked.push(request);
      const values =
        (await answer?.(request, hands)) ??
        (request.kind === 'approve-purchase' ? { approved: true } : 'decline');
      return values === 'decline' ? { action: 'decline' } : { action: 'submit', values };
    },
    arm: async () => {
      armed += 1;
      return mayArm;
    },
    card: async () => {
      cards += 1;
      return card === undefined ? testCard : card();
    },
    cardUse: cardUse ?? (async () => ({ state: 'unknown' })),
    saveBrowserState: async () => true,
  };
  const write = (fields: JsonObject, message: string) =>
    void logs.push(`${message} ${JSON.stringify(fields)}`);
  try {
    const end = await runCheckout({
      page,
      context,
      task,
      ports,
      signal: AbortSignal.timeout(task.timeoutMs),
      log: { info: write, warn: write },
      ...(gate === undefined
        ? {}
        : { gate: typeof gate === 'function' ? await gate(context) : gate }),
      screen,
      ...places,
    });
    return { end, steps, asked, armed, cards, logs, evidence, pictures, progress };
  } finally {
    // A place that was given is its owner's.
    if (!('page' in place)) await context.close();
  }
}
