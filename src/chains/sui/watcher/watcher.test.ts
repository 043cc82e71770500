import { randomUUID } from 'node:crypto';
import { GrpcTypes } from '@mysten/sui/grpc';
import { normalizeStructTag } from '@mysten/sui/utils';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { followerStatus, selectFinalHeight } from '../../family/following/index.ts';
import { claimDue, storeSigned } from '../../family/late/queue.ts';
import { addIntents, intents } from '../../family/late/store.ts';
import type { ResolvedToken, Running } from '../../family.ts';
import { suiCoinType, suiNetwork } from '../config/networks.ts';
import { newSuiMemo } from '../deposits/deposits.ts';
import type { Recorded } from '../rpc/checkpoints.ts';
import { type Bed, mist, newSuiAddress, startBed, usd } from '../testing/bed.ts';
import { findTransfers } from './find-transfers.ts';

let bed: Bed;
let watcher: Running;
beforeAll(async () => {
  bed = await startBed();
  await bed.connections.connect('sui');
  watcher = await bed.watch({ leaseMs: 600 });
});
beforeEach(() => bed.node.tellTruth());
afterAll(async () => {
  await watcher?.stop();
  await bed?.close();
});

function aWallet(): string {
  const address = newSuiAddress();
  bed.own.add(address);
  return address;
}

/** Stored as the relay does it before it sends. */
async function storeOperation(txId: string): Promise<string> {
  const [operationId, token] = [randomUUID(), randomUUID()];
  const intent = {
    operationId,
    subject: 'transaction',
    projectId: randomUUID(),
    owner: 'o',
    chain: 'sui',
    walletId: randomUUID(),
  };
  const rest = { operation: {}, costMax: 1n, validUntil: new Date(Date.now() + 60_000) };
  await bed.store.transaction((tx) => addIntents(tx, [{ ...intent, ...rest }]));
  await claimDue(bed.store, intents, {
    chain: 'sui',
    token,
    forMs: 60_000,
    limit: 10,
    identify: () => '',
  });
  await storeSigned(bed.store, intents, {
    token,
    operationId,
    txId,
    raw: new Uint8Array(1),
    lookAfterMs: 0,
  });
  return operationId;
}

describe('the watcher of Sui', () => {
  it('tells of SUI and of coins that come', async () => {
    const wallet = aWallet();
    const paid = await bed.paySui(wallet, 2n * mist);
    const [native] = await bed.transfersOf(paid);
    const payer = bed.payer.toSuiAddress();
    expect(native).toEqual({
      id: `sui:${paid}:${wallet}:${suiCoinType}`,
      chain: 'sui',
      txId: paid,
      height: expect.any(BigInt),
      at: expect.any(Date),
      token: { chain: 'sui', locator: 'sui:sui', symbol: 'sui', decimals: 9 },
      amountMinor: 2n * mist,
      sender: payer,
      recipient: wallet,
      succeeded: true,
    });
    const [dollars] = await bed.transfersOf(await bed.payUsd(wallet, 7n));
    expect(dollars).toMatchObject({
      token: { locator: 'sui:usdxm', symbol: 'usdxm', name: 'Test USD', decimals: 6, address: usd },
      amountMinor: 7n,
      sender: payer,
    });
    // It was told in a transaction that may not have ended.
    await expect
      .poll(() => selectFinalHeight(bed.store, 'sui'))
      .toBeGreaterThanOrEqual(dollars!.height);
    await expect.poll(() => bed.told.final).toBeGreaterThanOrEqual(dollars!.height);
  });

  it('tells of coins that nobody listed, and of coins that say nothing of themselves', async () => {
    const [wallet, payer] = [aWallet(), bed.payer.toSuiAddress()];
    const [cats, silent] = [
      normalizeStructTag('0xabc::cat::CAT'),
      normalizeStructTag('0xabc::silent::SILENT'),
    ];
    bed.chain.addCurrency({ type: cats, decimals: 2, symbol: 'usdxm', name: 'Not that one' });
    const txId = await bed.send((tx) => {
      tx.transferObjects(
        [tx.object(bed.give(payer, cats, 5n)), tx.object(bed.give(payer, silent, 6n))],
        wallet,
      );
    });
    const transfers = await bed.transfersOf(txId, 2);
    expect(new Map(transfers.map(({ token, amountMinor }) => [amountMinor, token]))).toEqual(
      new Map([
        [
          5n,
          {
            chain: 'sui',
            locator: `sui:${cats}`,
            address: cats,
            decimals: 2,
            name: 'Not that one',
          },
        ],
        [6n, { chain: 'sui', locator: `sui:${silent}`, address: silent, decimals: 0 }],
      ]),
    );
  });

  it('is not stopped by what strangers call their coins, or by how long the names of their types are', async () => {
    const [wallet, payer] = [aWallet(), bed.payer.toSuiAddress()];
    const [odd, liar] = [
      normalizeStructTag('0xabc::odd::ODD'),
      normalizeStructTag('0xabc::liar::LIAR'),
    ];
    bed.chain.addCurrency({ type: odd, decimals: 2, symbol: 'o\0D\u200bd', name: '\0' });
    bed.chain.addCurrency({ type: liar, decimals: 2, symbol: 'usdxm\0', name: 'Dollar\n' });
    const part = (nr: number) => `0xabc::${'m'.repeat(120)}${nr}::${'N'.repeat(120)}`;
    const long = normalizeStructTag(`0x7::lp::LP<${[1, 2, 3, 4].map(part).join(',')}>`);
    const txId = await bed.send((tx) => {
      const coins = [
        bed.give(payer, long, 5n),
        bed.give(payer, odd, 6n),
        bed.give(payer, liar, 7n),
      ];
      tx.transferObjects(
        coins.map((id) => tx.object(id)),
        wallet,
      );
    });
    const transfers = await bed.transfersOf(txId, 2);
    const told = transfers.map(({ amountMinor, token: { symbol, name } }) => ({
      amountMinor,
      symbol,
      name,
    }));
    expect(told.toSorted((one, other) => Number(one.amountMinor - other.amountMinor))).toEqual([
      { amountMinor: 6n, symbol: 'oDd', name: undefined },
      { amountMinor: 7n, symbol: undefined, name: 'Dollar' },
    ]);
  });

  it('asks for each type of coins once, and for many at a time, however many a stranger moves', async () => {
    const wallet = newSuiAddress();
    const types = Array.from({ length: 40 }, (_, nr) => normalizeStructTag(`0xabc::many::T${nr}`));
    const transaction = (digest: string): Recorded => ({
      digest,
      sender: newSuiAddress(),
      gasOwner: newSuiAddress(),
      payment: [],
      program: { inputs: [], commands: [] },
      succeeded: true,
      gas: { computation: 0n, storage: 0n, rebate: 0n },
      changes: types.map((coinType) => ({ address: wallet, coinType, amount: 1n })),
    });
    const asked: string[] = [];
    let [now, most] = [0, 0];
    const resolve = async (chain: string, query: object): Promise<ResolvedToken> => {
      const { address } = query as { readonly address: string };
      asked.push(address);
      most = Math.max(most, ++now);
      await new Promise((resolved) => setImmediate(resolved));
      now -= 1;
      return { chain, locator: `${chain}:${address}`, address, decimals: 0 };
    };
    const isOwn = async (addresses: readonly string[]) =>
      new Set(addresses.filter((one) => one === wallet));
    const input = {
      tokens: { resolve },
      ownAddresses: isOwn,
      depositAddresses: isOwn,
      operationIds: async () => new Map<string, string>(),
    };
    const checkpoint = { sequence: 1n, at: new Date(), transactions: ['a', 'b'].map(transaction) };
    const { transfers } = await findTransfers({ ...input, network: suiNetwork('development') }, [
      checkpoint,
    ]);
    expect(transfers).toHaveLength(80);
    expect(asked.toSorted()).toEqual(types.toSorted());
    expect(most).toBe(16);
  });

  it('reads memos for those that take deposits, and for nobody else', async () => {
    const [treasury, memo] = [aWallet(), newSuiMemo()];
    bed.taking.add(treasury);
    const pay = (text: string) => bed.payUsd(treasury, 1n, (tx) => bed.memo(tx, text));
    expect((await bed.transfersOf(await pay(memo)))[0]!.memo).toBe(memo);
    expect((await bed.transfersOf(await pay('thanks')))[0]).not.toHaveProperty('memo');
    bed.taking.delete(treasury);
    expect((await bed.transfersOf(await pay(newSuiMemo())))[0]).not.toHaveProperty('memo');
  });

  it('tells of operations of this service that ran, failed ones too, and ties transfers to them', async () => {
    await watcher.stop();
    const wallet = aWallet();
    const done = await bed.paySui(wallet, mist);
    const failed = await bed.send((tx) => void tx.splitCoins(tx.gas, [10n ** 18n]));
    const ids = [await storeOperation(done), await storeOperation(failed)];
    watcher = await bed.watch({ leaseMs: 600 });
    expect((await bed.transfersOf(done))[0]).toMatchObject({
      operationId: ids[0],
      amountMinor: mist,
    });
    await bed.until(
      () => bed.told.operations.some(({ txId }) => txId === failed),
      'the failed operation',
    );
    expect(
      bed.told.operations.map(({ operationId, txId, succeeded }) => ({
        operationId,
        txId,
        succeeded,
      })),
    ).toEqual([
      { operationId: ids[0], txId: done, succeeded: true },
      { operationId: ids[1], txId: failed, succeeded: false },
    ]);
    expect(bed.told.transfers.filter(({ txId }) => txId === failed)).toEqual([]);
  });

  it('goes on where it was after a restart, over many checkpoints, and tells nothing twice', async () => {
    const wallet = aWallet();
    const paid = [await bed.paySui(wallet, mist)];
    await bed.transfersOf(paid[0]!);
    await watcher.stop();
    for (let index = 0; index < 12; index++) paid.push(await bed.paySui(wallet, mist));
    await bed.chain.advanceTime(3_600);
    const other = await bed.watch({ leaseMs: 600 });
    watcher = await bed.watch({ leaseMs: 600 });
    await bed.transfersOf(paid.at(-1)!);
    expect(
      bed.told.transfers.filter(({ recipient }) => recipient === wallet).map(({ txId }) => txId),
    ).toEqual(paid);
    await other.stop();
    await bed.until(
      async () => (await followerStatus(bed.store, 'sui'))[0]!.followed,
      'the other worker to follow',
    );
    const last = await bed.paySui(wallet, mist);
    await bed.transfersOf(last);
    expect((await followerStatus(bed.store, 'sui'))[0]).toMatchObject({
      chain: 'sui',
      stalled: false,
    });
  });
});

describe('a node of Sui', () => {
  const failure = async () => (await followerStatus(bed.store, 'sui'))[0]?.failure;

  /** While the node lies, money comes; it is told, once, when the node is honest again. */
  async function survives(lie: () => void, words: RegExp): Promise<void> {
    const wallet = aWallet();
    lie();
    const txId = await bed.paySui(wallet, mist);
    await bed.until(async () => words.test((await failure()) ?? ''), `a failure like ${words}`);
    expect(bed.told.transfers.filter((transfer) => transfer.txId === txId)).toEqual([]);
    bed.node.tellTruth();
    await bed.transfersOf(txId);
    await bed.until(async () => (await failure()) === undefined, 'the failure to be over');
    expect(bed.told.transfers.filter(({ recipient }) => recipient === wallet)).toHaveLength(1);
  }
  const lieOfCheckpoints = (change: ((checkpoint: GrpcTypes.Checkpoint) => void) | undefined) =>
    bed.node.lie(
      'LedgerService/GetCheckpoint',
      GrpcTypes.GetCheckpointResponse,
      change && (({ checkpoint }) => change(checkpoint!)),
    );

  it('that tells of another history is not believed', async () => {
    await survives(
      () =>
        lieOfCheckpoints((checkpoint) => {
          checkpoint.summary!.previousDigest = 'another';
        }),
      /follows another, and what was read before it is/,
    );
  });

  it('that changes what a transaction did, or names another checkpoint, is not believed', async () => {
    const change = (checkpoint: GrpcTypes.Checkpoint) => {
      for (const { transaction } of checkpoint.transactions)
        transaction!.bcs!.value = new Uint8Array(100);
    };
    await survives(() => lieOfCheckpoints(change), /answered with bytes of another transaction/);
    const rename = (checkpoint: GrpcTypes.Checkpoint) => {
      checkpoint.sequenceNumber = 3n;
    };
    await survives(() => lieOfCheckpoints(rename), /answered with another checkpoint/);
  });

  it('that hangs up, or forgot what was not read yet, is asked again', async () => {
    await survives(() => lieOfCheckpoints(undefined), /not reachable/);
    await watcher.stop();
    const wallet = aWallet();
    const missed = await bed.paySui(wallet, mist);
    // Far ahead, where it has no checkpoints.
    const ahead = (info: GrpcTypes.GetServiceInfoResponse) => {
      info.checkpointHeight = info.checkpointHeight! + 1_000n;
    };
    bed.node.lie('LedgerService/GetServiceInfo', GrpcTypes.GetServiceInfoResponse, ahead);
    watcher = await bed.watch({ leaseMs: 600 });
    await bed.until(
      async () => /name one in SUI_RPC_URL/.test((await failure()) ?? ''),
      'checkpoints that are not there',
    );
    bed.node.tellTruth();
    await bed.transfersOf(missed);
  });

  it('that lost what was read shows as behind', async () => {
    const behind = (info: GrpcTypes.GetServiceInfoResponse) => {
      info.checkpointHeight = 1n;
    };
    await survives(
      () => bed.node.lie('LedgerService/GetServiceInfo', GrpcTypes.GetServiceInfoResponse, behind),
      /behind, or of another chain/,
    );
  });
});
