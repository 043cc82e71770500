import { randomUUID } from 'node:crypto';
import { Keypair, Operation, StrKey, xdr } from '@stellar/stellar-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testConfig } from '../../../../test/harness/config.ts';
import type { StellarConfig } from '../../../config/config.ts';
import { systemClock } from '../../../lib/clock.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { type MintsDeps, mintNext, runMints } from '../../family/funding/run-mints.ts';
import { insertMint, selectMint } from '../../family/funding/store.ts';
import { readHourlySpending } from '../../family/spending/budgets.ts';
import type { ResolvedToken } from '../../family.ts';
import { accountKey, readAccountEntry } from '../account/entry.ts';
import { readyMaker } from '../account/make-ready.ts';
import { readEntries } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { type Bed, startBed } from '../testing/bed.ts';
import { readStellarBalances } from '../tokens/balances.ts';
import { fundStellarWallet } from './fund.ts';
import { createMintNetwork } from './mint.ts';

const native: ResolvedToken = {
  chain: 'stellar',
  locator: 'stellar:xlm',
  symbol: 'xlm',
  decimals: 7,
};
let bed: Bed;
let connection: StellarConnection;
let token: ResolvedToken;
let deps: MintsDeps;
let wallets = 0;

beforeAll(async () => {
  bed = await startBed();
  connection = await bed.connections.connect('stellar');
  token = await bed.tokens.resolve('stellar', { symbol: 'usdxm' });
  const treasuryKey = new Secret<Uint8Array>(bed.issuer.rawSecretKey());
  const network = createMintNetwork({
    connect: async () => connection,
    treasuryKey,
    feeMaxStroops: 20_000_000n,
  });
  deps = { ...bed.watcherDeps, network };
});
beforeEach(() => bed.node.tellTruth());
afterAll(() => bed?.close());

const aWallet = () => StrKey.encodeContract(Buffer.alloc(32, ++wallets));
const held = async (address: string) =>
  (await readStellarBalances({ connection, tokens: bed.tokens, address, asked: [token] }))[0]!
    .amountMinor;
const fund = (
  recipientAddress: string,
  reference: string,
  settings: Partial<StellarConfig> = {},
  of = token,
) => {
  const config = { ...testConfig().stellar, treasuryAddress: bed.issuer.publicKey(), ...settings };
  const input = { chain: 'stellar', token: of, amountMinor: 25n, recipientAddress, reference };
  return fundStellarWallet(
    { ...bed, config, clock: systemClock, makeReady: readyMaker(bed) },
    input,
  );
};
const ask = (recipient: string, reference: string) =>
  insertMint(bed.store, {
    reference,
    chain: 'stellar',
    token: bed.contract,
    recipient,
    amountMinor: 7n,
  });
const stateOf = async (reference: string) => (await selectMint(bed.store, reference))!;

describe('test funding on Stellar', () => {
  it('mints once per reference, and answers when a ledger has it', async () => {
    const [wallet, reference] = [aWallet(), randomUUID()];
    const stroops = async () =>
      readAccountEntry(
        (await readEntries(connection, [accountKey(bed.issuer.publicKey())])).entries[0]?.data,
      )!.balance;
    const before = await stroops();
    const minting = runMints(deps);
    const [first, second] = await Promise.all([fund(wallet, reference), fund(wallet, reference)]);
    expect(second).toEqual(first);
    expect(await held(wallet)).toBe(25n);
    await fund(wallet, randomUUID());
    const holder = (await bed.newHolder()).publicKey();
    await fund(holder, randomUUID());
    await minting.stop();
    expect([await held(wallet), await held(holder)]).toEqual([50n, 25n]);
    const spent = (await readHourlySpending(bed.store, 'fees')).get('stellar');
    expect([spent! > 0n, spent]).toEqual([true, before - (await stroops())]);
  });

  it('is signed once however often the worker ends between its steps, and what landed unseen is found', async () => {
    const [wallet, reference] = [aWallet(), randomUUID()];
    await ask(wallet, reference);
    // The worker ends after it stored the bytes.
    const ends = {
      ...deps,
      network: { ...deps.network, look: () => Promise.reject(new Error('killed')) },
    };
    await expect(mintNext(ends)).rejects.toThrow('killed');
    const { txId } = await stateOf(reference);
    // And after it sent them.
    const unseen = {
      ...deps,
      network: {
        ...deps.network,
        send: (raw: Uint8Array) =>
          deps.network.send(raw).then(() => Promise.reject(new Error('killed'))),
      },
    };
    await expect(mintNext(unseen)).rejects.toThrow('killed');
    expect(await mintNext(deps)).toBe(true);
    expect(await stateOf(reference)).toMatchObject({ status: 'done', txId });
    expect(await held(wallet)).toBe(7n);
    expect(await mintNext(deps)).toBe(false);
  });

  it('is signed anew only when no ledger can have it any more: too late, or its number used by another', async () => {
    for (const spoil of [
      () => bed.chain.advanceTime(120),
      () => bed.client.send(bed.issuer, [Operation.bumpSequence({ bumpTo: '0' })]),
    ]) {
      const [wallet, reference] = [aWallet(), randomUUID()];
      await ask(wallet, reference);
      const silent = { ...deps, network: { ...deps.network, send: async () => undefined } };
      await mintNext(silent);
      const { txId } = await stateOf(reference);
      await mintNext(silent);
      expect((await stateOf(reference)).txId).toBe(txId);
      await spoil();
      for (let step = 0; step < 3 && (await stateOf(reference)).status !== 'done'; step++)
        await mintNext(deps);
      expect(await stateOf(reference)).toMatchObject({ status: 'done' });
      expect((await stateOf(reference)).txId).not.toBe(txId);
      expect(await held(wallet)).toBe(7n);
    }
  });

  it('that fails in a ledger is told as failed, and costs no more than the operator allows', async () => {
    const [wallet, reference] = [aWallet(), randomUUID()];
    await ask(wallet, reference);
    bed.node.lie('simulateTransaction', (result) => ({
      ...result,
      transactionData: withoutRoom(result.transactionData as string),
    }));
    await mintNext(deps);
    bed.node.tellTruth();
    await mintNext(deps);
    expect(await stateOf(reference)).toMatchObject({ status: 'failed', error: 'txFailed' });
    await ask(wallet, randomUUID());
    const stingy = createMintNetwork({
      connect: async () => connection,
      treasuryKey: new Secret<Uint8Array>(bed.issuer.rawSecretKey()),
      feeMaxStroops: 100n,
    });
    await expect(mintNext({ ...deps, network: stingy })).rejects.toThrow('stroops for a mint');
    await mintNext(deps);
    await mintNext(deps);
  });

  it('is refused for what the treasury cannot mint, and for who cannot hold it', async () => {
    const [wallet, stranger] = [aWallet(), Keypair.random().publicKey()];
    await expect(fund(wallet, randomUUID(), { treasuryAddress: stranger })).rejects.toThrow(
      'its issuer is not the treasury',
    );
    await expect(fund(wallet, randomUUID(), { treasuryAddress: undefined })).rejects.toThrow(
      'has no treasury account',
    );
    await expect(fund(wallet, randomUUID(), {}, native)).rejects.toThrow(
      'native money cannot be minted',
    );
    await expect(fund(stranger, randomUUID())).rejects.toThrow('has no trust line for it');
    await expect(fund(stranger, randomUUID())).rejects.toMatchObject({
      code: 'token-not-supported',
    });
  });
});

/** The footprint without what is written: the call fails when it runs. */
function withoutRoom(text: string): string {
  const data = xdr.SorobanTransactionData.fromXdr(text, 'base64');
  const { footprint, instructions, diskReadBytes, writeBytes } = data.resources;
  const empty = new xdr.LedgerFootprint({ readOnly: footprint.readOnly, readWrite: [] });
  const resources = new xdr.SorobanResources({
    footprint: empty,
    instructions,
    diskReadBytes,
    writeBytes,
  });
  return new xdr.SorobanTransactionData({
    ext: data.ext,
    resources,
    resourceFee: data.resourceFee,
  }).toXdr('base64');
}
