import { GrpcTypes } from '@mysten/sui/grpc';
import bs58 from 'bs58';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { selectFinalHeight } from '../../family/following/index.ts';
import type { RecordedDeposit, ResolvedToken, Running, SeenTransfer } from '../../family.ts';
import { type Bed, newSuiAddress, startBed } from '../testing/bed.ts';
import { readFinalSuiBalances } from '../tokens/final-balances.ts';
import { newSuiMemo } from './deposits.ts';
import { proveSuiDeposits } from './prove-deposits.ts';
import { readSuiDeposits } from './read-deposits.ts';

let bed: Bed;
let watcher: Running;
let token: ResolvedToken;
const treasury = newSuiAddress();
const noTransaction = bs58.encode(new Uint8Array(32).fill(7));
beforeAll(async () => {
  bed = await startBed();
  await bed.connections.connect('sui');
  watcher = await bed.watch();
  token = await bed.tokens.resolve('sui', { symbol: 'usdxm' });
  bed.own.add(treasury);
  bed.taking.add(treasury);
});
beforeEach(() => bed.node.tellTruth());
afterAll(async () => {
  await watcher?.stop();
  await bed?.close();
});

const deps = () => ({ tokens: bed.tokens, operationIds: async () => new Map<string, string>() });
const pay = async (amount: bigint) =>
  (
    await bed.transfersOf(await bed.payUsd(treasury, amount, (tx) => bed.memo(tx, newSuiMemo())))
  )[0]!;
const look = async (txId: string, recipientAddress = treasury) =>
  readSuiDeposits(deps(), await bed.connections.connect('sui'), { txId, recipientAddress });

describe('a deposit on Sui', () => {
  it('is read as it is recorded, by the id that somebody posts', async () => {
    const seen = await pay(6n);
    expect(seen.memo).toBeDefined();
    expect(await look(seen.txId)).toEqual({ status: 'included', transfers: [seen] });
    expect(await look(seen.txId, newSuiAddress())).toEqual({ status: 'included', transfers: [] });
    for (const txId of ['0x12', '', noTransaction])
      expect(await look(txId)).toEqual({ status: 'unknown', transfers: [] });
    const failed = await bed.send((tx) => void tx.splitCoins(tx.gas, [10n ** 18n]));
    expect(await look(failed)).toEqual({ status: 'failed', transfers: [] });
  });
});

function recorded({
  id: seenId,
  token: of,
  amountMinor,
  sender,
  recipient,
  txId,
  height,
  memo,
}: SeenTransfer): RecordedDeposit {
  return {
    seenId,
    token: of,
    amountMinor,
    sender,
    recipient,
    txId,
    height,
    ...(memo !== undefined && { memo }),
  };
}

describe('the proof of a deposit on Sui', () => {
  function proverOf(settings: {
    readonly secondRpcUrl?: string;
    readonly depositAloneMaxUsd?: string;
  }) {
    const config = { ...bed.config, sui: { ...bed.config.sui, ...settings } };
    const connections = bed.connect(settings);
    return (deposits: readonly RecordedDeposit[], worthUsd?: string) =>
      proveSuiDeposits({ ...deps(), config, connections }, { chain: 'sui', deposits, worthUsd });
  }

  it('is what a second node has too, with a balance that carries it', async () => {
    const deposit = recorded(await pay(11n));
    const prove = proverOf({ secondRpcUrl: bed.chain.url });
    expect(await prove([deposit])).toBeUndefined();
    expect(await prove([{ ...deposit, amountMinor: 12n }])).toContain(
      'the second node does not have 12 of sui:usdxm',
    );
    expect(await prove([{ ...deposit, txId: noTransaction }])).toContain('are not proven');
    await expect(
      prove([{ ...deposit, height: deposit.height + 1_000_000n }]),
    ).rejects.toMatchObject({ code: 'provider-unavailable' });
    expect(await prove(Array.from({ length: 50 }, () => deposit))).toContain(
      'less than the 550 that came',
    );
  });

  it('is bounded by worth where one node alone tells of it', async () => {
    const deposit = recorded(await pay(3n));
    const prove = proverOf({ depositAloneMaxUsd: '1000' });
    expect(await prove([deposit], '999.99')).toBeUndefined();
    expect(await prove([deposit], '1000.01')).toContain('(SUI_RPC_SECOND_URL)');
    expect(await prove([deposit])).toContain('an unknown number of US dollars');
    expect(await proverOf({})([{ ...deposit, amountMinor: 10n ** 9n }], undefined)).toBeUndefined();
  });
});

describe('what an address holds finally on Sui', () => {
  const read = async (finalHeight: () => Promise<bigint | undefined>) => {
    const connection = await bed.connections.connect('sui');
    return readFinalSuiBalances(connection, { address: treasury, tokens: [token], finalHeight });
  };

  it('is of a checkpoint that the watcher told, and unknown before it told any', async () => {
    const paid = await pay(5n);
    const final = (await read(() => selectFinalHeight(bed.store, 'sui')))!;
    expect(final.height).toBeGreaterThanOrEqual(paid.height);
    const came = bed.told.transfers
      .filter(({ recipient }) => recipient === treasury)
      .reduce((sum, one) => sum + one.amountMinor, 0n);
    expect(final.balances).toEqual([{ token, amountMinor: came }]);
    expect(await read(async () => undefined)).toBeUndefined();
  });

  it('is not told while it changes from one look to the next', async () => {
    let amount = 1n;
    bed.node.lie('StateService/GetBalance', GrpcTypes.GetBalanceResponse, ({ balance }) => {
      balance!.balance = amount++;
    });
    await expect(read(async () => 0n)).rejects.toMatchObject({ code: 'provider-unavailable' });
  });
});
