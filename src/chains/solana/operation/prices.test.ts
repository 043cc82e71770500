import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Address } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kitClient } from '../../../../devnet/solana/testing/clients.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { readSolanaConfig } from '../../../config/families/read-solana.ts';
import { createSettingReader } from '../../../config/read-setting.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log/log.ts';
import type { ChainFamily, PreparedOperation } from '../../family.ts';
import { createSolanaFamily } from '../index.ts';
import { newAddress, openWorld, type TestWallet, type World } from '../testing/world.ts';
import { readComputeBudget, unitPrice } from './instructions.ts';
import { instructionsOf, messageBytesOfWire, readMessage } from './message.ts';
import { readOperation } from './stored.ts';

/** What a unit of computation is paid for: the price that stands in the message to be signed. */

const ceiling = 123_456n;
const sol = 1_000_000_000n;

let world: World;
let wallet: TestWallet;
let node: Awaited<ReturnType<typeof startNode>>;
let family: ChainFamily;

beforeAll(async () => {
  // Slow enough for a paid transaction in each.
  world = await openWorld({ slotMs: 150 });
  // It makes the nonces that operations are bound to.
  await world.start();
  wallet = await world.aWallet({ lamports: sol });
  node = await startNode(world.chain.url);
  const reader = createSettingReader(
    {
      SOLANA_RPC_URL: node.url,
      SOLANA_PRIORITY_FEE_MAX_MICRO_LAMPORTS: ceiling.toString(),
    },
    'api',
  );
  const solana = readSolanaConfig(reader, { environment: 'development', process: 'api' });
  expect(reader.problems).toEqual([]);
  family = createSolanaFamily({
    config: { ...testConfig(), solana },
    store: world.database.store,
    clock: systemClock,
    log: createLogger({ level: 'silent', process: 'test' }),
  });
});
afterAll(async () => {
  await node?.stop();
  await world?.close();
});

/** The local chain's node, save for what it says of fees once that is set. */
async function startNode(target: string) {
  const node = {
    fees: undefined as readonly bigint[] | undefined,
    /** Of the calls that were answered here, the accounts. */
    asked: [] as string[][],
    url: '',
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const call = JSON.parse(body);
    response.setHeader('content-type', 'application/json');
    if (call.method === 'getRecentPrioritizationFees' && node.fees) {
      node.asked.push(call.params[0]);
      const list = node.fees.map((fee, slot) => `{"slot":${slot},"prioritizationFee":${fee}}`);
      return response.end(`{"jsonrpc":"2.0","id":${call.id},"result":[${list.join()}]}`);
    }
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(target, { method: 'POST', headers, body });
    response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return node;
}

async function prepare(recipientAddress = newAddress()): Promise<PreparedOperation> {
  const { native: token } = world;
  const transfer = { wallet, chain: 'solana', token, amountMinor: 1_000_000n, recipientAddress };
  return family.prepareOperation({
    wallet,
    params: await family.transferParams(transfer),
    signer: wallet.adminSigner,
    now: new Date(),
    transfer,
  });
}

const priceIn = (messageBytes: Uint8Array) =>
  readComputeBudget(instructionsOf(readMessage(messageBytes), {})).price;
/** In the message that its wallet and the fee payer sign. */
const priceOf = ({ operation }: PreparedOperation) =>
  priceIn(readOperation(operation).messageBytes);

/** With a node that says this of its blocks. */
async function priceAfter(fees: readonly bigint[]): Promise<bigint | undefined> {
  node.fees = fees;
  try {
    return priceOf(await prepare());
  } finally {
    node.fees = undefined;
  }
}

describe('the price of a unit of computation', () => {
  it('is what three of four recent blocks took or less, in whatever order the node tells them', async () => {
    expect(await priceAfter([400n, 100n, 300n, 200n])).toBe(400n);
    expect(await priceAfter([5n, 1n, 8n, 2n, 7n, 3n, 6n, 4n])).toBe(7n);
    // Of 150 blocks, as many as a node tells of, the 113th from below; 9 and 10 sort as numbers.
    const blocks = Array.from({ length: 150 }, (_, index) => BigInt((index * 7) % 150));
    expect(await priceAfter(blocks)).toBe(112n);
    expect(await priceAfter([...Array<bigint>(113).fill(0n), ...Array<bigint>(37).fill(9n)])).toBe(
      0n,
    );
    expect(await priceAfter([...Array<bigint>(112).fill(0n), ...Array<bigint>(38).fill(9n)])).toBe(
      9n,
    );
  });

  it('is asked for of the accounts that the operation writes to', async () => {
    node.asked.length = 0;
    const recipient = newAddress();
    node.fees = [1n];
    await prepare(recipient);
    node.fees = undefined;
    expect(node.asked).toEqual([[wallet.address, recipient]]);
  });

  it('is never above SOLANA_PRIORITY_FEE_MAX_MICRO_LAMPORTS, whatever the node says', async () => {
    expect(await priceAfter(Array<bigint>(150).fill(ceiling - 1n))).toBe(ceiling - 1n);
    expect(await priceAfter(Array<bigint>(150).fill(ceiling + 1n))).toBe(ceiling);
    expect(await priceAfter(Array<bigint>(150).fill(2n ** 64n - 1n))).toBe(ceiling);
  });

  it('is 0 where the node tells of no block', async () => {
    expect(await priceAfter([])).toBe(0n);
  });

  it('follows a burst of paid blocks on the chain, and the operation lands with it', async () => {
    const paid = 77_777n;
    const recipient = newAddress();
    const client = kitClient(world.chain);
    const payer = await client.fundedSigner();
    expect(priceOf(await prepare(recipient))).toBe(0n);
    const blocks = () =>
      client.rpc
        .getRecentPrioritizationFees([wallet.address as Address, recipient as Address])
        .send();
    const share = async () => {
      const all = await blocks();
      return all.filter(({ prioritizationFee }) => prioritizationFee === paid).length / all.length;
    };
    let amount = 1_000_000n;
    await world.until(async () => {
      const to = (destination: string) =>
        getTransferSolInstruction({
          source: payer,
          destination: destination as Address,
          amount: amount++,
        });
      await client.send(payer, [unitPrice(paid), to(wallet.address), to(recipient)]);
      return (await share()) > 0.35;
    }, 'more than a quarter of the blocks to be paid for');
    const prepared = await prepare(recipient);
    expect(priceOf(prepared)).toBe(paid);
    expect(prepared.feesEstimate).toMatchObject({ priceMicroLamports: paid.toString() });
    const outcome = await world.outcomeOf(await world.submit(wallet, prepared));
    expect(outcome.status).toBe('success');
    const landed = await world.rpc.request('getTransaction', [
      outcome.onChain!.txId,
      { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
    ]);
    const { transaction } = landed as { transaction: [string] };
    expect(priceIn(messageBytesOfWire(Buffer.from(transaction[0], 'base64')))).toBe(paid);
  });
});
