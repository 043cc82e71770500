import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import {
  getApproveInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { beforeEach, describe, expect, it } from 'vitest';
import { token2022Program } from '../../devnet/solana/program-ids.ts';
import {
  createWallet,
  execute,
  findDelegate,
  findWallet,
  type Scope,
  setDelegate,
  transferToken,
  type WalletAddresses,
} from './index.ts';
import { accountData, mintData, tokenPrograms, tokensAt, writeToken } from './testing/tokens.ts';
import {
  openWallet,
  saltOf,
  type TokenPlaces,
  tokenPlaces,
  writeTokens,
} from './testing/wallets.ts';
import { type Key, keyOf, memberOf, programAddress, World } from './testing/world.ts';

const world = new World();
const admin = keyOf('admin');
const delegate = keyOf('delegate');
const friend = keyOf('friend').address;

let wallet: WalletAddresses;
let count = 0;
let tokens: TokenPlaces;

const amountAt = (address: Address) => tokensAt(world, address);

async function register(scopes: readonly Scope[], generation = 0): Promise<string> {
  const call = {
    epoch: 0,
    generation,
    account: findDelegate(wallet, memberOf(delegate)),
    payer: world.payer.address,
    signers: [admin.address],
  };
  return world.send(
    [setDelegate(wallet, { key: memberOf(delegate), expiresAt: 0n, scopes }, call)],
    [admin],
  );
}

async function spend(
  amount: bigint,
  change: Partial<typeof tokens> = {},
  by: Key = delegate,
): Promise<string> {
  const call = {
    delegate: memberOf(by),
    account: findDelegate(wallet, memberOf(by)),
    epoch: 0,
    generation: 1,
    scope: 0,
    amount,
  };
  return world.send([transferToken(wallet, { ...tokens, ...change }, call)], [by]);
}

describe.each(tokenPrograms)('with %s', (_, program) => {
  beforeEach(async () => {
    const admins = [{ threshold: 1, members: [memberOf(admin)] }];
    wallet = openWallet(world, { salt: saltOf(++count), groups: admins, delegates: [] });
    tokens = tokenPlaces(program, `${program} ${count}`);
    writeTokens(world, tokens, { owner: wallet.vault, other: friend, amount: 1_000n });
  });

  it('the admin transfers, and so does a delegate within its limit, to the owners that are listed', async () => {
    const authority = createNoopSigner(wallet.vault);
    const { mint, source, destination } = tokens;
    const inner = getTransferCheckedInstruction(
      { source, mint, destination, authority, amount: 100n, decimals: 6 },
      { programAddress: program },
    );
    expect(
      world.send([execute(wallet, inner, { epoch: 0, signers: [admin.address] })], [admin]),
    ).toBe('none');
    expect(amountAt(destination)).toBe(100n);
    await register([{ mint, limit: 500n, interval: 0n, recipients: [friend] }]);
    expect(await spend(300n)).toBe('none');
    expect(await spend(201n)).toBe('limit exceeded');
    expect(await spend(200n)).toBe('none');
    world.setTime(world.time + 1_000_000);
    expect(await spend(1n)).toBe('limit exceeded');
    expect(amountAt(destination)).toBe(600n);
    const elsewhere = keyOf('elsewhere').address;
    writeToken(world, elsewhere, program, accountData(mint, keyOf('nobody').address, 0n));
    await register([{ mint, interval: 0n, recipients: [friend] }], 1);
    expect(await spend(1n)).toBe('wrong generation');
    const call = {
      delegate: memberOf(delegate),
      account: findDelegate(wallet, memberOf(delegate)),
      epoch: 0,
      generation: 2,
      scope: 0,
      amount: 1n,
    };
    expect(
      world.send([transferToken(wallet, { ...tokens, destination: elsewhere }, call)], [delegate]),
    ).toBe('wrong recipient');
    expect(world.send([transferToken(wallet, tokens, call)], [delegate])).toBe('none');
  });

  it('two transfers of one transaction take from one limit, and nothing is left of both when the second is refused', async () => {
    await register([{ mint: tokens.mint, limit: 500n, interval: 60n, recipients: [] }]);
    const call = {
      delegate: memberOf(delegate),
      account: findDelegate(wallet, memberOf(delegate)),
      epoch: 0,
      generation: 1,
      scope: 0,
      amount: 300n,
    };
    const one = transferToken(wallet, tokens, call);
    expect(world.send([one, one], [delegate])).toBe('limit exceeded');
    expect(amountAt(tokens.destination)).toBe(0n);
    expect(world.send([transferToken(wallet, tokens, { ...call, amount: 500n })], [delegate])).toBe(
      'none',
    );
  });

  it('other mints, accounts of others, false token programs and false accounts are refused', async () => {
    await register([{ mint: tokens.mint, interval: 0n, recipients: [] }]);
    const other = keyOf(`${program} other mint`).address;
    writeToken(world, other, program, mintData());
    const from = keyOf(`${program} other from`).address;
    const to = keyOf(`${program} other to`).address;
    writeToken(world, from, program, accountData(other, wallet.vault, 9n));
    writeToken(world, to, program, accountData(other, friend, 0n));
    expect(await spend(1n, { mint: other, source: from, destination: to })).toBe('out of scope');
    expect(await spend(1n, { source: from })).toBe('bad token account');
    expect(await spend(1n, { mint: other })).toBe('bad token account');
    const theirs = keyOf(`${program} theirs`).address;
    writeToken(world, theirs, program, accountData(tokens.mint, friend, 50n));
    expect(await spend(1n, { source: theirs })).toBe('bad token account');
    expect(await spend(1n, { program: programAddress })).toBe('bad token account');
    const otherProgram =
      program === TOKEN_PROGRAM_ADDRESS ? (token2022Program as Address) : TOKEN_PROGRAM_ADDRESS;
    expect(await spend(1n, { program: otherProgram })).toBe('bad token account');
    const fake = keyOf(`${program} fake`).address;
    writeToken(world, fake, programAddress, accountData(tokens.mint, wallet.vault, 50n));
    expect(await spend(1n, { source: fake })).toBe('bad token account');
    expect(await spend(1n, { destination: fake })).toBe('bad token account');
    writeToken(world, fake, program, accountData(tokens.mint, wallet.vault, 50n).subarray(0, 164));
    expect(await spend(1n, { source: fake })).toBe('bad token account');
    expect(amountAt(tokens.source)).toBe(1_000n);
  });

  it('a delegate cannot act as the admin: not execute, not approve, not with the account of another wallet', async () => {
    await register([]);
    const authority = createNoopSigner(wallet.vault);
    const approve = getApproveInstruction(
      { source: tokens.source, delegate: friend, owner: authority, amount: 9n },
      { programAddress: program },
    );
    const forged: Instruction = execute(wallet, approve, { epoch: 0, signers: [delegate.address] });
    expect(world.send([forged], [delegate])).toBe('not enough signers');
    const call = {
      delegate: memberOf(delegate),
      account: findDelegate(wallet, memberOf(delegate)),
      epoch: 0,
      generation: 1,
      scope: 0,
      amount: 1n,
    };
    const instruction = transferToken(wallet, tokens, call);
    const replaced = async (index: number, address: Address) => {
      const accounts = instruction.accounts!.map((one, at) =>
        at === index ? { ...one, address } : one,
      );
      return world.send([{ ...instruction, accounts }], [delegate]);
    };
    const setup = {
      salt: new Uint8Array(32).fill(200),
      groups: [{ threshold: 1, members: [memberOf(delegate)] }],
      delegates: [],
    };
    const own = findWallet(programAddress, setup);
    world.send([createWallet(own, setup, world.payer.address)]);
    expect(await replaced(0, own.state)).toBe('unknown delegate');
    expect(await replaced(3, own.vault)).toBe('bad accounts');
    expect(await replaced(1, wallet.state)).toBe('unknown delegate');
    expect(await replaced(1, findDelegate(own, memberOf(delegate)))).toBe('unknown delegate');
    const unsigned = instruction.accounts!.map((one) =>
      one.address === delegate.address ? { ...one, role: AccountRole.READONLY } : one,
    );
    expect(world.send([{ ...instruction, accounts: unsigned }])).toBe('not enough signers');
    const readOnly = instruction.accounts!.map((one) =>
      one.role === AccountRole.WRITABLE ? { ...one, role: AccountRole.READONLY } : one,
    );
    expect(world.send([{ ...instruction, accounts: readOnly }], [delegate])).not.toBe('none');
    expect(amountAt(tokens.source)).toBe(1_000n);
  });
});
