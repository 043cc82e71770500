import { randomBytes } from 'node:crypto';
import http from 'node:http';
import bs58 from 'bs58';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answerBytesMax } from '../../../lib/net/json-rpc.ts';
import { followerStatus, selectFinalHeight } from '../../family/following/index.ts';
import type { Running } from '../../family.ts';
import { programs } from '../operation/wrapping/programs.ts';
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
) => Record<string, unknown> | 'silence' | 'flood' | 'content-too-large' | undefined;

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
    if (told === 'flood') return void response.end(Buffer.alloc(answerBytesMax + 1, 'a'));
    if (told === 'content-too-large') return void response.writeHead(413).end('too large');
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
  // A block that was read before is what the next ones are held against.
  await bed.until(
    async () => (await selectFinalHeight(bed.store, 'solana')) !== undefined,
    'the first block to be read',
  );
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
  it('that leaves blocks out of its list is found out by the next one', {
    tags: 'slow',
  }, async () => {
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

  it('that lists blocks and does not have them, or not in a form that is known, is asked again', {
    tags: 'slow',
  }, async () => {
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

  it('that hangs up, or says nothing of its slots, is asked again', { tags: 'slow' }, async () => {
    await survives(() => 'silence', /not reachable/);
    await survives(
      ({ method }, answer) => (method === 'getSlot' ? { ...answer, result: 'soon' } : undefined),
      /getSlot/,
    );
  });

  it('that lost what was read shows as behind', { tags: 'slow' }, async () => {
    await survives(
      ({ method }, answer) => (method === 'getSlot' ? { ...answer, result: 3 } : undefined),
      /behind, or of another chain/,
    );
  });
});

interface Told {
  readonly result: {
    readonly transactions: {
      readonly transaction: { readonly message: { readonly accountKeys: string[] } };
      readonly meta: { innerInstructions: unknown[] };
    }[];
  };
}

const isFilled = (answer: unknown) => (answer as Told).result.transactions.length > 0;

/** Money comes with a memo while the node tells blocks like this: it is told as ever. */
async function tellsAll(told: Lie): Promise<void> {
  const wallet = await bed.anAddress();
  bed.own.add(wallet);
  bed.taking.add(wallet);
  const memo = randomBytes(16).toString('hex');
  lie = told;
  const txId = await bed.send([bed.solTransfer(bed.payer, wallet, sol), bed.memo(memo)]);
  expect(await bed.transfersOf(txId)).toEqual([
    expect.objectContaining({
      recipient: wallet,
      sender: bed.payer.address,
      amountMinor: sol,
      memo,
    }),
  ]);
}

describe('strangers', () => {
  it('stop no watcher with a block that is too long to be answered whole', {
    tags: 'slow',
  }, async () => {
    const isWhole = ({ method, params }: Call) =>
      method === 'getBlock' &&
      (params[1] as { readonly transactionDetails: string }).transactionDetails === 'full';
    for (const told of ['flood', 'content-too-large'] as const)
      await tellsAll((call, answer) => (isWhole(call) && isFilled(answer) ? told : undefined));
    const refusal = { code: -32_008, message: 'Response is too big' };
    await tellsAll((call, answer) =>
      isWhole(call) && isFilled(answer)
        ? { jsonrpc: '2.0', id: answer.id, error: refusal }
        : undefined,
    );
  });

  it('stop no watcher with transactions of a version that is not known', async () => {
    const isOld = ({ method, params }: Call) =>
      method === 'getBlock' &&
      (params[1] as { readonly maxSupportedTransactionVersion: number })
        .maxSupportedTransactionVersion < 1;
    const refusal = {
      code: -32_015,
      message: 'Transaction version (1) is not supported by the requesting client.',
    };
    await tellsAll((call, answer) =>
      isOld(call) && isFilled(answer)
        ? { jsonrpc: '2.0', id: answer.id, error: refusal }
        : undefined,
    );
  });

  it('do not keep a watcher busy with what they gave to token programs', async () => {
    const data = bs58.encode(new Uint8Array(10_240).fill(255));
    await tellsAll(({ method }, answer) => {
      const { transactions = [] } = method === 'getBlock' ? (answer as unknown as Told).result : {};
      for (const { transaction, meta } of transactions) {
        const { accountKeys } = transaction.message;
        const programIdIndex = accountKeys.push(programs.token) - 1;
        // A transaction has 64 instructions, with the inner ones.
        const instructions = Array.from({ length: 62 }, () => ({
          programIdIndex,
          accounts: [],
          data,
        }));
        meta.innerInstructions = [{ index: 0, instructions }];
      }
      return answer;
    });
  });
});
