import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  MessageV0,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SolanaChain, startSolanaChain } from './index.ts';
import { memoPrograms } from './program-ids.ts';

let chain: SolanaChain;
let connection: Connection;
let payer: Keypair;

beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 50 });
  connection = new Connection(chain.url, 'confirmed');
  payer = await fund();
});

afterAll(() => chain?.stop());

async function fund(): Promise<Keypair> {
  const key = Keypair.generate();
  const signature = await connection.requestAirdrop(key.publicKey, 10 * LAMPORTS_PER_SOL);
  await connection.confirmTransaction({ signature, ...(await connection.getLatestBlockhash()) });
  return key;
}

const transfer = (to: PublicKey, lamports: number, from = payer) =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });
const memo = (text: string) =>
  new TransactionInstruction({
    programId: new PublicKey([...memoPrograms][0]!),
    keys: [],
    data: Buffer.from(text),
  });

describe('@solana/web3.js talks to the local chain as to a cluster', () => {
  it('a legacy transfer is confirmed over the web socket that the library chooses itself', async () => {
    const friend = Keypair.generate().publicKey;
    const signature = await sendAndConfirmTransaction(
      connection,
      new Transaction().add(transfer(friend, 1_000_000)),
      [payer],
    );
    expect(await connection.getBalance(friend)).toBe(1_000_000);
    const seen = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(seen!.version).toBe('legacy');
    expect(seen!.meta!.err).toBeNull();
    expect(seen!.meta!.postBalances[1]).toBe(1_000_000);
    const block = await connection.getBlock(seen!.slot, { maxSupportedTransactionVersion: 0 });
    expect(block!.transactions.map((one) => one.transaction.signatures[0])).toEqual([signature]);
    expect((await connection.getBlockSignatures(seen!.slot)).signatures).toEqual([signature]);
    const parsed = await connection.getParsedTransaction(signature, {
      maxSupportedTransactionVersion: 0,
    });
    expect(
      parsed!.transaction.message.accountKeys.map(({ pubkey, signer }) => [
        pubkey.toBase58(),
        signer,
      ]),
    ).toContainEqual([payer.publicKey.toBase58(), true]);
  });

  it('what an account has become is told to who subscribed to it, and slots go on', async () => {
    const friend = Keypair.generate().publicKey;
    const ids: number[] = [];
    const told = new Promise<number>((resolve) => {
      ids.push(
        connection.onAccountChange(friend, ({ lamports }) => resolve(lamports), {
          commitment: 'confirmed',
        }),
      );
    });
    const slots = new Promise<number>((resolve) => {
      ids.push(connection.onSlotChange(({ slot }) => resolve(slot)));
    });
    await connection.sendTransaction(new Transaction().add(transfer(friend, 2_000_000)), [payer]);
    expect(await told).toBe(2_000_000);
    expect(await slots).toBeGreaterThan(0);
    await connection.removeAccountChangeListener(ids[0]!);
    await connection.removeSlotChangeListener(ids[1]!);
  });

  it('a durable nonce confirms', async () => {
    const nonce = Keypair.generate();
    await sendAndConfirmTransaction(
      connection,
      new Transaction().add(
        SystemProgram.createNonceAccount({
          fromPubkey: payer.publicKey,
          noncePubkey: nonce.publicKey,
          authorizedPubkey: payer.publicKey,
          lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
        }),
      ),
      [payer, nonce],
    );
    const { nonce: value } = NonceAccount.fromAccountData(
      (await connection.getAccountInfo(nonce.publicKey))!.data,
    );
    const friend = Keypair.generate().publicKey;
    const advance = SystemProgram.nonceAdvance({
      noncePubkey: nonce.publicKey,
      authorizedPubkey: payer.publicKey,
    });
    const transaction = new Transaction({
      nonceInfo: { nonce: value, nonceInstruction: advance },
      minContextSlot: 0,
      feePayer: payer.publicKey,
    });
    transaction.add(transfer(friend, 3_000_000));
    transaction.sign(payer);
    const signature = await connection.sendRawTransaction(transaction.serialize());
    const { value: outcome } = await connection.confirmTransaction({
      signature,
      nonceAccountPubkey: nonce.publicKey,
      nonceValue: value,
      minContextSlot: await connection.getSlot(),
    });
    expect(outcome.err).toBeNull();
    expect(await connection.getBalance(friend)).toBe(3_000_000);
  });

  it('signatures of an address are listed newest first, in pages, with their memos', async () => {
    const friend = Keypair.generate().publicKey;
    const sent: string[] = [];
    for (let index = 0; index < 5; index++)
      sent.unshift(
        await sendAndConfirmTransaction(
          connection,
          new Transaction().add(transfer(friend, 1_000_000), memo(`order ${index}`)),
          [payer],
        ),
      );
    const list = async (options: { before?: string; until?: string; limit?: number }) =>
      (await connection.getSignaturesForAddress(friend, options)).map(({ signature }) => signature);
    expect(await list({})).toEqual(sent);
    expect(await list({ limit: 2 })).toEqual(sent.slice(0, 2));
    expect(await list({ before: sent[1], limit: 2 })).toEqual(sent.slice(2, 4));
    expect(await list({ before: sent[3] })).toEqual(sent.slice(4));
    expect(await list({ until: sent[3] })).toEqual(sent.slice(0, 3));
    expect(await list({ before: sent[0], until: sent[4] })).toEqual(sent.slice(1, 4));
    const [newest] = await connection.getSignaturesForAddress(friend, { limit: 1 });
    expect(newest!.memo).toBe('[7] order 4');
  });

  it('a versioned transaction is simulated with another blockhash, without signatures, with accounts and inner instructions', async () => {
    const friend = Keypair.generate().publicKey;
    const message = MessageV0.compile({
      payerKey: payer.publicKey,
      instructions: [transfer(friend, 4_000_000)],
      recentBlockhash: PublicKey.default.toBase58(),
    });
    const transaction = new VersionedTransaction(message);
    const options = {
      replaceRecentBlockhash: true,
      innerInstructions: true,
      accounts: { encoding: 'base64' as const, addresses: [friend.toBase58()] },
    };
    const { value } = await connection.simulateTransaction(transaction, options);
    expect(value.err).toBeNull();
    expect(value.accounts![0]!.lamports).toBe(4_000_000);
    expect(value.innerInstructions).toEqual([]);
    expect(await connection.getBalance(friend)).toBe(0);
    expect(
      (await connection.simulateTransaction(transaction, { sigVerify: false })).value.err,
    ).toBe('BlockhashNotFound');
    await expect(
      connection.simulateTransaction(transaction, {
        sigVerify: true,
        replaceRecentBlockhash: true,
      }),
    ).rejects.toThrow('sigVerify may not be used with replaceRecentBlockhash');
  });

  it('a transaction that would fail is refused by the preflight with its logs, and sent without one', async () => {
    const poor = await fund();
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
    const transaction = new Transaction({
      blockhash,
      lastValidBlockHeight,
      feePayer: poor.publicKey,
    });
    transaction.add(transfer(payer.publicKey, 100 * LAMPORTS_PER_SOL, poor));
    transaction.sign(poor);
    await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toMatchObject({
      message: expect.stringContaining('custom program error: 0x1'),
      logs: expect.arrayContaining(['Program 11111111111111111111111111111111 invoke [1]']),
    });
    const before = await connection.getBalance(poor.publicKey, 'processed');
    const signature = await connection.sendRawTransaction(transaction.serialize(), {
      skipPreflight: true,
    });
    // The client throws the error where it asked for the status, and answers it where it was told.
    const error = await connection
      .confirmTransaction({ signature, blockhash, lastValidBlockHeight })
      .then(
        ({ value }) => value.err,
        (thrown: unknown) => thrown,
      );
    expect(error).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(await connection.getBalance(poor.publicKey, 'processed')).toBe(before - 5_000);
  });

  it('two clients at once see one chain', async () => {
    const other = new Connection(chain.url, 'confirmed');
    const keys = [await fund(), await fund()];
    const friends = keys.map(() => Keypair.generate().publicKey);
    await Promise.all(
      [connection, other].flatMap((client, index) =>
        Array.from({ length: 8 }, (_, count) =>
          sendAndConfirmTransaction(
            client,
            new Transaction().add(transfer(friends[index]!, 1_000_000 + count, keys[index])),
            [keys[index]!],
          ),
        ),
      ),
    );
    for (const friend of friends) {
      expect(await other.getBalance(friend)).toBe(8 * 1_000_000 + 28);
      expect(await connection.getSignaturesForAddress(friend)).toHaveLength(8);
    }
  });
});
