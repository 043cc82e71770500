import autocannon from 'autocannon';
import { serveLoad } from './load.ts';
import { percentile } from './measure.ts';

/** Requests over HTTP, as fast as the connections allow. */
export interface HttpLoad {
  /** Ends in `/api`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly connections: number;
  readonly seconds: number;
  readonly request:
    | { readonly kind: 'create-wallet'; readonly adminAddress: string; /** A new owner for each, beginning with this text. */ readonly ownerPrefix?: string }
    | { readonly kind: 'get-wallet'; readonly addresses: readonly string[] };
}

export interface HttpLoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly answered: number;
}

const walletsPath = '/2025-06-09/wallets';

function createRequests({ request, baseUrl }: HttpLoad): autocannon.Request[] {
  const path = new URL(baseUrl).pathname + walletsPath;
  if (request.kind === 'get-wallet') {
    let next = 0;
    return [{ method: 'GET', setupRequest: (base) => ({ ...base, path: `${path}/${request.addresses[next++ % request.addresses.length]}` }) }];
  }
  const body = { chainType: 'evm', type: 'smart', config: { adminSigner: { type: 'external-wallet', address: request.adminAddress } } };
  if (request.ownerPrefix === undefined) return [{ method: 'POST', path, body: JSON.stringify(body) }];
  let owner = 0;
  return [{ method: 'POST', path, setupRequest: (base) => ({ ...base, body: JSON.stringify({ ...body, owner: `userId:${request.ownerPrefix}-${owner++}` }) }) }];
}

async function runHttpLoad(load: HttpLoad): Promise<HttpLoadResult> {
  const expected = load.request.kind === 'create-wallet' ? 201 : 200;
  const latencies: number[] = [];
  const unexpected = new Map<number, number>();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url: load.baseUrl,
        connections: load.connections,
        duration: load.seconds,
        headers: { 'x-api-key': load.apiKey, 'content-type': 'application/json' },
        requests: createRequests(load),
      },
      (error: unknown, finished) => (error ? reject(error) : resolve(finished)),
    );
    instance.on('response', (_client, status, _bytes, responseTimeMs) => {
      if (status === expected) latencies.push(responseTimeMs);
      else unexpected.set(status, (unexpected.get(status) ?? 0) + 1);
    });
  });
  if (unexpected.size > 0 || result.errors > 0) throw new Error(`answers other than ${expected}: ${JSON.stringify([...unexpected])}, ${result.errors} errors`);
  const sorted = Float64Array.from(latencies).sort();
  return { perSecond: sorted.length / result.duration, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99), answered: sorted.length };
}

serveLoad(runHttpLoad);
