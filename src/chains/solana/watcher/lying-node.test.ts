import http from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { followerStatus } from '../../family/following/index.ts';
import type { Running } from '../../family.ts';
import { createSolanaRpc } from '../rpc/rpc.ts';
import { type Bed, sol, startBed } from '../testing/bed.ts';

interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}
/** What is put in place of the node's answer to a call; undefined: nothing. */
type Lie = (
  call: Call,
  answer: Record<string, unknown>,
) => Record<string, unknown> | 'silence' | undefined;

let bed: Bed;
let watcher: Running;
let proxy: http.Server;
let lie: Lie;
beforeAll(async () => {
  bed = await startBed();
  await bed.connections.connect('solana');
  proxy = http.createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const call = JSON.parse(Buffer.concat(parts).toString()) as Call;
    const honest = await fetch(bed.chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    });
    const answer = (await honest.json()) as Record<string, unknown>;
    const told = lie(call, answer);
    if (told === 'silence') return void response.destroy();
    response.end(JSON.stringify(told ?? answer));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const rpc = createSolanaRpc({
    url: `http://127.0.0.1:${(proxy.address() as { port: number }).port}`,
    timeoutMs: 2_000,
  });
  const { network } = bed.connections;
  lie = () => undefined;
  watcher = await bed.watch({ connect: async () => ({ network, rpc }), leaseMs: 600 });
});
beforeEach(() => {
  lie = () => undefined;
});
afterAll(async () => {
  await watcher?.stop();
  proxy.closeAllConnections();
  proxy.close();
  await bed?.close();
});

const failure = async () => (await followerStatus(bed.store, 'solana'))[0]?.failure;
const untilFailing = (words: RegExp) =>
  bed.until(async () => words.test((await failure()) ?? ''), `a failure like ${words}`);

/** While the node lies, money comes; it is told, once, when the node is honest again. */
async function survives(told: Lie, words: RegExp): Promise<void> {
  const wallet = await bed.anAddress();
  bed.own.add(wallet);
  lie = told;
  const txId = await bed.send([bed.solTransfer(bed.payer, wallet, sol)]);
  await untilFailing(words);
  expect(bed.told.transfers.filter((transfer) => transfer.txId === txId)).toEqual([]);
  lie = () => undefined;
  await bed.transfersOf(txId);
  const after = await bed.send([bed.solTransfer(bed.payer, wallet, 2n * sol)]);
  await bed.transfersOf(after);
  expect(
    bed.told.transfers
      .filter(({ recipient }) => recipient === wallet)
      .map((transfer) => transfer.txId),
  ).toEqual([txId, after]);
  await bed.until(async () => (await failure()) === undefined, 'the failure to be over');
}

describe('a node of Solana', () => {
  it('that leaves blocks out of its list is found out by the next one', async () => {
    await survives(({ method }, answer) => {
      const slots = answer.result;
      if (method !== 'getBlocksWithLimit' || !Array.isArray(slots) || slots.length === 0)
        return undefined;
      return { ...answer, result: slots.length > 1 ? slots.slice(1) : [] };
    }, /follows block/);
  });

  it('that tells of another history is not believed', async () => {
    await survives(
      ({ method }, answer) =>
        method === 'getBlock'
          ? {
              ...answer,
              result: { ...(answer.result as object), previousBlockhash: '1'.repeat(40) },
            }
          : undefined,
      /and the one that was read before it is/,
    );
  });

  it('that lists blocks and does not have them, or not in a form that is known, is asked again', async () => {
    const absent = (code: number) => (call: Call, answer: Record<string, unknown>) =>
      call.method === 'getBlock'
        ? { jsonrpc: '2.0', id: answer.id, error: { code, message: 'no' } }
        : undefined;
    await survives(absent(-32_007), /does not have it \(skipped\)/);
    await survives(absent(-32_001), /SOLANA_RPC_URL/);
    await survives(
      ({ method }, answer) =>
        method === 'getBlock' ? { ...answer, result: { transactions: 7 } } : undefined,
      /form that is not known/,
    );
  });

  it('that hangs up, or says nothing of its slots, is asked again', async () => {
    await survives(() => 'silence', /not reachable/);
    await survives(
      ({ method }, answer) => (method === 'getSlot' ? { ...answer, result: 'soon' } : undefined),
      /getSlot/,
    );
  });

  it('that lost what was read shows as behind', async () => {
    await survives(
      ({ method }, answer) => (method === 'getSlot' ? { ...answer, result: 3 } : undefined),
      /behind, or of another chain/,
    );
  });
});
