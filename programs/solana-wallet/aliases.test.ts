import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createWallet,
  findDelegate,
  findWallet,
  type Setup,
  setDelegate,
  transferSol,
  type WalletAddresses,
} from './index.ts';
import { keyOf, memberOf, programAddress, sol, system, World } from './testing/world.ts';

/**
 * One account at several places of an instruction, and accounts that somebody prepared before they
 * are made.
 */

const world = new World();
const admin = keyOf('admin');
const delegate = keyOf('delegate');
let salt = 0;
let setup: Setup;
let wallet: WalletAddresses;
let account: Address;

beforeEach(() => {
  setup = {
    salt: new Uint8Array(32).fill(++salt),
    groups: [{ threshold: 1, members: [memberOf(admin)] }],
    delegates: [],
  };
  wallet = findWallet(programAddress, setup);
  account = findDelegate(wallet, memberOf(delegate));
  world.fund(wallet.vault, 100n * sol);
});

const create = () => createWallet(wallet, setup, world.payer.address);
const register = (recipients: Address[] = []) =>
  setDelegate(
    wallet,
    {
      key: memberOf(delegate),
      expiresAt: 0n,
      scopes: [{ limit: 3n * sol, interval: 0n, recipients }],
    },
    { epoch: 0, generation: 0, account, payer: world.payer.address, signers: [admin.address] },
  );
const spend = (recipient: Address, amount = sol) =>
  transferSol(wallet, recipient, {
    delegate: memberOf(delegate),
    account,
    epoch: 0,
    generation: 1,
    scope: 0,
    amount,
  });
const replace = (
  instruction: Instruction,
  index: number,
  address: Address,
  role?: AccountRole,
): Instruction => ({
  ...instruction,
  accounts: instruction.accounts!.map((one, at) =>
    at === index ? { address, role: role ?? one.role } : one,
  ),
});

describe('an account at two places of an instruction', () => {
  it.each<[string, () => Address]>([
    ['the vault itself', () => wallet.vault],
    ['the delegate’s account', () => account],
    ['the delegate', () => delegate.address],
    ['the state', () => wallet.state],
  ])('takes from the limit like others: %s', (_, recipient) => {
    expect(world.send([create(), register()], [admin])).toBe('none');
    world.fund(delegate.address, sol);
    const before = world.machine.read(wallet.state)!.data;
    const moved = recipient() === wallet.vault ? 0n : 3n * sol;
    expect(world.send([spend(recipient()), spend(recipient(), 2n * sol)], [delegate])).toBe('none');
    expect(world.send([spend(recipient(), 1n)], [delegate])).toBe('limit exceeded');
    expect(world.balanceOf(wallet.vault)).toBe(100n * sol - moved);
    expect(world.machine.read(wallet.state)!.data).toEqual(before);
  });

  it('is no other account: delegate, state and vault in each other’s places', () => {
    world.send([create(), register([delegate.address])], [admin]);
    const places = [wallet.state, account, delegate.address, wallet.vault];
    for (const [at] of places.entries())
      for (const [from, address] of places.entries())
        if (from !== at) {
          const role =
            address === delegate.address ? AccountRole.READONLY_SIGNER : AccountRole.WRITABLE;
          const swapped = replace(spend(delegate.address), at, address, role);
          expect(
            world.send(
              [swapped],
              swapped.accounts!.some((one) => one.role === AccountRole.READONLY_SIGNER)
                ? [delegate]
                : [],
            ),
          ).not.toBe('none');
        }
    expect(world.balanceOf(wallet.vault)).toBe(100n * sol);
  });

  it('cannot pay for itself', () => {
    world.fund(wallet.state, 1_000_000n);
    expect(world.send([replace(create(), 0, wallet.state, AccountRole.WRITABLE)])).not.toBe('none');
    world.fund(account, 1_000_000n);
    world.send([create()]);
    expect(world.send([replace(register(), 2, account, AccountRole.WRITABLE)], [admin])).not.toBe(
      'none',
    );
    expect(world.send([register()], [admin])).toBe('none');
  });
});

describe('an account that is not there yet', () => {
  it.each([1n, 890_880n, 1_000n * sol])(
    'is made all the same when a stranger has sent %i lamports there',
    (lamports) => {
      world.fund(wallet.state, lamports);
      world.fund(account, lamports);
      expect(world.send([create(), register()], [admin])).toBe('none');
      expect(world.machine.read(account)).toMatchObject({ owner: programAddress });
      expect(world.send([create()])).toBe('none');
      expect(world.send([register()], [admin])).toBe('wrong generation');
    },
  );

  it('is the program’s for ever: what it holds cannot be taken out, and it is not made anew', () => {
    world.send([create(), register()], [admin]);
    const taking = (from: Address): Instruction => ({
      programAddress: system,
      accounts: [
        { address: from, role: AccountRole.WRITABLE },
        { address: delegate.address, role: AccountRole.WRITABLE },
      ],
      data: new Uint8Array([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
    });
    expect(world.send([taking(wallet.state)])).not.toBe('none');
    expect(world.send([taking(account)])).not.toBe('none');
  });
});
