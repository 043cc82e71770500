import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAssetName } from '../../../../devnet/aptos/ledger/assets.ts';
import { type AptosChain, startAptosChain } from '../../../../devnet/aptos/local.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { aptosNetwork } from '../config/networks.ts';
import { addressOfEd25519, longAddress } from '../encoding/addresses.ts';
import { senderMessage, transactionHash } from '../encoding/hashes.ts';
import {
  decodeRaw,
  type EntryFunction,
  encodeOrderless,
  signedTransaction,
} from '../encoding/transactions.ts';
import { transferCall } from '../operation/calls.ts';
import { movementsOf } from '../operation/movements.ts';
import { type AptosNode, connectNode } from '../rpc/node.ts';
import { aptCoin, readAsset } from '../tokens/assets.ts';
import { createAptosTokens } from '../tokens/tokens.ts';
import { type FoundTransfers, findTransfers, flowsOf } from './find-transfers.ts';
import { createAptosHistory } from './history.ts';
import {
  BrokenHistoryError,
  type LastVersion,
  readPlace,
  readVersions,
  versionsMax,
} from './read-versions.ts';

const usd = `0x${'5d'.repeat(32)}`;
const network = aptosNetwork('development', { testTokenAddress: usd });
const newAddress = () => `0x${randomBytes(32).toString('hex')}`;

let chain: AptosChain;
let node: AptosNode;
const connectTo = (url: string) =>
  connectNode({ network, url, setting: 'APTOS_RPC_URL', timeoutMs: 5_000 });
const tokens = createAptosTokens(network, async () => node);

beforeAll(async () => {
  chain = await startAptosChain({ historyMax: 120 });
  chain.addAsset(usd, { name: 'Test USD', symbol: 'USDXM', decimals: 6, minter: minter.address });
  node = await connectTo(chain.url);
});
afterAll(() => chain.stop());

function anAccount() {
  const seed = new Uint8Array(randomBytes(32));
  return { seed, address: addressOfEd25519(ed25519.getPublicKey(seed)) };
}
const minter = anAccount();

function aRichAccount() {
  const account = anAccount();
  chain.give(readAssetName('0xa'), account.address, 100_000_000n);
  chain.give(usd, account.address, 1_000n);
  return account;
}

/** Sends a call that its sender pays for, and answers its hash. */
async function send(
  { seed, address }: ReturnType<typeof anAccount>,
  call: EntryFunction,
): Promise<string> {
  const raw = encodeOrderless({
    sender: address,
    call,
    nonce: randomBytes(8).readBigUInt64LE(),
    maxGasAmount: 10_000n,
    gasUnitPrice: 100n,
    expirationSeconds: BigInt((await chain.time()) + 30),
    chainId: network.networkId,
  });
  const authenticator = {
    ed25519: {
      publicKey: ed25519.getPublicKey(seed),
      signature: ed25519.sign(senderMessage(raw), seed),
    },
  };
  const signed = signedTransaction.serialize({ raw: decodeRaw(raw), authenticator }).toBytes();
  const headers = { 'content-type': 'application/x.aptos.signed_transaction+bcs' };
  const response = await fetch(`${chain.url}/v1/transactions`, {
    method: 'POST',
    headers,
    body: Buffer.from(signed),
  });
  expect(response.status).toBe(202);
  return transactionHash(signed);
}

const pay = (
  from: ReturnType<typeof anAccount>,
  recipient: string,
  amountMinor: bigint,
  asset = readAsset(usd),
) => send(from, transferCall({ asset, recipient, amountMinor }));

async function readAll(
  from: LastVersion,
  own: readonly string[],
  ids: ReadonlyMap<string, string> = new Map(),
  limit = 7,
) {
  const found: FoundTransfers[] = [];
  let last = from;
  for (;;) {
    const read = await readVersions(node, last, limit);
    const ownAddresses = async (asked: readonly string[]) =>
      new Set(own.filter((address) => asked.includes(address)));
    found.push(
      await findTransfers(
        { network, tokens, ownAddresses, operationIds: async () => ids },
        read.transactions,
      ),
    );
    if (read.last.version === last.version) break;
    last = read.last;
  }
  return {
    last,
    transfers: found.flatMap(({ transfers }) => transfers),
    operations: found.flatMap(({ operations }) => operations),
  };
}

describe('what the chain of Aptos tells of our wallets', () => {
  it('is each transfer once, with who, what, when and which operation; others are passed over', async () => {
    const [ours, stranger] = [aRichAccount(), aRichAccount()];
    const start = await readPlace(node);
    const other = newAddress();
    const first = await pay(ours, other, 20n);
    await pay(stranger, newAddress(), 5n);
    const second = await pay(stranger, ours.address, 7n, aptCoin);
    const ids = new Map([[first, 'operation 1']]);
    const { transfers, operations, last } = await readAll(start, [ours.address], ids);
    expect(transfers).toEqual([
      {
        id: `aptos:${first}:0`,
        chain: 'aptos',
        token: expect.objectContaining({ symbol: 'usdxm', locator: 'aptos:usdxm' }),
        amountMinor: 20n,
        sender: ours.address,
        recipient: other,
        txId: first,
        height: expect.any(BigInt),
        at: expect.any(Date),
        succeeded: true,
        operationId: 'operation 1',
      },
      expect.objectContaining({
        id: `aptos:${second}:0`,
        token: expect.objectContaining({ symbol: 'apt' }),
        amountMinor: 7n,
        recipient: ours.address,
      }),
    ]);
    expect(operations).toEqual([
      expect.objectContaining({ operationId: 'operation 1', txId: first, succeeded: true }),
    ]);
    // Read again from the same place, as after a restart: the same ids; from its end: nothing.
    expect((await readAll(start, [ours.address], ids, 3)).transfers).toEqual(transfers);
    expect((await readAll(last, [ours.address], ids)).transfers).toEqual([]);
  });

  it('is no transfer where the call failed, but the end of its operation', async () => {
    const ours = aRichAccount();
    const start = await readPlace(node);
    const failed = await pay(ours, newAddress(), 10_000n);
    const { transfers, operations } = await readAll(
      start,
      [ours.address],
      new Map([[failed, 'operation 2']]),
    );
    expect([transfers, operations]).toEqual([
      [],
      [expect.objectContaining({ operationId: 'operation 2', succeeded: false })],
    ]);
  });

  it('has what is made of nothing as coming from nobody', async () => {
    const ours = anAccount();
    chain.give(readAssetName('0xa'), minter.address, 100_000_000n);
    const start = await readPlace(node);
    const { args } = transferCall({
      asset: readAsset(usd),
      recipient: ours.address,
      amountMinor: 3n,
    });
    await send(minter, {
      address: longAddress('0x10ca1'),
      module: 'test_token',
      function: 'mint',
      typeArgs: [],
      args,
    });
    const { transfers } = await readAll(start, [ours.address]);
    expect(transfers).toEqual([
      expect.objectContaining({
        sender: longAddress('0x0'),
        recipient: ours.address,
        amountMinor: 3n,
      }),
    ]);
  });

  it('is paired where several give and take in one transaction, to the last unit', () => {
    const asset = readAsset(usd);
    const [a, b, c, d] = [1, 2, 3, 4].map((digit) => longAddress(`0x${digit}f`)) as [
      string,
      string,
      string,
      string,
    ];
    const of = (owner: string, deltaMinor: bigint) => ({ owner, asset, deltaMinor });
    const flows = flowsOf([of(a, -10n), of(b, -5n), of(c, 12n), of(d, 2n)]);
    expect(
      flows.map(({ sender, recipient, amountMinor }) => [sender, recipient, amountMinor]),
    ).toEqual([
      [a, c, 10n],
      [b, c, 2n],
      [b, d, 2n],
      [b, longAddress('0x0'), 1n],
    ]);
    expect(flowsOf([])).toEqual([]);
  });
});

describe('what strangers write into the history of Aptos', () => {
  it('does not stop the reading: coins of types that nobody can name are passed over', () => {
    const owner = newAddress();
    const deposit = (type: string) => ({
      type: '0x1::coin::CoinDeposit',
      data: { amount: '1', account: owner, coin_type: type },
    });
    const types = [
      `0x1::m::${'N'.repeat(540)}`,
      `${'0x1::m::N<'.repeat(9)}u8${'>'.repeat(9)}`,
      '0x1::m::N<i64>',
      'u64',
      'no type at all',
      '0x1::m::Coin',
    ];
    const rest = {
      hash: newAddress(),
      success: true,
      vm_status: '',
      gas_used: 1n,
      gas_unit_price: 1n,
      changes: [],
    };
    expect(movementsOf({ ...rest, events: types.map(deposit) })).toEqual([
      { owner, asset: { kind: 'coin', type: '0x1::m::Coin' }, deltaMinor: 1n },
    ]);
  });

  it('is read in smaller parts when an answer would be too long', async () => {
    const [ours, start] = [aRichAccount(), await readPlace(node)];
    const sent: string[] = [];
    for (const amount of [1n, 2n, 3n, 4n, 5n]) sent.push(await pay(ours, newAddress(), amount));
    const tooLong = new ServiceError('upstream-error');
    const limitOf = (path: string) => Number(/limit=(\d+)/.exec(path)?.[1] ?? 0);
    const picky: AptosNode = {
      ...node,
      get: (path, schema) => (limitOf(path) > 4 ? Promise.reject(tooLong) : node.get(path, schema)),
    };
    const ownAddresses = async () => new Set([ours.address]);
    const operationIds = async () => new Map<string, string>();
    const { readOn } = createAptosHistory({
      chain: 'aptos',
      connect: async () => picky,
      tokens,
      operationIds,
      versionsMax: 99,
    });
    let last = { height: start.version, hash: start.hash };
    const found: string[] = [];
    for (let step = 0; step < 30 && found.length < sent.length; step++) {
      const head = (await readPlace(node)).version;
      const read = await readOn(
        { next: last.height + 1n, head, last },
        { ownAddresses, depositAddresses: ownAddresses },
      ).catch(() => undefined);
      if (!read) continue;
      last = read.last;
      found.push(...read.transfers.map(({ txId }) => txId));
    }
    expect(found).toEqual(sent);
  });
});

describe('a history of Aptos that cannot be believed', () => {
  /** The same node, with something changed in its lists. */
  function lying(change: (list: Record<string, unknown>[]) => unknown): AptosNode {
    return {
      ...node,
      async get(path, schema) {
        if (!path.startsWith('/transactions?')) return node.get(path, schema);
        const body = (await (await fetch(`${chain.url}/v1${path}`)).json()) as Record<
          string,
          unknown
        >[];
        return {
          value: schema.parse(change(body)),
          ledger: { chainId: 4, version: 0n, timestampUs: 0n },
        };
      },
    };
  }

  it('stops the reading: another history, a hole, a version twice, something of another form', async () => {
    const start = await readPlace(node);
    for (const amount of [1n, 2n, 3n]) await pay(aRichAccount(), newAddress(), amount);
    await expect(
      readVersions(
        lying((list) => list),
        start,
        50,
      ),
    ).resolves.toMatchObject({ transactions: { length: 3 } });
    for (const [what, change] of [
      [
        'another hash',
        (list: Record<string, unknown>[]) => [
          { ...list[0], hash: `0x${'11'.repeat(32)}` },
          ...list.slice(1),
        ],
      ],
      ['nothing', () => []],
      ['a hole', (list: Record<string, unknown>[]) => list.filter((_one, index) => index !== 2)],
      ['twice', (list: Record<string, unknown>[]) => [list[0], list[1], list[1], ...list.slice(2)]],
      [
        'another form',
        (list: Record<string, unknown>[]) => [...list.slice(0, -1), { ...list.at(-1), events: 5 }],
      ],
    ] as const)
      await expect(readVersions(lying(change), start, 50), what).rejects.toThrow(
        BrokenHistoryError,
      );
  });

  it('is told as such when the node keeps no more of it, or is behind', {
    tags: 'slow',
  }, async () => {
    const other = await startAptosChain({ historyMax: 1 });
    const pruned = await connectTo(other.url);
    await expect(
      readVersions(pruned, { version: 500n, hash: `0x${'11'.repeat(32)}` }, 10),
    ).rejects.toThrow(/newest is 0/);
    await other.stop();
    const start = await readPlace(node);
    for (let index = 0; index < versionsMax + 30; index++) await pay(rich, newAddress(), 1n);
    await expect(readVersions(node, start, 10)).rejects.toThrow(/no more history/);
  });
  let rich: ReturnType<typeof anAccount>;
  beforeAll(() => {
    rich = aRichAccount();
  });
});
