import {
  type Address,
  generateKeyPairSigner,
  getBase64Decoder,
  type KeyPairSigner,
  signBytes,
} from '@solana/kit';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConfig } from '../../../../test/harness/config.ts';
import { systemClock } from '../../../lib/clock.ts';
import type {
  DepositIntent,
  RecordedDeposit,
  ResolvedToken,
  Running,
  SeenTransfer,
} from '../../family.ts';
import { messageBytesOf, writeTransaction } from '../operation/message.ts';
import { programs } from '../operation/wrapping/programs.ts';
import { createConnections, type SolanaConnection } from '../rpc/connections.ts';
import { type Bed, sol, startBed } from '../testing/bed.ts';
import { newSolanaMemo, solanaDepositInstructions, solanaPayerState } from './deposits.ts';
import { proveSolanaDeposits } from './prove-deposits.ts';
import { readSolanaDeposits } from './read-deposits.ts';

const native: ResolvedToken = {
  chain: 'solana',
  locator: 'solana:sol',
  symbol: 'sol',
  decimals: 9,
};
let bed: Bed;
let watcher: Running;
let connection: SolanaConnection;
let token: ResolvedToken;
let payer: KeyPairSigner;
let treasury: string;
beforeAll(async () => {
  bed = await startBed();
  connection = await bed.connections.connect('solana');
  watcher = await bed.watch();
  token = await bed.tokens.resolve('solana', { symbol: 'usdxm' });
  payer = await bed.client.fundedSigner(10n * sol);
  treasury = await bed.anAddress();
  bed.own.add(treasury);
  bed.taking.add(treasury);
  await bed.giveTokens(payer.address, 1_000n);
});
afterAll(async () => {
  await watcher?.stop();
  await bed?.close();
});

const anIntent = (overrides: Partial<DepositIntent> = {}): DepositIntent => ({
  chain: 'solana',
  token,
  amountMinor: 5n,
  payerAddress: payer.address,
  recipientAddress: treasury,
  memo: newSolanaMemo(),
  ...overrides,
});

/**
 * As a payer does it: signs the bytes as they are, and sends them.
 * @returns the transaction's id
 */
async function pay(intent: DepositIntent): Promise<string> {
  const { serializedTransaction, carriesMemo } = await solanaDepositInstructions(
    bed.connections,
    intent,
  );
  expect(carriesMemo).toBe(true);
  const message = messageBytesOf(serializedTransaction);
  const signature = await signBytes(payer.keyPair.privateKey, message);
  const wire = getBase64Decoder().decode(writeTransaction(message, { [payer.address]: signature }));
  return bed.client.rpc
    .sendTransaction(wire as never, { encoding: 'base64', preflightCommitment: 'confirmed' })
    .send();
}
const operationIds = async () => new Map<string, string>();
const deps = () => ({ clock: systemClock, tokens: bed.tokens, operationIds });
const look = (txId: string, from = connection) =>
  readSolanaDeposits(deps(), from, { txId, recipientAddress: treasury });

describe('a deposit on Solana', () => {
  it('is made of a transaction that the payer only signs: the recipient’s account, the transfer and the memo', async () => {
    const intent = anIntent();
    const txId = await pay(intent);
    const [seen] = await bed.transfersOf(txId);
    expect(seen).toMatchObject({
      token: { symbol: 'usdxm' },
      amountMinor: 5n,
      sender: payer.address,
      recipient: treasury,
      memo: intent.memo,
    });
    const again = anIntent({ token: native, amountMinor: sol });
    expect((await bed.transfersOf(await pay(again)))[0]).toMatchObject({
      amountMinor: sol,
      memo: again.memo,
      token: { symbol: 'sol' },
    });
    const other = await bed.createMint(programs.token2022, { decimals: 2 });
    await bed.giveTokens(payer.address, 10n, { of: other, tokenProgram: programs.token2022 });
    const foreign = anIntent({ token: await bed.tokens.resolve('solana', { address: other }) });
    expect((await bed.transfersOf(await pay(foreign)))[0]).toMatchObject({
      amountMinor: 5n,
      memo: foreign.memo,
    });
  });

  it('is read as it is recorded, by the id that somebody posts', async () => {
    const intent = anIntent({ amountMinor: 6n });
    const txId = await pay(intent);
    await bed.until(
      async () => (await look(txId)).status === 'included',
      'the deposit to be included',
    );
    const { transfers } = await look(txId);
    expect(transfers).toEqual(await bed.transfersOf(txId));
    expect(await look('0x12')).toEqual({ status: 'unknown', transfers: [] });
    expect(await look(bs58.encode(new Uint8Array(64).fill(7)))).toEqual({
      status: 'unknown',
      transfers: [],
    });
    const failed = await bed.client.send(payer, [bed.solTransfer(payer, treasury, 10n ** 15n)], {
      skipPreflight: true,
    });
    await bed.until(
      async () => (await look(failed)).status !== 'pending',
      'the failed one to be confirmed',
    );
    expect(await look(failed)).toEqual({ status: 'failed', transfers: [] });
  });

  it('is refused for what cannot be paid or received', async () => {
    const refusal = (overrides: Partial<DepositIntent>) =>
      solanaDepositInstructions(bed.connections, anIntent(overrides));
    await expect(refusal({ token: { ...token, tokenId: '0' } })).rejects.toMatchObject({
      code: 'token-not-supported',
    });
    await expect(refusal({ token: { ...token, address: treasury } })).rejects.toMatchObject({
      code: 'token-not-supported',
    });
    await expect(refusal({ recipientAddress: programs.system })).rejects.toMatchObject({
      code: 'invalid-recipient',
    });
    await expect(refusal({ payerAddress: '0x12' })).rejects.toMatchObject({
      code: 'validation-error',
    });
    await expect(refusal({ chain: 'nowhere' })).rejects.toMatchObject({
      code: 'chain-not-supported',
    });
    await expect(refusal({ memo: 'mine' })).rejects.toThrow('is no memo');
  });

  it('can be paid by who has the money, and lamports for the fee and the recipient’s account', async () => {
    const state = (overrides: Partial<Parameters<typeof solanaPayerState>[1]>) =>
      solanaPayerState(bed.connections, {
        chain: 'solana',
        token,
        amountMinor: 5n,
        payerAddress: payer.address,
        ...overrides,
      });
    expect(await state({})).toBe('ok');
    expect(await state({ amountMinor: 10_000n })).toBe('insufficient-funds');
    const poor = (await generateKeyPairSigner()).address as Address;
    await bed.giveTokens(poor, 5n);
    expect(await state({ payerAddress: poor })).toBe('insufficient-funds-for-gas');
    expect(await state({ payerAddress: poor, sponsored: true })).toBe('ok');
    expect(await state({ token: native, amountMinor: 20n * sol })).toBe('insufficient-funds');
  });
});

describe('the proof of a deposit on Solana', () => {
  function recorded(transfer: SeenTransfer): RecordedDeposit {
    const { id: seenId, amountMinor, sender, recipient, txId, height, memo } = transfer;
    return {
      seenId,
      token: transfer.token,
      amountMinor,
      sender,
      recipient,
      txId,
      height,
      ...(memo !== undefined && { memo }),
    };
  }
  function proverOf(settings: Partial<Bed['config']['solana']>) {
    const config = testConfig({ solana: { ...bed.config.solana, ...settings } });
    const connections = createConnections({
      config,
      log: bed.watcherDeps.log,
      onFirstUse: async () => undefined,
    });
    return (deposits: readonly RecordedDeposit[], worthUsd?: string) =>
      proveSolanaDeposits(
        { ...deps(), config, connections },
        { chain: 'solana', deposits, worthUsd },
      );
  }

  it('is what a second node has too, in a final block, with a balance that carries it', async () => {
    const txId = await pay(anIntent({ amountMinor: 11n }));
    const deposit = recorded((await bed.transfersOf(txId))[0]!);
    const prove = proverOf({ secondRpcUrl: bed.chain.url });
    expect(await prove([deposit])).toBeUndefined();
    expect(await prove([{ ...deposit, amountMinor: 12n }])).toContain(
      'the second node does not have 12 of solana:usdxm',
    );
    expect(await prove([{ ...deposit, txId: bs58.encode(new Uint8Array(64).fill(9)) }])).toContain(
      'are not proven',
    );
    await expect(
      prove([{ ...deposit, height: deposit.height + 1_000_000n }]),
    ).rejects.toMatchObject({ code: 'provider-unavailable' });
    expect(await prove(Array.from({ length: 50 }, () => deposit))).toContain(
      'less than the 550 that came',
    );
  });

  it('is bounded by worth where one node alone tells of it', async () => {
    const deposit = recorded((await bed.transfersOf(await pay(anIntent({ amountMinor: 3n }))))[0]!);
    const prove = proverOf({ depositAloneMaxUsd: '1000' });
    expect(await prove([deposit], '999.99')).toBeUndefined();
    expect(await prove([deposit], '1000.01')).toContain('(SOLANA_RPC_SECOND_URL)');
    expect(await prove([deposit])).toContain('an unknown number of US dollars');
    expect(await proverOf({})([{ ...deposit, amountMinor: 10n ** 9n }], undefined)).toBeUndefined();
  });
});
