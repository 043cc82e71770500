import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  messageBytesOf,
  readMessage,
  type Tables,
  tablesOf,
  writeMessage,
  writeTransaction,
} from '../../src/chains/solana/operation/message.ts';
import { programs } from '../../src/chains/solana/operation/wrapping/programs.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import type { Body } from './expected-calls.ts';
import { ed25519Signer, p256Signer, solanaCalls, somebody, type TestSigner } from './solana-kit.ts';

// `params.transaction` of version 0 with address lookup tables, of smart wallets.

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ families: ['solana'] });
});
afterAll(() => stack?.close());

const { expectCall, create, finish } = solanaCalls(() => stack);
const amount = 1_000_000n;
const balanceOf = async (address: string) =>
  (
    await stack.chainCall<{ value: number }>('solana', 'getBalance', [
      address,
      { commitment: 'confirmed' },
    ])
  ).value;

/** A table of somebody's, with so many addresses. */
async function aTable(count: number): Promise<{ tables: Tables; entries: Address[] }> {
  const [address, entries] = [somebody(), Array.from({ length: count }, somebody) as Address[]];
  const header = Buffer.alloc(56);
  header[0] = 1;
  header.writeBigUInt64LE(2n ** 64n - 1n, 4);
  const data = Buffer.concat([header, ...entries.map((entry) => bs58.decode(entry))]);
  const account = {
    lamports: 100_000_000,
    owner: programs.lookupTable,
    data: data.toString('base64'),
  };
  await stack.chainCall('solana', 'devnet_setAccount', [address, account]);
  return { tables: { [address]: entries }, entries };
}

/** Pays the first entry; the others are named beside it, and only read. */
function paramsOf(wallet: string, tables: Tables, entries: readonly Address[]) {
  const source = createNoopSigner(wallet as Address);
  const [destination, ...read] = entries;
  const paid = getTransferSolInstruction({ source, destination: destination!, amount });
  const others = read.map((address) => ({ address, role: AccountRole.READONLY }));
  const instruction: Instruction = { ...paid, accounts: [...paid.accounts, ...others] };
  const message = writeMessage({
    feePayer: wallet as Address,
    instructions: [instruction],
    tables,
  });
  return { transaction: bs58.encode(writeTransaction(message)) };
}

const tablesIn = ({ onChain }: Body) => tablesOf(readMessage(messageBytesOf(onChain.transaction)));

async function aWallet(admin: TestSigner, delegate?: TestSigner): Promise<Body> {
  const delegatedSigners = delegate ? [{ signer: delegate.input }] : [];
  const wallet = await create({ adminSigner: admin.input, delegatedSigners });
  if (delegate) delegate.locator = wallet.config.delegatedSigners[0].locator;
  await stack.chainCall('solana', 'requestAirdrop', [wallet.address, 100_000_000]);
  return wallet;
}

describe('a transaction with a lookup table', () => {
  const refuse = async (wallet: Body, params: object) =>
    (await expectCall(400, 'POST', `/${wallet.address}/transactions`, { params })).message;
  const make = (wallet: Body, params: object) =>
    expectCall(201, 'POST', `/${wallet.address}/transactions`, { params });

  it.each<[string, TestSigner, TestSigner | undefined]>([
    ['an external wallet', ed25519Signer('external-wallet'), undefined],
    ['a delegated server', ed25519Signer('external-wallet'), ed25519Signer('server')],
  ])('lands with it by the key of %s, and has no room without', async (_, admin, delegate) => {
    const wallet = await aWallet(admin, delegate);
    const { tables, entries } = await aTable(30);
    const signer = delegate && { signer: delegate.locator };
    expect(await refuse(wallet, { ...paramsOf(wallet.address, {}, entries), ...signer })).toMatch(
      /may have 1232\. Use an address lookup table, or several transactions\.$/,
    );
    const params = { ...paramsOf(wallet.address, tables, entries), ...signer };
    const created = await make(wallet, params);
    expect(created.params.transaction).toBe(params.transaction);
    expect(tablesIn(created)).toEqual(Object.keys(tables));
    expect(await finish(wallet.address, created, [delegate ?? admin])).toMatchObject({
      status: 'success',
    });
    expect(await balanceOf(entries[0]!)).toBe(Number(amount));
  });

  it.each<[string, TestSigner, TestSigner | undefined]>([
    ['a passkey', p256Signer('passkey', 'tables-passkey'), undefined],
    ['a delegated device', ed25519Signer('server'), p256Signer('device', 'tables-device')],
  ])('of %s has every address in full, as far as there is room', async (_, admin, delegate) => {
    const wallet = await aWallet(admin, delegate);
    const signer = delegate && { signer: delegate.locator };
    const large = await aTable(30);
    expect(
      await refuse(wallet, {
        ...paramsOf(wallet.address, large.tables, large.entries),
        ...signer,
      }),
    ).toMatch(/P-256 key every address stands in it: use several transactions/);
    const { tables, entries } = await aTable(4);
    const created = await make(wallet, {
      ...paramsOf(wallet.address, tables, entries),
      ...signer,
    });
    expect(tablesIn(created)).toEqual([]);
    expect(await finish(wallet.address, created, [delegate ?? admin])).toMatchObject({
      status: 'success',
    });
    expect(await balanceOf(entries[0]!)).toBe(Number(amount));
  });

  it('that is none, or has no such entry, is refused', async () => {
    const wallet = await aWallet(ed25519Signer('server'));
    const { tables, entries } = await aTable(2);
    const [table] = Object.keys(tables) as [Address];
    const none = somebody() as Address;
    expect(await refuse(wallet, paramsOf(wallet.address, { [none]: entries }, entries))).toContain(
      `names ${none}, which is no address lookup table`,
    );
    const more = [...entries, somebody() as Address];
    expect(await refuse(wallet, paramsOf(wallet.address, { [table]: more }, more))).toContain(
      `names entry 2 of the lookup table ${table}, which does not have it`,
    );
  });
});
