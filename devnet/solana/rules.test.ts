import {
  generateKeyPairSigner,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type KeyPairSigner,
} from '@solana/kit';
import {
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SolanaChain, startSolanaChain } from './index.ts';
import { callMethod, kitClient, sol } from './testing/clients.ts';

let chain: SolanaChain;
let client: ReturnType<typeof kitClient>;
let payer: KeyPairSigner;

// A slot lasts a minute: what is only processed stays so until a test moves the time.
const slotMs = 60_000;
const finalityLag = 4;

beforeAll(async () => {
  chain = await startSolanaChain({ slotMs, finalityLag });
  client = kitClient(chain);
  payer = await generateKeyPairSigner();
  await call('requestAirdrop', payer.address, Number(100n * sol));
  await passSlots(finalityLag);
});

afterAll(() => chain?.stop());

const call = async (method: string, ...params: unknown[]) =>
  callMethod(chain.url, method, ...params);
const passSlots = (count: number) => chain.advanceTime((count * slotMs) / 1000);
const balanceAt = async (address: string, commitment: string) =>
  (await call('getBalance', address, { commitment })).result.value;

async function signTransfer(
  destination: string,
  amount: bigint,
): Promise<{ wire: string; signature: string }> {
  const transaction = await client.sign(payer, [
    getTransferSolInstruction({ source: payer, destination: destination as never, amount }),
  ]);
  return {
    wire: getBase64EncodedWireTransaction(transaction),
    signature: getSignatureFromTransaction(transaction),
  };
}

const send = (wire: string, options: object = {}) =>
  call('sendTransaction', wire, {
    encoding: 'base64',
    preflightCommitment: 'processed',
    ...options,
  });

describe('the local Solana chain', () => {
  it('shows a transaction to each commitment when its block is old enough', async () => {
    const friend = (await generateKeyPairSigner()).address;
    const { wire, signature } = await signTransfer(friend, sol);
    const { result } = await send(wire);
    expect(result).toBe(signature);
    const status = async () => (await call('getSignatureStatuses', [signature])).result.value[0];
    const listed = async (commitment: string) =>
      (await call('getSignaturesForAddress', friend, { commitment })).result.length;
    const view = async () => ({
      processed: await balanceAt(friend, 'processed'),
      confirmed: await balanceAt(friend, 'confirmed'),
      finalized: await balanceAt(friend, 'finalized'),
      status: (await status()).confirmationStatus,
      listed: [await listed('confirmed'), await listed('finalized')],
    });
    const all = Number(sol);
    expect(await view()).toEqual({
      processed: all,
      confirmed: 0,
      finalized: 0,
      status: 'processed',
      listed: [0, 0],
    });
    expect(
      (
        await call('getTransaction', signature, {
          commitment: 'confirmed',
          maxSupportedTransactionVersion: 0,
        })
      ).result,
    ).toBeNull();
    await passSlots(1);
    expect(await view()).toEqual({
      processed: all,
      confirmed: all,
      finalized: 0,
      status: 'confirmed',
      listed: [1, 0],
    });
    await passSlots(finalityLag - 1);
    expect(await view()).toEqual({
      processed: all,
      confirmed: all,
      finalized: all,
      status: 'finalized',
      listed: [1, 1],
    });
    expect((await status()).confirmations).toBeNull();
    expect(
      (await call('getTransaction', signature, { maxSupportedTransactionVersion: 0 })).result.meta
        .fee,
    ).toBe(5_000);
    expect((await call('getTransaction', signature)).error.code).toBe(-32015);
    expect((await call('getTransaction', signature, { commitment: 'processed' })).error.code).toBe(
      -32602,
    );
  });

  it('lets the same signature in once: refused by the preflight, without effect when there is none', async () => {
    const friend = (await generateKeyPairSigner()).address;
    const { wire, signature } = await signTransfer(friend, sol);
    await send(wire);
    expect((await send(wire)).error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed' },
    });
    expect((await send(wire, { skipPreflight: true })).result).toBe(signature);
    expect(await balanceAt(friend, 'processed')).toBe(Number(sol));
  });

  it('puts what comes at the same time into one block, in its order: a blockhash outlives any number of transactions', {
    tags: 'slow',
  }, async () => {
    const friends = await Promise.all(
      Array.from({ length: 160 }, async () => (await generateKeyPairSigner()).address),
    );
    const all = [];
    for (const friend of friends) all.push(await signTransfer(friend, sol / 100n));
    for (const { wire } of all) expect((await send(wire)).error).toBeUndefined();
    await passSlots(finalityLag);
    const statuses = (
      await call(
        'getSignatureStatuses',
        all.map(({ signature }) => signature),
      )
    ).result.value as { slot: number }[];
    expect(new Set(statuses.map(({ slot }) => slot)).size).toBe(1);
    const block = (
      await call('getBlock', statuses[0]!.slot, {
        transactionDetails: 'signatures',
        maxSupportedTransactionVersion: 0,
      })
    ).result;
    expect(block.signatures.slice(-160)).toEqual(all.map(({ signature }) => signature));
    const listed = async (config: object) =>
      (await call('getSignaturesForAddress', payer.address, config)).result.map(
        ({ signature }: { signature: string }) => signature,
      );
    expect(await listed({ limit: 2, before: all[100]!.signature })).toEqual([
      all[99]!.signature,
      all[98]!.signature,
    ]);
    expect(await listed({ until: all[157]!.signature })).toEqual([
      all[159]!.signature,
      all[158]!.signature,
    ]);
  });

  it('lets a nonce in from the block after the one that gave it', async () => {
    const nonce = await generateKeyPairSigner();
    const lamports = (await call('getMinimumBalanceForRentExemption', 80)).result;
    await client.send(payer, [
      getCreateAccountInstruction({
        payer,
        newAccount: nonce,
        lamports,
        space: 80n,
        programAddress: SYSTEM_PROGRAM_ADDRESS,
      }),
      getInitializeNonceAccountInstruction({
        nonceAccount: nonce.address,
        nonceAuthority: payer.address,
      }),
    ]);
    const { data } = (
      await call('getAccountInfo', nonce.address, { encoding: 'base64', commitment: 'processed' })
    ).result.value;
    const value = getBase58Decoder().decode(Buffer.from(data[0], 'base64').subarray(40, 72));
    const transfer = getTransferSolInstruction({
      source: payer,
      destination: nonce.address,
      amount: 1n,
    });
    const transaction = await client.signDurable(payer, [transfer], {
      account: nonce.address,
      value,
    });
    const wire = getBase64EncodedWireTransaction(transaction);
    expect((await send(wire)).error.data.err).toBe('BlockhashNotFound');
    await passSlots(1);
    expect((await send(wire)).error).toBeUndefined();
  });

  it('lets a blockhash in for 150 blocks', async () => {
    const friend = (await generateKeyPairSigner()).address;
    const { value } = await client.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const { wire } = await signTransfer(friend, sol);
    const height = async () =>
      BigInt((await call('getBlockHeight', { commitment: 'processed' })).result);
    const isValid = async () =>
      (await call('isBlockhashValid', value.blockhash, { commitment: 'processed' })).result.value;
    await passSlots(Number(value.lastValidBlockHeight - (await height())));
    expect(await height()).toBe(value.lastValidBlockHeight);
    expect(await isValid()).toBe(true);
    await passSlots(1);
    expect(await isValid()).toBe(false);
    expect((await send(wire)).error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: Blockhash not found',
    });
    await send(wire, { skipPreflight: true });
    expect(await balanceAt(friend, 'processed')).toBe(0);
  });

  it('a blockhash that a commitment does not see yet is not found by its preflight', async () => {
    const { wire } = await signTransfer(payer.address, 1n);
    expect((await send(wire, { preflightCommitment: 'finalized' })).error.data.err).toBe(
      'BlockhashNotFound',
    );
    expect((await send(wire, { preflightCommitment: 'confirmed' })).error).toBeUndefined();
  });

  it('a signature that is not one is refused with -32003, and a transaction that nobody pays for gets into no block', async () => {
    const { wire } = await signTransfer(payer.address, 1n);
    const bytes = Buffer.from(wire, 'base64');
    bytes[5]! ^= 1;
    const forged = bytes.toString('base64');
    expect((await send(forged)).error.code).toBe(-32003);
    const before = await balanceAt(payer.address, 'processed');
    await send(forged, { skipPreflight: true });
    expect(await balanceAt(payer.address, 'processed')).toBe(before);
  });

  it('a program that is not there costs the fee', async () => {
    const nobody = (await generateKeyPairSigner()).address;
    const before = await balanceAt(payer.address, 'processed');
    const signature = await client.send(
      payer,
      [{ programAddress: nobody, data: new Uint8Array(1) }],
      { skipPreflight: true },
    );
    expect(await balanceAt(payer.address, 'processed')).toBe(before - 5_000);
    expect((await call('getSignatureStatuses', [signature])).result.value[0].err).toBe(
      'InvalidProgramForExecution',
    );
  });

  it('a moved time is that of blocks and programs, and slots between are skipped as on a cluster', async () => {
    const before = await chain.time();
    const slot = (await call('getSlot', { commitment: 'processed' })).result;
    const days = 3 * 24 * 3600;
    await chain.advanceTime(days);
    expect((await chain.time()) - before).toBeGreaterThanOrEqual(days);
    const after = (await call('getSlot', { commitment: 'processed' })).result;
    expect(after - slot).toBe((days * 1000) / slotMs);
    const skipped = after - 100;
    await passSlots(finalityLag);
    expect((await call('getBlock', skipped)).error).toMatchObject({ code: -32007 });
    const blocks = (await call('getBlocks', slot, after + 1)).result;
    expect(blocks).not.toContain(skipped);
    expect(blocks).toContain(after);
    const block = (await call('getBlock', after, { maxSupportedTransactionVersion: 0 })).result;
    expect(block.blockTime).toBeGreaterThanOrEqual(before + days);
    expect(block.parentSlot).toBeLessThan(skipped);
    expect(blocks).toContain(block.parentSlot);
    expect((await call('getBlock', block.parentSlot)).result.blockhash).toBe(
      block.previousBlockhash,
    );
    expect(
      (await call('getBlocksWithLimit', skipped, 2, { commitment: 'confirmed' })).result,
    ).toEqual([after, after + 1]);
    expect((await call('getBlock', after + 1_000_000)).error.code).toBe(-32004);
    const clock = (
      await call('getAccountInfo', 'SysvarC1ock11111111111111111111111111111111', {
        encoding: 'base64',
        commitment: 'processed',
      })
    ).result;
    expect(
      Number(Buffer.from(clock.value.data[0], 'base64').readBigInt64LE(32)),
    ).toBeGreaterThanOrEqual(before + days);
  });
});
