import autocannon from 'autocannon';
import { aUsBody } from '../src/vault/testing/methods-kit.ts';
import { serveLoad } from './load.ts';
import { percentile } from './measure.ts';

/** Requests over HTTP, as fast as the connections allow. */
export interface HttpLoad {
  /** Of each API process; ends in `/api`. */
  readonly baseUrls: readonly string[];
  readonly apiKey: string;
  /** Of all processes together. */
  readonly connections: number;
  /** How long, or with `amount` how many requests. */
  readonly seconds: number;
  readonly amount?: number;
  readonly request:
    | {
        readonly kind: 'create-wallet';
        readonly adminAddress: string /** A new owner for each, beginning with this text. */;
        readonly ownerPrefix?: string;
      }
    | { readonly kind: 'get-wallet'; readonly addresses: readonly string[] }
    | { readonly kind: 'read-user'; readonly locators: readonly string[] }
    | { readonly kind: 'create-order' /** Of the tokens. */; readonly recipient: string }
    | {
        readonly kind: 'create-payment-method' /** A new user for each, beginning with this text. */;
        readonly userPrefix: string;
      }
    | {
        readonly kind: 'transfer' /** Senders, in turn. */;
        readonly addresses: readonly string[];
        readonly token: string;
        readonly recipient: string;
        readonly amount: string;
      };
}

export interface HttpLoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly answered: number;
  /** Of the first request, in milliseconds of the system's clock. */
  readonly startedAtMs: number;
}

const walletsPath = '/2025-06-09/wallets';

/** One list for all processes, so that no owner is named twice. */
function createRequests({ request, baseUrls }: HttpLoad): autocannon.Request[] {
  if (request.kind === 'read-user') {
    const usersPath = new URL(baseUrls[0]!).pathname + '/2025-06-09/users';
    let next = 0;
    const pathOf = () =>
      `${usersPath}/${encodeURIComponent(request.locators[next++ % request.locators.length]!)}`;
    return [{ method: 'GET', setupRequest: (base) => ({ ...base, path: pathOf() }) }];
  }
  if (request.kind === 'create-order') return [createOrderRequest(baseUrls[0]!, request.recipient)];
  if (request.kind === 'create-payment-method')
    return [createMethodRequest(baseUrls[0]!, request.userPrefix)];
  const path = new URL(baseUrls[0]!).pathname + walletsPath;
  if (request.kind === 'get-wallet') {
    let next = 0;
    return [
      {
        method: 'GET',
        setupRequest: (base) => ({
          ...base,
          path: `${path}/${request.addresses[next++ % request.addresses.length]}`,
        }),
      },
    ];
  }
  if (request.kind === 'transfer') {
    const body = JSON.stringify({ recipient: request.recipient, amount: request.amount });
    let next = 0;
    return [
      {
        method: 'POST',
        body,
        setupRequest: (base) => ({
          ...base,
          path: `${path}/${request.addresses[next++ % request.addresses.length]}/tokens/${request.token}/transfers`,
        }),
      },
    ];
  }
  const body = {
    chainType: 'evm',
    type: 'smart',
    config: { adminSigner: { type: 'external-wallet', address: request.adminAddress } },
  };
  if (request.ownerPrefix === undefined)
    return [{ method: 'POST', path, body: JSON.stringify(body) }];
  let owner = 0;
  return [
    {
      method: 'POST',
      path,
      setupRequest: (base) => ({
        ...base,
        body: JSON.stringify({ ...body, owner: `userId:${request.ownerPrefix}-${owner++}` }),
      }),
    },
  ];
}

/** Each user saves one account, whose number is another one each time. */
function createMethodRequest(baseUrl: string, userPrefix: string): autocannon.Request {
  let user = 0;
  return {
    method: 'POST',
    path: `${new URL(baseUrl).pathname}/unstable/payment-methods`,
    setupRequest: (base) => {
      user += 1;
      return {
        ...base,
        body: JSON.stringify(
          aUsBody(
            { userLocator: `userId:${userPrefix}-${user}` },
            { accountNumber: String(10_000_000_000 + user) },
          ),
        ),
      };
    },
  };
}

/** A checkout that waits for the address of its payer. */
function createOrderRequest(baseUrl: string, walletAddress: string): autocannon.Request {
  const executionParameters = { mode: 'exact-out', amount: '0.01' };
  const body = {
    recipient: { walletAddress },
    payment: { method: 'base-sepolia', currency: 'usdc' },
    lineItems: [{ tokenLocator: 'base-sepolia:eth', executionParameters }],
  };
  return {
    method: 'POST',
    path: `${new URL(baseUrl).pathname}/2022-06-09/orders`,
    body: JSON.stringify(body),
  };
}

async function runHttpLoad(load: HttpLoad): Promise<HttpLoadResult> {
  const expected = ['get-wallet', 'read-user'].includes(load.request.kind) ? 200 : 201;
  const latencies: number[] = [];
  const unexpected = new Map<number, number>();
  const requests = createRequests(load);
  const length =
    load.amount === undefined
      ? { duration: load.seconds }
      : { amount: load.amount / load.baseUrls.length };
  const startedAtMs = Date.now();
  const results = await Promise.all(
    load.baseUrls.map(
      (url) =>
        new Promise<autocannon.Result>((resolve, reject) => {
          const instance = autocannon(
            {
              url,
              connections: load.connections / load.baseUrls.length,
              ...length,
              headers: { 'x-api-key': load.apiKey, 'content-type': 'application/json' },
              requests,
            },
            (error: unknown, finished) => (error ? reject(error) : resolve(finished)),
          );
          instance.on('response', (_client, status, _bytes, responseTimeMs) => {
            if (status === expected) latencies.push(responseTimeMs);
            else unexpected.set(status, (unexpected.get(status) ?? 0) + 1);
          });
        }),
    ),
  );
  const errors = results.reduce((sum, result) => sum + result.errors, 0);
  const seconds = Math.max(...results.map((result) => result.duration));
  if (unexpected.size > 0 || errors > 0)
    throw new Error(
      `answers other than ${expected}: ${JSON.stringify([...unexpected])}, ${errors} errors`,
    );
  const sorted = Float64Array.from(latencies).sort();
  return {
    perSecond: sorted.length / seconds,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    answered: sorted.length,
    startedAtMs,
  };
}

serveLoad(runHttpLoad);
