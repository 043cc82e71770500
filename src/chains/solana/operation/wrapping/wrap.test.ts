import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ed25519Signer,
  openSmartWallets,
  p256Signer,
  quorumOf,
  type TestSigner,
} from '../../testing/smart.ts';
import { newAddress, openWorld, type World } from '../../testing/world.ts';
import { writeMessage, writeTransaction } from '../message.ts';
import { programs } from './programs.ts';

let world: World;
let smart: ReturnType<typeof openSmartWallets>;
beforeAll(async () => {
  world = await openWorld();
  smart = openSmartWallets(world);
  await smart.install();
  await world.start({ walletProgram: smart.program });
});
afterAll(() => world?.close());

const sol = 1_000_000_000;
const transfer = (from: string, to: string, amount: bigint): Instruction =>
  getTransferSolInstruction({
    source: createNoopSigner(from as Address),
    destination: to as Address,
    amount,
  });
/** As if its signers only held the accounts. */
const unsigned = (instruction: Instruction): Instruction => ({
  ...instruction,
  accounts: instruction.accounts!.map(({ address, role }) => ({
    address,
    role: role === AccountRole.WRITABLE_SIGNER ? AccountRole.WRITABLE : role,
  })),
});
const paramsOf = (wallet: string, instructions: readonly Instruction[]) => ({
  transaction: bs58.encode(
    writeTransaction(writeMessage({ feePayer: wallet as Address, instructions, tables: {} })),
  ),
});

describe('the signature of a smart wallet’s signer', () => {
  const admins: [string, TestSigner][] = [
    ['external wallet', ed25519Signer()],
    ['server', ed25519Signer('server')],
  ];
  it.each(admins)(
    'of its %s is for the wallet, and moves nothing of what the signer itself has',
    async (_, admin) => {
      const own = admin.signer.address!;
      await world.rpc.request('requestAirdrop', [own, sol]);
      const wallet = await smart.aWallet({ adminSigner: admin.signer }, { lamports: BigInt(sol) });
      const thief = newAddress();
      const instructions = [
        transfer(wallet.address, newAddress(), 1_000_000n),
        unsigned(transfer(own, thief, 900_000_000n)),
      ];
      const landed = await smart
        .prepare(wallet, paramsOf(wallet.address, instructions), admin.signer)
        .then((prepared) => smart.run(wallet, prepared, [admin]))
        .catch((error: unknown) => error);
      expect(await world.lamportsOf(thief)).toBe(0n);
      expect(landed).toMatchObject({
        code: 'transaction-invalid',
        message: expect.stringContaining(own),
      });
    },
  );

  it('does not keep the wallet from paying its signer, who has no account of the token yet', {
    tags: 'slow',
  }, async () => {
    const admin = ed25519Signer();
    const wallet = await smart.aWallet(
      { adminSigner: admin.signer },
      { tokens: 100n, lamports: BigInt(sol) },
    );
    for (const of of [world.token, world.native]) {
      const paid = await smart.prepareTransfer(wallet, admin, {
        amount: of === world.token ? 40n : 1_000_000n,
        to: admin.signer.address!,
        of,
      });
      expect((await smart.run(wallet, paid, [admin])).status).toBe('success');
    }
    expect(await world.tokensOf(admin.signer.address!)).toBe(40n);
  });
});

describe('a transaction that a message cannot hold with what the service adds', () => {
  const reading = (address: string): Instruction => ({
    programAddress: programs.memo,
    accounts: [{ address: address as Address, role: AccountRole.WRITABLE }],
  });

  it('is refused: programs that are written', async () => {
    const admin = ed25519Signer();
    const wallet = await smart.aWallet({ adminSigner: admin.signer }, { lamports: BigInt(sol) });
    const mpc = await world.aWallet({ lamports: BigInt(sol) });
    const refused = {
      code: 'transaction-invalid',
      message: expect.stringContaining('a program as an account that it changes'),
    };
    for (const program of [programs.computeBudget, smart.program]) {
      const paramsFor = (address: string) =>
        paramsOf(address, [transfer(address, newAddress(), 1_000_000n), reading(program)]);
      await expect(
        smart.prepare(wallet, paramsFor(wallet.address), admin.signer),
      ).rejects.toMatchObject(refused);
    }
    await expect(
      world.prepare(
        mpc,
        paramsOf(mpc.address, [
          transfer(mpc.address, newAddress(), 1_000_000n),
          reading(programs.computeBudget),
        ]),
      ),
    ).rejects.toMatchObject(refused);
  });
});

describe('what a smart wallet cannot sign', () => {
  const memo = (wallet: string, accounts: number, text = 'a'): Instruction => ({
    programAddress: programs.memo,
    accounts: Array.from({ length: accounts }, () => ({
      address: wallet as Address,
      role: AccountRole.READONLY_SIGNER,
    })),
    data: new Uint8Array(Buffer.from(text)),
  });
  const members = Array.from({ length: 4 }, () => ed25519Signer());
  const quorum = quorumOf(4, members);
  const single = ed25519Signer();
  const passkey = p256Signer('passkey');
  const delegate = ed25519Signer();

  it.each<[string, number, object, TestSigner['signer'] | typeof quorum, readonly TestSigner[]]>([
    ['one signer', 60, { adminSigner: single.signer }, single.signer, [single]],
    ['four', 57, { adminSigner: quorum, recoveryMethods: [quorum] }, quorum, members],
    ['a passkey', 60, { adminSigner: passkey.signer }, passkey.signer, [passkey]],
  ])(
    'is an instruction with more accounts than its program reads: by %s %i',
    async (_, most, input, signer, approving) => {
      const wallet = await smart.aWallet(input as never, { lamports: BigInt(sol) });
      const prepare = (accounts: number) =>
        smart.prepare(
          wallet,
          paramsOf(wallet.address, [memo(wallet.address, accounts)]),
          signer as never,
        );
      await expect(prepare(most + 1)).rejects.toMatchObject({
        code: 'transaction-invalid',
        message: `instruction 1 of params.transaction names ${most + 1} accounts: by these signers the wallet signs instructions with up to ${most}.`,
      });
      expect(await smart.run(wallet, await prepare(most), approving)).toMatchObject({
        status: 'success',
      });
    },
  );

  it.each<[string, TestSigner, RegExp]>([
    ['a key that is an address', single, /Use an address lookup table, or several transactions\.$/],
    ['a passkey', passkey, /every address stands in it: use several transactions/],
  ])(
    'is what fits into a transaction alone, and not with what is added: by %s',
    async (_, by, why) => {
      const wallet = await smart.aWallet({ adminSigner: by.signer }, { lamports: BigInt(sol) });
      const prepare = (bytes: number) =>
        smart.prepare(
          wallet,
          paramsOf(wallet.address, [memo(wallet.address, 1, 'a'.repeat(bytes))]),
          by.signer,
        );
      await expect(prepare(1_000)).rejects.toMatchObject({
        code: 'transaction-invalid',
        message: expect.stringMatching(/params\.transaction has 1\d{3} bytes, and may have 1232\./),
      });
      await expect(prepare(1_000)).rejects.toThrow(why);
      expect(await smart.run(wallet, await prepare(100), [by])).toMatchObject({
        status: 'success',
      });
    },
  );

  it('is an instruction of its own program, whoever asks', async () => {
    const planned = { signer: delegate.signer, scopes: [] };
    const wallet = await smart.aWallet(
      { adminSigner: single.signer, delegates: [planned] },
      { lamports: BigInt(sol) },
    );
    const own: Instruction = {
      programAddress: smart.program,
      accounts: [{ address: wallet.address as Address, role: AccountRole.WRITABLE_SIGNER }],
      data: Uint8Array.of(5),
    };
    const paid = transfer(wallet.address, newAddress(), 1_000_000n);
    const params = paramsOf(wallet.address, [paid, own]);
    const refused = {
      code: 'transaction-invalid',
      message: expect.stringContaining(
        'instruction 2 of params.transaction calls the wallet program itself',
      ),
    };
    await expect(smart.prepare(wallet, params, single.signer)).rejects.toMatchObject(refused);
    await expect(smart.prepare(wallet, params, delegate.signer, planned)).rejects.toMatchObject(
      refused,
    );
  });
});

describe('a transfer', () => {
  it('is refused to whom nobody gets it out of: programs, mints and token accounts', async () => {
    const wallet = await world.aWallet({ tokens: 100n, lamports: BigInt(sol) });
    const recipients = [smart.program, world.mint, await world.tokenAccountOf(wallet.address)];
    for (const of of [world.token, world.native])
      for (const to of recipients)
        await expect(world.prepareTransfer(wallet, 1n, to, of)).rejects.toMatchObject({
          code: 'invalid-recipient',
          message: expect.stringContaining('send the address of its owner'),
        });
  });
});
