import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createManualClock } from '../../lib/clock.ts';
import { callTotals, countCalls, countedFetch, takeCallCounts } from '../../lib/net/call-counts.ts';
import { createJsonRpc } from '../../lib/net/json-rpc.ts';
import { apiRole, asRole } from '../../store/grants.ts';
import { createStore } from '../../store/pool.ts';
import { listProviderCalls, pruneCallCounts, storeCallCounts } from './calls.ts';
import { providersCommand } from './command.ts';

let database: TestDatabase;
let server: Server;
let url: string;
let status = 200;
beforeAll(async () => {
  database = await startTestDatabase();
  server = createServer((request, response) => {
    if (status === 0) return void request.socket.destroy();
    response.statusCode = status;
    response.end(JSON.stringify({ id: 1, error: { code: -32000, message: 'no' } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server?.close();
  await database?.close();
});

/** What was counted since the last time: earlier tests of this process have used up the names. */
const countOf = (name: string) => takeCallCounts().find(({ provider }) => provider === name);

describe('a call to a company or node', () => {
  it('has failed when nothing came back, or an answer that says nothing of what was asked', async () => {
    takeCallCounts();
    for (const answered of [200, 204, 302, 404, 409, 422, 401, 403, 429, 500, 503, 0]) {
      status = answered;
      await countedFetch('a company', url, { redirect: 'manual' }).catch(() => undefined);
    }
    expect(countOf('a company')).toMatchObject({ calls: 12, failures: 6 });
  });

  it('of a node is counted under its host, without the key in its address; its refusal is an answer', async () => {
    takeCallCounts();
    const rpc = createJsonRpc({ url: `${url}/v2/secret-key`, timeoutMs: 5_000, readMethods: /^$/ });
    for (const answered of [200, 200, 503, 0]) {
      status = answered;
      await rpc.request('eth_chainId').catch(() => undefined);
    }
    rpc.close();
    expect(countOf(`node ${new URL(url).host}`)).toMatchObject({ calls: 4, failures: 2 });
    expect(JSON.stringify(callTotals())).not.toContain('secret');
  });

  it('is one of others when there are more names than are told apart', () => {
    takeCallCounts();
    for (let nr = 0; nr < 150; nr++) countCalls({ provider: `name ${nr}`, calls: 1, failures: 0 });
    const taken = takeCallCounts();
    expect(taken).toHaveLength(101);
    expect(taken.at(-1)).toEqual({ provider: 'others', calls: 50, failures: 0 });
  });
});

describe('counts of calls', () => {
  it('of all processes are added up by ten minutes, listed by what failed lately, and forgotten after two days', async () => {
    const clock = createManualClock();
    const store = createStore({ url: asRole(database.url, apiRole), poolSize: 1 });
    const ctx = { store, clock };
    const count = async (provider: string, calls: number, failures: number) => {
      countCalls({ provider, calls, failures });
      await storeCallCounts(ctx);
    };
    takeCallCounts();
    expect(await storeCallCounts(ctx)).toBe(0);
    await count('bank', 10, 4);
    clock.advance(2 * 3_600_000);
    await count('bank', 5, 0);
    await count('bank', 5, 1);
    await count('node a', 7, 3);
    await count('prices', 9, 0);
    const listed = await listProviderCalls(store, clock.now());
    expect(listed.map(({ provider }) => provider)).toEqual(['node a', 'bank', 'prices']);
    expect(listed[1]).toMatchObject({
      hour: { calls: 10, failures: 1 },
      twoDays: { calls: 20, failures: 5 },
    });
    const { rows } = await store.query({ text: 'select from provider_calls' });
    expect(rows).toHaveLength(4);
    const lines: string[] = [];
    await providersCommand(ctx, { argv: [], print: (line) => void lines.push(line) });
    expect(lines.join()).toMatch(/bank +10 +1 \(10\.0 %\) +20 +5 \(25\.0 %\)/);
    clock.advance(47 * 3_600_000);
    const owner = createStore({ url: database.url, poolSize: 1 });
    expect(await pruneCallCounts({ store: owner, clock })).toBe(1);
    clock.advance(2 * 3_600_000);
    expect(await pruneCallCounts({ store: owner, clock })).toBe(3);
    await owner.close();
    await store.close();
  });

  it('of names that are longer than a column are stored, alike ones as one', async () => {
    takeCallCounts();
    const clock = createManualClock();
    const store = createStore({ url: database.url, poolSize: 1 });
    for (const end of ['a', 'b'])
      countCalls({ provider: `node ${'x'.repeat(250)}${end}`, calls: 1, failures: 0 });
    expect(await storeCallCounts({ store, clock })).toBe(1);
    await store.query({ text: 'delete from provider_calls' });
    await store.close();
  });

  it('that the database does not take now are kept for the next time', async () => {
    takeCallCounts();
    const clock = createManualClock();
    const gone = createStore({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1 });
    countCalls({ provider: 'bank of before', calls: 3, failures: 1 });
    await expect(storeCallCounts({ store: gone, clock })).rejects.toThrow();
    await gone.close();
    countCalls({ provider: 'bank of before', calls: 1, failures: 0 });
    expect(takeCallCounts()).toEqual([{ provider: 'bank of before', calls: 4, failures: 1 }]);
  });
});
