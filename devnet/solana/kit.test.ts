import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  getSignatureFromTransaction,
  type KeyPairSigner,
  pipe,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  fetchNonce,
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  getNonceSize,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getApproveInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SolanaChain, startSolanaChain } from './index.ts';
import { token2022Program } from './program-ids.ts';
import { callMethod, kitClient, sol } from './testing/clients.ts';

let chain: SolanaChain;
let client: ReturnType<typeof kitClient>;
let payer: KeyPairSigner;

beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 50 });
  client = kitClient(chain);
  payer = await client.fundedSigner(1_000n * sol);
});

afterAll(() => chain?.stop());

const balanceOf = async (address: Address) =>
  (await client.rpc.getBalance(address, { commitment: 'processed' }).send()).value;
const readTransaction = async (signature: Signature) =>
  (await client.rpc
    .getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
      encoding: 'json',
    })
    .send())!;

async function confirm(
  instructions: Parameters<typeof client.sign>[1],
  signer = payer,
): Promise<Signature> {
  const transaction = await client.sign(signer, instructions);
  await client.sendAndConfirm(transaction as Parameters<typeof client.sendAndConfirm>[0], {
    commitment: 'confirmed',
  });
  return getSignatureFromTransaction(transaction);
}

async function createMint(tokenProgram: Address): Promise<Address> {
  const mint = await generateKeyPairSigner();
  const space = BigInt(getMintSize());
  await confirm([
    getCreateAccountInstruction({
      payer,
      newAccount: mint,
      lamports: await client.rpc.getMinimumBalanceForRentExemption(space).send(),
      space,
      programAddress: tokenProgram,
    }),
    getInitializeMint2Instruction(
      { mint: mint.address, decimals: 6, mintAuthority: payer.address },
      { programAddress: tokenProgram },
    ),
  ]);
  return mint.address;
}

async function createNonce(authority = payer.address): Promise<Address> {
  const nonce = await generateKeyPairSigner();
  const space = BigInt(getNonceSize());
  await confirm([
    getCreateAccountInstruction({
      payer,
      newAccount: nonce,
      lamports: await client.rpc.getMinimumBalanceForRentExemption(space).send(),
      space,
      programAddress: SYSTEM_PROGRAM_ADDRESS,
    }),
    getInitializeNonceAccountInstruction({
      nonceAccount: nonce.address,
      nonceAuthority: authority,
    }),
  ]);
  return nonce.address;
}

const readNonce = async (account: Address) =>
  (await fetchNonce(client.rpc, account, { commitment: 'processed' })).data.blockhash;
const pay = (destination: Address, amount: bigint) =>
  getTransferSolInstruction({ source: payer, destination, amount });

describe('@solana/kit talks to the local chain as to a cluster', () => {
  it('an airdrop and a transfer arrive, and the metadata says what the accounts say', async () => {
    const friend = await generateKeyPairSigner();
    const before = await balanceOf(payer.address);
    const signature = await confirm([pay(friend.address, sol)]);
    const { meta, transaction } = await readTransaction(signature);
    expect(await balanceOf(friend.address)).toBe(sol);
    expect(meta!.fee).toBe(5_000n);
    expect(before - (await balanceOf(payer.address))).toBe(sol + meta!.fee);
    const keys = transaction.message.accountKeys;
    for (const [index, key] of keys.entries())
      expect(await balanceOf(key)).toBe(meta!.postBalances[index]);
    expect(meta!.preBalances[keys.indexOf(payer.address)]).toBe(before);
    expect(meta!.preBalances[keys.indexOf(friend.address)]).toBe(0n);
  });

  it('the fee of a message with a priority fee and a precompile is what is taken', async () => {
    const budget = (data: number[]) => ({
      programAddress: 'ComputeBudget111111111111111111111111111111' as Address,
      data: new Uint8Array(data),
    });
    // 2 = limit of 100,000 units, 3 = price of 1,000,000 micro-lamports.
    const instructions = [
      budget([2, 0xa0, 0x86, 1, 0]),
      budget([3, 0x40, 0x42, 0x0f, 0, 0, 0, 0, 0]),
      getTransferSolInstruction({ source: payer, destination: payer.address, amount: 1n }),
    ];
    const transaction = await client.sign(payer, instructions);
    const message = Buffer.from(new Uint8Array(transaction.messageBytes)).toString('base64');
    const { result } = await callMethod(chain.url, 'getFeeForMessage', message, {
      commitment: 'processed',
    });
    const before = await balanceOf(payer.address);
    const signature = await confirm(instructions);
    expect(result.value).toBe(105_000);
    expect(before - (await balanceOf(payer.address))).toBe(105_000n);
    expect((await readTransaction(signature)).meta!.fee).toBe(105_000n);
    const fees = await client.rpc.getRecentPrioritizationFees([payer.address]).send();
    expect(fees.some(({ prioritizationFee }) => prioritizationFee === 1_000_000n)).toBe(true);
  });

  it.each([
    ['Token', TOKEN_PROGRAM_ADDRESS],
    ['Token-2022', token2022Program as Address],
  ])(
    '%s: a mint, associated accounts and a transfer, with token balances in the metadata',
    async (_, tokenProgram) => {
      const mint = await createMint(tokenProgram);
      const friend = await generateKeyPairSigner();
      const [own] = await findAssociatedTokenPda({ owner: payer.address, mint, tokenProgram });
      const [theirs] = await findAssociatedTokenPda({ owner: friend.address, mint, tokenProgram });
      const create = (ata: Address, owner: Address) =>
        getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint, tokenProgram });
      await confirm([
        create(own, payer.address),
        getMintToInstruction(
          { mint, token: own, mintAuthority: payer, amount: 50_000_000n },
          { programAddress: tokenProgram },
        ),
      ]);
      const signature = await confirm([
        create(theirs, friend.address),
        getTransferCheckedInstruction(
          {
            source: own,
            mint,
            destination: theirs,
            authority: payer,
            amount: 7_250_000n,
            decimals: 6,
          },
          { programAddress: tokenProgram },
        ),
      ]);
      const { meta, transaction } = await readTransaction(signature);
      const keys = transaction.message.accountKeys;
      const amountOf = (balances: NonNullable<typeof meta>['postTokenBalances'], key: Address) =>
        balances?.find(({ accountIndex }) => keys[accountIndex] === key)?.uiTokenAmount.amount;
      expect(amountOf(meta!.preTokenBalances, own)).toBe('50000000');
      expect(amountOf(meta!.preTokenBalances, theirs)).toBeUndefined();
      expect(amountOf(meta!.postTokenBalances, own)).toBe('42750000');
      expect(amountOf(meta!.postTokenBalances, theirs)).toBe('7250000');
      const { value } = await client.rpc
        .getTokenAccountsByOwner(
          friend.address,
          { mint },
          { encoding: 'jsonParsed', commitment: 'confirmed' },
        )
        .send();
      expect(
        value.map((one) => [one.pubkey, one.account.data.parsed.info.tokenAmount.uiAmountString]),
      ).toEqual([[theirs, '7.25']]);
      expect(
        (await client.rpc.getTokenAccountBalance(theirs, { commitment: 'confirmed' }).send()).value
          .amount,
      ).toBe('7250000');
      expect(
        (await client.rpc.getTokenSupply(mint, { commitment: 'confirmed' }).send()).value
          .uiAmountString,
      ).toBe('50');
      const byMint = await client.rpc
        .getProgramAccounts(tokenProgram, {
          encoding: 'base64',
          commitment: 'confirmed',
          filters: [{ memcmp: { offset: 0n, bytes: mint as never, encoding: 'base58' } }],
        })
        .send();
      expect(byMint.map(({ pubkey }) => pubkey).toSorted()).toEqual([own, theirs].toSorted());
      await confirm([
        getApproveInstruction(
          { source: own, delegate: friend.address, owner: payer, amount: 5n },
          { programAddress: tokenProgram },
        ),
      ]);
      const delegated = await client.rpc
        .getTokenAccountsByDelegate(
          friend.address,
          { programId: tokenProgram },
          { encoding: 'base64', commitment: 'confirmed' },
        )
        .send();
      expect(delegated.value.map(({ pubkey }) => pubkey)).toEqual([own]);
    },
  );

  it('a versioned transaction finds its accounts in a lookup table', async () => {
    const program = 'AddressLookupTab1e1111111111111111111111111' as Address;
    const recentSlot = await client.rpc.getSlot({ commitment: 'confirmed' }).send();
    const slotBytes = new Uint8Array(8);
    new DataView(slotBytes.buffer).setBigUint64(0, recentSlot, true);
    const [table, bump] = await getProgramDerivedAddress({
      programAddress: program,
      seeds: [getAddressEncoder().encode(payer.address), slotBytes],
    });
    const friend = await generateKeyPairSigner();
    const accounts = [
      { address: table, role: AccountRole.WRITABLE },
      { address: payer.address, role: AccountRole.READONLY_SIGNER, signer: payer },
      { address: payer.address, role: AccountRole.WRITABLE_SIGNER, signer: payer },
      { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
    ];
    await confirm([
      { programAddress: program, accounts, data: new Uint8Array([0, 0, 0, 0, ...slotBytes, bump]) },
      {
        programAddress: program,
        accounts,
        data: new Uint8Array([
          2,
          0,
          0,
          0,
          1,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          ...getAddressEncoder().encode(friend.address),
        ]),
      },
    ]);
    const { value: blockhash } = await client.rpc
      .getLatestBlockhash({ commitment: 'confirmed' })
      .send();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (one) => setTransactionMessageFeePayerSigner(payer, one),
      (one) => setTransactionMessageLifetimeUsingBlockhash(blockhash, one),
      (one) => appendTransactionMessageInstructions([pay(friend.address, 3n * sol)], one),
      (one) =>
        compressTransactionMessageUsingAddressLookupTables(one, { [table]: [friend.address] }),
    );
    const transaction = await signTransactionMessageWithSigners(message);
    await client.sendAndConfirm(transaction as Parameters<typeof client.sendAndConfirm>[0], {
      commitment: 'confirmed',
    });
    expect(await balanceOf(friend.address)).toBe(3n * sol);
    const { meta, transaction: seen } = await readTransaction(
      getSignatureFromTransaction(transaction),
    );
    expect(seen.message.accountKeys).not.toContain(friend.address);
    expect(meta!.loadedAddresses).toEqual({ writable: [friend.address], readonly: [] });
    expect(meta!.postBalances.at(-1)).toBe(3n * sol);
    const found = await client.rpc
      .getSignaturesForAddress(friend.address, { commitment: 'confirmed' })
      .send();
    expect(found.map(({ signature }) => signature)).toEqual([
      getSignatureFromTransaction(transaction),
    ]);
  });

  it('a durable nonce lands once, and waits as long as it must', async () => {
    const friend = await generateKeyPairSigner();
    const account = await createNonce();
    const value = await readNonce(account);
    const transaction = await client.signDurable(payer, [pay(friend.address, sol)], {
      account,
      value,
    });
    await chain.advanceTime(3_600);
    await client.sendAndConfirmDurable(
      transaction as Parameters<typeof client.sendAndConfirmDurable>[0],
      { commitment: 'confirmed' },
    );
    expect(await balanceOf(friend.address)).toBe(sol);
    expect(await readNonce(account)).not.toBe(value);
    const wire = getBase64EncodedWireTransaction(transaction);
    const again = await callMethod(chain.url, 'sendTransaction', wire, {
      encoding: 'base64',
      preflightCommitment: 'processed',
    });
    expect(again.error).toMatchObject({ code: -32002, data: { err: 'BlockhashNotFound' } });
    await callMethod(chain.url, 'sendTransaction', wire, {
      encoding: 'base64',
      skipPreflight: true,
    });
    const other = await client.signDurable(payer, [pay(friend.address, 2n * sol)], {
      account,
      value,
    });
    await callMethod(chain.url, 'sendTransaction', getBase64EncodedWireTransaction(other), {
      encoding: 'base64',
      skipPreflight: true,
    });
    expect(await balanceOf(friend.address)).toBe(sol);
  });

  it('a failed transaction takes its fee and its nonce, and does not run again', async () => {
    const poor = await client.fundedSigner(sol);
    const account = await createNonce(poor.address);
    const value = await readNonce(account);
    const transaction = await client.signDurable(
      poor,
      [getTransferSolInstruction({ source: poor, destination: payer.address, amount: 5n * sol })],
      { account, value },
    );
    const wire = getBase64EncodedWireTransaction(transaction);
    await callMethod(chain.url, 'sendTransaction', wire, {
      encoding: 'base64',
      skipPreflight: true,
    });
    const next = await readNonce(account);
    expect(next).not.toBe(value);
    expect(await balanceOf(poor.address)).toBe(sol - 5_000n);
    await client.airdrop({
      recipientAddress: poor.address,
      lamports: (10n * sol) as never,
      commitment: 'confirmed',
    });
    await callMethod(chain.url, 'sendTransaction', wire, {
      encoding: 'base64',
      skipPreflight: true,
    });
    expect(await balanceOf(poor.address)).toBe(11n * sol - 5_000n);
    expect(await readNonce(account)).toBe(next);
    const { value: statuses } = await client.rpc
      .getSignatureStatuses([getSignatureFromTransaction(transaction)])
      .send();
    expect(statuses[0]!.err).toEqual({ InstructionError: [1n, { Custom: 1n }] });
  });

  it('a nonce is used by its authority alone, and one made in a block can be used in the next with the same blockhash', async () => {
    const account = await createNonce();
    const stranger = await client.fundedSigner();
    const forged = await client.signDurable(
      stranger,
      [getTransferSolInstruction({ source: stranger, destination: payer.address, amount: 1n })],
      { account, value: await readNonce(account) },
    );
    const wire = getBase64EncodedWireTransaction(forged);
    const { error } = await callMethod(chain.url, 'sendTransaction', wire, {
      encoding: 'base64',
      preflightCommitment: 'processed',
    });
    expect(error.data.err).toBe('BlockhashNotFound');
    const { value: blockhash } = await client.rpc
      .getLatestBlockhash({ commitment: 'confirmed' })
      .send();
    const nonce = await generateKeyPairSigner();
    const signWith = async (instructions: Parameters<typeof client.sign>[1]) =>
      getBase64EncodedWireTransaction(
        await signTransactionMessageWithSigners(
          pipe(
            createTransactionMessage({ version: 0 }),
            (one) => setTransactionMessageFeePayerSigner(payer, one),
            (one) => setTransactionMessageLifetimeUsingBlockhash(blockhash, one),
            (one) => appendTransactionMessageInstructions(instructions, one),
          ),
        ),
      );
    const lamports = await client.rpc.getMinimumBalanceForRentExemption(80n).send();
    const created = await signWith([
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
    await callMethod(chain.url, 'sendTransaction', created, {
      encoding: 'base64',
      preflightCommitment: 'confirmed',
    });
    const before = await readNonce(nonce.address);
    await chain.advanceTime(1);
    const advanced = await signWith([
      {
        programAddress: SYSTEM_PROGRAM_ADDRESS,
        accounts: [
          { address: nonce.address, role: AccountRole.WRITABLE },
          {
            address: 'SysvarRecentB1ockHashes11111111111111111111' as Address,
            role: AccountRole.READONLY,
          },
          { address: payer.address, role: AccountRole.READONLY_SIGNER },
        ],
        data: new Uint8Array([4, 0, 0, 0]),
      },
    ]);
    const sent = await callMethod(chain.url, 'sendTransaction', advanced, {
      encoding: 'base64',
      preflightCommitment: 'confirmed',
    });
    expect(sent.error).toBeUndefined();
    expect(await readNonce(nonce.address)).not.toBe(before);
  });
});
