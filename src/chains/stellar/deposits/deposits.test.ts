import {
  Asset,
  authorizeEntry,
  Keypair,
  Operation,
  StrKey,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compileContract } from '../../../../devnet/stellar/testing/compile.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import type { StellarConfig } from '../../../config/config.ts';
import type {
  DepositIntent,
  RecordedDeposit,
  ResolvedToken,
  Running,
  SeenTransfer,
} from '../../family.ts';
import { readLatestLedger } from '../rpc/calls.ts';
import { createConnections, type StellarConnection } from '../rpc/connections.ts';
import { type Bed, startBed } from '../testing/bed.ts';
import { compileOwnToken } from '../testing/own-token.ts';
import { newStellarMemo, stellarDepositInstructions } from './deposits.ts';
import { stellarPayerState } from './payer-state.ts';
import { proveStellarDeposits } from './prove-deposits.ts';
import { readStellarDeposits } from './read-deposits.ts';

const native: ResolvedToken = {
  chain: 'stellar',
  locator: 'stellar:xlm',
  symbol: 'xlm',
  decimals: 7,
};
/** A treasury that is a contract. */
const vault = StrKey.encodeContract(Buffer.alloc(32, 5));
let bed: Bed;
let watcher: Running;
let connection: StellarConnection;
let token: ResolvedToken;
let payer: Keypair;
let treasury: string;

beforeAll(async () => {
  bed = await startBed();
  connection = await bed.connections.connect('stellar');
  token = await bed.tokens.resolve('stellar', { symbol: 'usdxm' });
  payer = await bed.newHolder('1000');
  treasury = (await bed.newHolder()).publicKey();
  for (const address of [treasury, vault]) {
    bed.own.add(address);
    bed.taking.add(address);
  }
  watcher = await bed.watch();
});
beforeEach(() => bed.node.tellTruth());
afterAll(async () => {
  await watcher?.stop();
  await bed?.close();
});

const anIntent = (overrides: Partial<DepositIntent> = {}): DepositIntent => ({
  chain: 'stellar',
  token,
  amountMinor: 5n,
  payerAddress: payer.publicKey(),
  recipientAddress: treasury,
  memo: newStellarMemo(),
  ...overrides,
});
const operationIds = async () => new Map<string, string>();
const readDeps = () => ({ tokens: bed.tokens, operationIds });
const look = (txId: string, recipientAddress = treasury) =>
  readStellarDeposits(readDeps(), connection, { txId, recipientAddress });
const instruct = (intent: DepositIntent) => stellarDepositInstructions(bed, intent);

/** As a payer does it: signs the transaction as it is, and sends it. @returns its hash */
async function pay(
  intent: DepositIntent,
): Promise<{ readonly txId: string; readonly carriesMemo: boolean }> {
  const { serializedTransaction, carriesMemo } = await instruct(intent);
  const transaction = TransactionBuilder.fromXdr(
    serializedTransaction,
    bed.network.passphrase,
  ) as Transaction;
  transaction.sign(payer);
  return { txId: await bed.client.submit(transaction), carriesMemo };
}

describe('a deposit on Stellar', () => {
  it('between accounts is a payment that is only signed, with its memo; lumens make an account', async () => {
    for (const one of [anIntent(), anIntent({ token: native, amountMinor: 20_000_000n })]) {
      const { txId, carriesMemo } = await pay(one);
      const { amountMinor, memo } = one;
      expect(carriesMemo).toBe(true);
      expect(await bed.transfersOf(txId)).toMatchObject([
        { token: one.token, amountMinor, memo, sender: payer.publicKey(), recipient: treasury },
      ]);
    }
    const recipientAddress = Keypair.random().publicKey();
    bed.own.add(recipientAddress);
    const { txId } = await pay(
      anIntent({ recipientAddress, token: native, amountMinor: 10_000_000n }),
    );
    expect(await bed.transfersOf(txId)).toMatchObject([
      { amountMinor: 10_000_000n, recipient: recipientAddress },
    ]);
  });

  it('to a contract is a call, which the network lets carry no memo', async () => {
    const { txId, carriesMemo } = await pay(anIntent({ recipientAddress: vault, amountMinor: 6n }));
    expect(carriesMemo).toBe(false);
    const [seen] = await bed.transfersOf(txId);
    expect(seen).toMatchObject({
      token,
      amountMinor: 6n,
      sender: payer.publicKey(),
      recipient: vault,
    });
    expect(seen).not.toHaveProperty('memo');
    const own = await bed.tokens.resolve('stellar', {
      address: await bed.client.deploy(bed.issuer, await compileOwnToken('OWN')),
    });
    const other = await pay(anIntent({ token: own }));
    expect(other.carriesMemo).toBe(false);
    expect(await bed.transfersOf(other.txId)).toMatchObject([
      { token: { symbol: 'OWN' }, amountMinor: 5n, recipient: treasury },
    ]);
  });

  it('of a wallet that is a contract is a call for whoever sends it, with the memo as the recipient’s number', async () => {
    const wallet = await bed.client.deploy(
      bed.issuer,
      await compileContract(
        'export function __check_auth(a: u64, b: u64, c: u64): u64 { return VOID; }\nexport function _(): void {}',
      ),
    );
    await bed.transfer(payer, wallet, 50n);
    const intent = anIntent({ payerAddress: wallet, amountMinor: 7n });
    const { serializedTransaction, carriesMemo } = await instruct(intent);
    expect(carriesMemo).toBe(true);
    const { operations } = TransactionBuilder.fromXdr(
      serializedTransaction,
      bed.network.passphrase,
    ) as Transaction;
    const { func, auth = [] } = operations[0] as {
      func: xdr.HostFunction;
      auth?: xdr.SorobanAuthorizationEntry[];
    };
    const until = (await readLatestLedger(connection)).sequence + 100;
    const signed = await Promise.all(
      auth.map((entry) => authorizeEntry(entry, Keypair.random(), until, bed.network.passphrase)),
    );
    const { hash } = await bed.client.invoke(
      payer,
      Operation.invokeHostFunction({ func, auth: signed }),
    );
    expect(await bed.transfersOf(hash)).toMatchObject([
      { amountMinor: 7n, memo: intent.memo, sender: wallet, recipient: treasury },
    ]);
  });

  it('is read as it is recorded, by the id that somebody posts; of another transaction nothing is believed', async () => {
    const { txId } = await pay(anIntent({ amountMinor: 6n }));
    const recorded = await bed.transfersOf(txId);
    expect(await look(txId)).toEqual({ status: 'included', transfers: recorded });
    expect(await look(txId, vault)).toEqual({ status: 'included', transfers: [] });
    for (const text of ['0x12', '', 'f'.repeat(64), txId.toUpperCase()])
      expect(await look(text)).toEqual({ status: 'unknown', transfers: [] });
    const tooMuch = Operation.payment({
      destination: treasury,
      asset: bed.asset,
      amount: '999999',
    });
    expect(await look(await bed.client.send(payer, [tooMuch], { mayFail: true }))).toEqual({
      status: 'failed',
      transfers: [],
    });
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getTransaction',
      params: { hash: txId },
    });
    const truth = await fetch(bed.chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    bed.node.lie('getTransaction', { answer: ((await truth.json()) as { result: object }).result });
    expect(await look('e'.repeat(64))).toEqual({ status: 'unknown', transfers: [] });
  });

  it('is refused for what cannot be paid or received', async () => {
    const stranger = Keypair.random().publicKey();
    const poor = await bed.client.newAccount();
    const code = (overrides: Partial<DepositIntent>) =>
      instruct(anIntent(overrides)).then(
        () => 'done',
        ({ code: told }) => told,
      );
    expect(await code({ token: { ...token, tokenId: '0' } })).toBe('token-not-supported');
    expect(await code({ token: { ...token, address: vault } })).toBe('token-not-supported');
    expect(
      await code({ recipientAddress: 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF' }),
    ).toBe('invalid-recipient');
    expect(await code({ recipientAddress: stranger })).toBe('invalid-recipient');
    expect(await code({ recipientAddress: stranger, token: native, amountMinor: 9_999_999n })).toBe(
      'invalid-recipient',
    );
    await expect(instruct(anIntent({ recipientAddress: poor.publicKey() }))).rejects.toThrow(
      'has no trust line for stellar:usdxm',
    );
    expect(await code({ payerAddress: '0x12' })).toBe('validation-error');
    expect(await code({ payerAddress: stranger })).toBe('insufficient-balance');
    expect(await code({ payerAddress: stranger, recipientAddress: vault })).toBe(
      'insufficient-balance',
    );
    expect(await code({ payerAddress: poor.publicKey(), recipientAddress: vault })).toBe(
      'insufficient-balance',
    );
    expect(await code({ chain: 'nowhere' })).toBe('chain-not-supported');
    await expect(instruct(anIntent({ memo: 'mine' }))).rejects.toThrow('is no memo');
  });

  it('costs what is asked at the moment, and not what a node makes up', async () => {
    const feeOf = async (overrides: Partial<DepositIntent>) =>
      Number(
        (
          TransactionBuilder.fromXdr(
            (await instruct(anIntent(overrides))).serializedTransaction,
            bed.network.passphrase,
          ) as Transaction
        ).fee,
      );
    expect(await feeOf({})).toBe(100);
    bed.node.lie('getFeeStats', (result) => ({
      ...result,
      inclusionFee: { p50: '1', p90: '99999999' },
    }));
    expect(await feeOf({})).toBe(100_000);
    bed.node.lie('simulateTransaction', (result) => ({ ...result, minResourceFee: '20000001' }));
    await expect(feeOf({ recipientAddress: vault })).rejects.toMatchObject({
      code: 'upstream-error',
    });
  });

  it('can be paid by who has the money, lumens for the fee, and what an account has to keep', async () => {
    type Asked = Parameters<typeof stellarPayerState>[1];
    const state = (overrides: Partial<Asked>) =>
      stellarPayerState(bed, {
        chain: 'stellar',
        token,
        amountMinor: 5n,
        payerAddress: payer.publicKey(),
        ...overrides,
      });
    expect(await state({})).toBe('ok');
    expect(await state({ amountMinor: 10n ** 12n })).toBe('insufficient-funds');
    expect(await state({ payerAddress: Keypair.random().publicKey() })).toBe('insufficient-funds');
    const young = Keypair.random();
    const { asset } = bed;
    await bed.client.send(payer, [
      Operation.createAccount({ destination: young.publicKey(), startingBalance: '1.5000100' }),
    ]);
    await bed.client.send(young, [Operation.changeTrust({ asset })]);
    await bed.client.send(payer, [
      Operation.payment({ destination: young.publicKey(), asset, amount: '1' }),
    ]);
    const payerAddress = young.publicKey();
    expect(await state({ payerAddress })).toBe('insufficient-funds-for-gas');
    expect(await state({ payerAddress, sponsored: true })).toBe('ok');
    expect(await state({ payerAddress, token: native, amountMinor: 1n, sponsored: true })).toBe(
      'insufficient-funds',
    );
    await bed.client.send(payer, [
      Operation.payment({ destination: payerAddress, asset: Asset.native(), amount: '1' }),
    ]);
    expect(await state({ payerAddress })).toBe('ok');
    expect(await state({ payerAddress, token: native, amountMinor: 9_000_000n })).toBe('ok');
    expect(await state({ payerAddress, token: native, amountMinor: 9_500_000n })).toBe(
      'insufficient-funds-for-gas',
    );
  });
});

describe('the proof of a deposit on Stellar', () => {
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
  /** @param secondRpcUrl the liar is the second node where there is one */
  function proverOf({ secondRpcUrl, ...settings }: Partial<StellarConfig>) {
    const base = testConfig();
    const config = testConfig({ stellar: { ...base.stellar, ...settings } });
    const nodes = {
      rpcUrl: bed.chain.url,
      secondRpcUrl,
      rpcTimeoutMs: 5_000,
      log: bed.watcherDeps.log,
    };
    const connections = createConnections({
      network: bed.network,
      ...nodes,
      onFirstUse: async () => undefined,
    });
    return (deposits: readonly RecordedDeposit[], worthUsd?: string) =>
      proveStellarDeposits(
        { ...readDeps(), config, connections },
        { chain: 'stellar', deposits, worthUsd },
      );
  }

  it('is what a second node has too, in a ledger of its own, with a balance that carries it', async () => {
    const { txId } = await pay(anIntent({ recipientAddress: vault, amountMinor: 11n }));
    const deposit = recorded((await bed.transfersOf(txId))[0]!);
    const prove = proverOf({ secondRpcUrl: bed.node.url });
    expect(await prove([deposit])).toBeUndefined();
    expect(await prove([{ ...deposit, amountMinor: 12n }])).toContain(
      'the second node does not have 12 of stellar:usdxm',
    );
    expect(await prove([{ ...deposit, sender: treasury }])).toContain('are not proven');
    expect(await prove([{ ...deposit, txId: 'd'.repeat(64) }])).toContain('are not proven');
    await expect(
      prove([{ ...deposit, height: deposit.height + 1_000_000n }]),
    ).rejects.toMatchObject({ code: 'provider-unavailable' });
    expect(await prove(Array.from({ length: 50 }, () => deposit))).toContain(
      'less than the 550 that came',
    );
    bed.node.lie('getTransaction', (result) => ({
      latestLedger: result.latestLedger,
      oldestLedger: 2,
      status: 'NOT_FOUND',
    }));
    expect(await prove([deposit])).toContain('the second node does not have 11');
  });

  it('is bounded by worth where one node alone tells of it', async () => {
    const { txId } = await pay(anIntent({ amountMinor: 3n }));
    const deposit = recorded((await bed.transfersOf(txId))[0]!);
    const prove = proverOf({ depositAloneMaxUsd: '1000' });
    expect(await prove([deposit], '999.99')).toBeUndefined();
    expect(await prove([deposit], '1000.01')).toContain('(STELLAR_RPC_SECOND_URL)');
    expect(await prove([deposit])).toContain('an unknown number of US dollars');
  });
});
