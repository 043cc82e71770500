import { readFileSync } from 'node:fs';
import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildProgram, missingCompiler, programPath } from './build.ts';
import {
  createWallet,
  execute,
  findDelegate,
  findWallet,
  type Registration,
  raiseEpoch,
  removeDelegate,
  type Setup,
  setDelegate,
  transferSol,
  type WalletAddresses,
} from './index.ts';
import { type Key, keyOf, memberOf, programAddress, sol, system, World } from './testing/world.ts';

const admins = ['anna', 'bert', 'cleo'].map((name) => keyOf(name));
const delegate = keyOf('delegate');
const friend = keyOf('friend').address;
const world = new World();

let wallet: WalletAddresses;
let setup: Setup;
let count = 0;

beforeEach(async () => {
  const salt = new Uint8Array(32);
  new DataView(salt.buffer).setUint32(0, ++count);
  setup = { salt, groups: [{ threshold: 2, members: admins.map(memberOf) }], delegates: [] };
  wallet = findWallet(programAddress, setup);
  world.fund(wallet.vault, 100n * sol);
  world.machine.write(friend, null);
});

const addresses = (keys: readonly Key[]) => keys.map(({ address }) => address);
const pay = (amount: bigint): Instruction =>
  getTransferSolInstruction({
    source: createNoopSigner(wallet.vault),
    destination: friend,
    amount,
  });
const create = () => createWallet(wallet, setup, world.payer.address);
const executeBy = (inner: Instruction, keys: readonly Key[], epoch = 0) =>
  world.send([execute(wallet, inner, { epoch, signers: addresses(keys) })], keys);

async function register(
  registration: Partial<Registration>,
  keys = admins.slice(0, 2),
  at = { epoch: 0, generation: 0 },
): Promise<string> {
  const whole = { key: memberOf(delegate), expiresAt: 0n, scopes: [], ...registration };
  return world.send(
    [
      setDelegate(wallet, whole, {
        ...at,
        account: findDelegate(wallet, memberOf(delegate)),
        payer: world.payer.address,
        signers: addresses(keys),
      }),
    ],
    keys,
  );
}

async function spend(
  amount: bigint,
  change: Partial<Parameters<typeof transferSol>[2]> & { recipient?: Address } = {},
  by = delegate,
): Promise<string> {
  const { recipient = friend, ...rest } = change;
  return world.send(
    [
      transferSol(wallet, recipient, {
        delegate: memberOf(by),
        account: findDelegate(wallet, memberOf(by)),
        epoch: 0,
        generation: 1,
        scope: 0,
        amount,
        ...rest,
      }),
    ],
    [by],
  );
}

describe('the Solana wallet program', () => {
  it('is what its source is compiled to, byte for byte', (context) => {
    const compiler = process.env.CLANG ?? 'clang-19';
    const missing = missingCompiler(compiler);
    context.skip(
      missing !== undefined,
      `wallet.so was not compared with its source, because ${missing}`,
    );
    expect(buildProgram(compiler).equals(readFileSync(programPath))).toBe(true);
  });

  it('has an address before anything exists: the first operation makes it and acts, whatever was sent there before; again it does nothing', () => {
    world.fund(wallet.state, 5n);
    const signers = admins.slice(0, 2);
    const act = execute(wallet, pay(sol), { epoch: 0, signers: addresses(signers) });
    expect(world.send([create(), act], signers)).toBe('none');
    expect(world.balanceOf(friend)).toBe(sol);
    expect(world.balanceOf(wallet.vault)).toBe(99n * sol);
    const before = world.machine.read(wallet.state)!.data;
    expect(world.send([create()])).toBe('none');
    expect(world.machine.read(wallet.state)!.data).toEqual(before);
  });

  it('wants as many members as its threshold, and no others', () => {
    world.send([create()]);
    expect(executeBy(pay(sol), admins.slice(0, 1))).toBe('not enough signers');
    expect(executeBy(pay(sol), [admins[0]!, keyOf('stranger')])).toBe('not enough signers');
    expect(executeBy(pay(sol), [admins[0]!, admins[0]!])).toBe('not enough signers');
    expect(world.balanceOf(friend)).toBe(0n);
    for (const pair of [
      [0, 1],
      [0, 2],
      [1, 2],
    ])
      expect(
        executeBy(
          pay(sol),
          pair.map((index) => admins[index]!),
        ),
      ).toBe('none');
    expect(world.balanceOf(friend)).toBe(3n * sol);
  });

  it('a member that is named and does not sign counts for nothing', () => {
    world.send([create()]);
    const signers = addresses(admins.slice(0, 2));
    const call = execute(wallet, pay(sol), { epoch: 0, signers });
    const unsigned = {
      ...call,
      accounts: call.accounts!.map((one) =>
        one.address === signers[1] ? { ...one, role: AccountRole.READONLY } : one,
      ),
    };
    expect(world.send([unsigned], admins.slice(0, 1))).toBe('not enough signers');
  });

  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => memberOf(keyOf(`member ${index}`)));
  const [anna] = admins.map(memberOf);
  it.each<[string, Partial<Setup>]>([
    ['no group', { groups: [] }],
    ['nine groups', { groups: many(9).map((one) => ({ threshold: 1, members: [one] })) }],
    ['no member', { groups: [{ threshold: 1, members: [] }] }],
    ['a threshold of nought', { groups: [{ threshold: 0, members: [anna!] }] }],
    ['a threshold above the members', { groups: [{ threshold: 2, members: [anna!] }] }],
    ['a member twice', { groups: [{ threshold: 1, members: [anna!, anna!] }] }],
    [
      'seventeen members',
      { groups: [9, 8].map((count) => ({ threshold: 1, members: many(count) })) },
    ],
    [
      'a device as a member',
      {
        groups: [{ threshold: 1, members: [{ kind: 'device', key: new Uint8Array(33).fill(2) }] }],
      },
    ],
    [
      'a key that is no point',
      {
        groups: [{ threshold: 1, members: [{ kind: 'passkey', key: new Uint8Array(33).fill(4) }] }],
      },
    ],
  ])('a set-up with %s is refused', (_, change) => {
    setup = { ...setup, ...change };
    wallet = findWallet(programAddress, setup);
    expect(world.send([create()])).toMatch(/bad (set-up|instruction)/);
  });

  it('cannot be reached with the state or the vault of another wallet, nor with accounts that it did not write', async () => {
    world.send([create()]);
    const own = {
      ...setup,
      salt: new Uint8Array(32).fill(9),
      groups: [{ threshold: 1, members: [memberOf(keyOf('thief'))] }],
    };
    const other = findWallet(programAddress, own);
    world.send([createWallet(other, own, world.payer.address)]);
    const thief = [keyOf('thief')];
    expect(
      world.send(
        [
          execute({ ...wallet, state: other.state }, pay(sol), {
            epoch: 0,
            signers: addresses(thief),
          }),
        ],
        thief,
      ),
    ).toBe('bad accounts');
    const forged = keyOf('forged').address;
    world.machine.write(forged, { ...world.machine.read(wallet.state)!, owner: system });
    expect(
      world.send(
        [execute({ ...wallet, state: forged }, pay(sol), { epoch: 0, signers: addresses(admins) })],
        admins,
      ),
    ).toBe('bad accounts');
    expect(world.balanceOf(friend)).toBe(0n);
  });

  it('does not call itself, and does not give its vault away', () => {
    world.send([create()]);
    const keys = admins.slice(0, 2);
    expect(executeBy(raiseEpoch(wallet, { epoch: 0, signers: [] }), keys)).toBe('forbidden call');
    const vault = { address: wallet.vault, role: AccountRole.WRITABLE_SIGNER };
    const assign = {
      programAddress: system,
      accounts: [vault],
      data: new Uint8Array([1, 0, 0, 0, ...new Uint8Array(32).fill(7)]),
    };
    expect(executeBy(assign, keys)).toBe('forbidden call');
    const allocate = {
      programAddress: system,
      accounts: [vault],
      data: new Uint8Array([8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
    };
    expect(executeBy(allocate, keys)).toBe('forbidden call');
  });

  it('only the admin registers, replaces and removes a delegate', async () => {
    world.send([create()]);
    expect(await register({}, [delegate])).toBe('not enough signers');
    expect(await register({}, [admins[0]!])).toBe('not enough signers');
    expect(await spend(sol)).toBe('unknown delegate');
    expect(await register({})).toBe('none');
    expect(await spend(sol)).toBe('none');
    expect(await register({}, [delegate], { epoch: 0, generation: 1 })).toBe('not enough signers');
    const remove = async (keys: readonly Key[], generation: number) =>
      world.send(
        [
          removeDelegate(wallet, memberOf(delegate), {
            epoch: 0,
            generation,
            account: findDelegate(wallet, memberOf(delegate)),
            payer: world.payer.address,
            signers: addresses(keys),
          }),
        ],
        keys,
      );
    expect(await remove([delegate], 1)).toBe('not enough signers');
    expect(await remove(admins, 1)).toBe('none');
    expect(await spend(sol)).toBe('unknown delegate');
    expect(await register({})).toBe('wrong generation');
    expect(await register({}, admins, { epoch: 0, generation: 2 })).toBe('none');
    expect(await spend(sol)).toBe('wrong generation');
    expect(await spend(sol, { generation: 3 })).toBe('none');
  });

  it('a delegate keeps to its expiry, recipients and limit; a window begins with its first transfer', async () => {
    world.send([create()]);
    const start = world.time;
    const scopes = [{ limit: 3n * sol, interval: 100n, recipients: [friend] }];
    await register({ scopes, expiresAt: BigInt(start + 1_000) });
    expect(await spend(sol, { recipient: keyOf('else').address })).toBe('wrong recipient');
    expect(await spend(sol, { scope: 1 })).toBe('out of scope');
    expect(await spend(0n)).toBe('bad instruction');
    world.setTime(start + 50);
    expect(await spend(2n * sol)).toBe('none');
    expect(await spend(2n * sol)).toBe('limit exceeded');
    expect(await spend(sol, {}, keyOf('stranger'))).toBe('unknown delegate');
    world.setTime(start + 100);
    expect(await spend(sol)).toBe('none');
    world.setTime(start + 149);
    expect(await spend(1n)).toBe('limit exceeded');
    world.setTime(start + 150);
    expect(await spend(3n * sol)).toBe('none');
    world.setTime(start + 1_000);
    expect(await spend(1n)).toBe('expired');
    expect(world.balanceOf(friend)).toBe(6n * sol);
  });

  it('a raised epoch ends delegates and what was signed', async () => {
    world.send([create()]);
    await register({});
    const keys = admins.slice(1);
    expect(
      world.send([raiseEpoch(wallet, { epoch: 0, signers: [delegate.address] })], [delegate]),
    ).toBe('not enough signers');
    expect(world.send([raiseEpoch(wallet, { epoch: 0, signers: addresses(keys) })], keys)).toBe(
      'none',
    );
    expect(await spend(sol)).toBe('unknown delegate');
    expect(executeBy(pay(sol), keys)).toBe('wrong epoch');
    expect(executeBy(pay(sol), keys, 1)).toBe('none');
  });
});
