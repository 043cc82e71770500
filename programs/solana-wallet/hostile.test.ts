import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createWallet,
  execute,
  executeByDelegate,
  findDelegate,
  findWallet,
  type Registration,
  raiseEpoch,
  removeDelegate,
  type Setup,
  setDelegate,
  transferSol,
  type WalletAddresses,
  writePlanned,
} from './index.ts';
import { openWallet, saltOf } from './testing/wallets.ts';
import { type Key, keyOf, memberOf, programAddress, sol, system, World } from './testing/world.ts';

const world = new World();
const admin = keyOf('admin');
const partner = keyOf('partner');
const planned = keyOf('planned delegate');
const thief = keyOf('thief');
const friend = keyOf('friend').address;
/**
 * The same program at another address: a program of somebody else's that calls whatever it is told
 * to.
 */
const otherProgram = keyOf('another program').address;
world.addProgram(otherProgram);

const registration: Registration = {
  key: memberOf(planned),
  expiresAt: 0n,
  scopes: [{ limit: 3n * sol, interval: 0n, recipients: [] }],
};

let wallet: WalletAddresses;
let setup: Setup;
let count = 0;

beforeEach(() => {
  setup = {
    salt: saltOf(++count),
    groups: [
      { threshold: 1, members: [memberOf(admin)] },
      { threshold: 2, members: [memberOf(partner), memberOf(keyOf('third'))] },
    ],
    delegates: [registration],
  };
  wallet = openWallet(world, setup, 100n * sol);
  world.machine.write(friend, null);
});

const pay = (from: WalletAddresses, amount = sol): Instruction =>
  getTransferSolInstruction({ source: createNoopSigner(from.vault), destination: friend, amount });
const accountOf = (key: Key, of = wallet) => findDelegate(of, memberOf(key));
const write = (one = registration, account = accountOf(planned)) =>
  world.send([writePlanned(wallet, one, { account, payer: world.payer.address })]);
const change = (generation: number) => ({
  epoch: 0,
  generation,
  signers: [admin.address],
  account: accountOf(planned),
  payer: world.payer.address,
});
const acting = (generation = 1) => ({
  delegate: memberOf(planned),
  account: accountOf(planned),
  epoch: 0,
  generation,
});
const spend = (amount: bigint, generation = 1) =>
  world.send([transferSol(wallet, friend, { ...acting(generation), scope: 0, amount })], [planned]);

describe('a delegate of the set-up', () => {
  it('acts without an approval of the admin, as it was planned and not otherwise', () => {
    expect(spend(sol)).toBe('unknown delegate');
    expect(write({ ...registration, scopes: [] })).toBe('unknown delegate');
    expect(write({ ...registration, key: memberOf(thief) }, accountOf(thief))).toBe(
      'unknown delegate',
    );
    expect(write(registration, accountOf(thief))).toBe('bad accounts');
    expect(write()).toBe('none');
    expect(spend(2n * sol)).toBe('none');
    expect(write()).toBe('none');
    expect(spend(2n * sol)).toBe('limit exceeded');
  });

  it('does not come back once the admin removed or replaced it, or ended everything', () => {
    expect(world.send([removeDelegate(wallet, memberOf(planned), change(0))], [admin])).toBe(
      'none',
    );
    expect(write()).toBe('none');
    expect(spend(sol)).toBe('unknown delegate');
    expect(
      world.send([setDelegate(wallet, { ...registration, scopes: [] }, change(1))], [admin]),
    ).toBe('none');
    expect(write()).toBe('none');
    expect(spend(sol)).toBe('wrong generation');
    expect(spend(90n * sol, 2)).toBe('none');
    expect(world.send([raiseEpoch(wallet, { epoch: 0, signers: [admin.address] })], [admin])).toBe(
      'none',
    );
    expect(write()).toBe('none');
    expect(spend(sol, 2)).toBe('unknown delegate');
  });

  it('that nobody wrote down yet is ended as well when everything is', () => {
    expect(world.send([raiseEpoch(wallet, { epoch: 0, signers: [admin.address] })], [admin])).toBe(
      'none',
    );
    expect(write()).toBe('wrong epoch');
  });
});

describe('a delegate without scopes', () => {
  const call = (inner: Instruction) =>
    world.send([executeByDelegate(wallet, inner, acting(1))], [planned]);

  it('has anything signed but this program, and does not give the vault away; one with scopes has nothing signed', () => {
    expect(write()).toBe('none');
    expect(call(pay(wallet))).toBe('out of scope');
    world.send([setDelegate(wallet, { ...registration, scopes: [] }, change(1))], [admin]);
    const free = (inner: Instruction) =>
      world.send([executeByDelegate(wallet, inner, acting(2))], [planned]);
    expect(free(pay(wallet))).toBe('none');
    expect(free(raiseEpoch(wallet, { epoch: 0, signers: [] }))).toBe('forbidden call');
    const vault = { address: wallet.vault, role: AccountRole.WRITABLE_SIGNER };
    const assign = {
      programAddress: system,
      accounts: [vault],
      data: new Uint8Array([1, 0, 0, 0, ...new Uint8Array(32).fill(7)]),
    };
    expect(free(assign)).toBe('forbidden call');
    expect(
      world.send(
        [
          setDelegate(
            wallet,
            { ...registration, key: memberOf(thief) },
            { ...change(0), account: accountOf(thief), signers: [planned.address] },
          ),
        ],
        [planned],
      ),
    ).toBe('not enough signers');
  });
});

describe('an operation', () => {
  it('is refused after its deadline, whoever signs it', () => {
    const deadline = BigInt(world.time);
    const one = execute(wallet, pay(wallet), { epoch: 0, deadline, signers: [admin.address] });
    expect(world.send([one], [admin])).toBe('none');
    world.setTime(world.time + 1);
    expect(world.send([one], [admin])).toBe('past its deadline');
    write();
    const other = transferSol(wallet, friend, { ...acting(), deadline, scope: 0, amount: sol });
    expect(world.send([other], [planned])).toBe('past its deadline');
  });

  it('wants one whole group: members of two are no threshold of either', () => {
    const by = (...keys: Key[]) =>
      world.send(
        [execute(wallet, pay(wallet), { epoch: 0, signers: keys.map(({ address }) => address) })],
        keys,
      );
    expect(by(partner)).toBe('not enough signers');
    expect(by(partner, planned)).toBe('not enough signers');
    expect(by(partner, keyOf('third'))).toBe('none');
    expect(by(admin)).toBe('none');
  });
});

describe('programs of others', () => {
  /**
   * A wallet of the other program, of a thief who calls what he wants with signatures that others
   * gave.
   */
  const intruder = () => {
    const own: Setup = {
      salt: setup.salt,
      groups: [{ threshold: 1, members: [memberOf(thief)] }],
      delegates: [],
    };
    const made = findWallet(otherProgram, own);
    world.fund(made.vault, sol);
    expect(world.send([createWallet(made, own, world.payer.address)])).toBe('none');
    return made;
  };

  it('cannot use a signature that the admin or a delegate gave to a transaction', () => {
    const other = intruder();
    const nested = (inner: Instruction, key: Key) =>
      world.send([execute(other, inner, { epoch: 0, signers: [thief.address] })], [thief, key]);
    expect(
      nested(execute(wallet, pay(wallet), { epoch: 0, signers: [admin.address] }), admin),
    ).toBe('not at the top level of a transaction');
    write();
    const transfer = transferSol(wallet, friend, { ...acting(), scope: 0, amount: sol });
    expect(nested(transfer, planned)).toBe('not at the top level of a transaction');
    expect(world.balanceOf(wallet.vault)).toBe(100n * sol);
  });

  it('cannot come back into the program that called them', () => {
    const other = intruder();
    const back = execute(wallet, pay(wallet), { epoch: 0, signers: [admin.address] });
    const through = execute(other, back, { epoch: 0, signers: [thief.address] });
    const answer = world.send(
      [execute(wallet, through, { epoch: 0, signers: [admin.address] })],
      [admin, thief],
    );
    expect(answer).toMatch(/top level|Reentrancy/);
  });

  it('have wallets of their own at the same set-up: what is signed for one program means nothing to another', () => {
    const twin = findWallet(otherProgram, setup);
    expect(twin.vault).not.toBe(wallet.vault);
    world.send([createWallet(twin, setup, world.payer.address)]);
    const call = { epoch: 0, signers: [admin.address] };
    expect(
      world.send([execute({ ...wallet, program: otherProgram }, pay(wallet), call)], [admin]),
    ).toBe('bad accounts');
    expect(
      world.send([execute({ ...twin, program: programAddress }, pay(twin), call)], [admin]),
    ).toBe('bad accounts');
    expect(
      world.send([execute({ ...wallet, state: twin.state }, pay(wallet), call)], [admin]),
    ).toBe('bad accounts');
  });
});

describe('accounts that are not what they should be', () => {
  const replaced = (
    instruction: Instruction,
    index: number,
    address: Address,
    keys: readonly Key[],
  ) =>
    world.send(
      [
        {
          ...instruction,
          accounts: instruction.accounts!.map((one, at) =>
            at === index ? { ...one, address } : one,
          ),
        },
      ],
      keys,
    );

  it('are refused at each place of a registration', () => {
    const registering = setDelegate(wallet, registration, change(0));
    const spare = keyOf('spare').address;
    world.machine.write(spare, {
      lamports: sol,
      owner: programAddress,
      data: new Uint8Array(400),
      executable: false,
    });
    expect(replaced(registering, 0, spare, [admin])).toBe('bad instruction');
    expect(replaced(registering, 1, spare, [admin])).toBe('bad accounts');
    expect(replaced(registering, 1, wallet.state, [admin])).toBe('bad accounts');
    expect(replaced(registering, 3, spare, [admin])).not.toBe('none');
    const readOnly = registering.accounts!.map((one, at) =>
      at === 1 ? { ...one, role: AccountRole.READONLY } : one,
    );
    expect(world.send([{ ...registering, accounts: readOnly }], [admin])).not.toBe('none');
    expect(world.send([registering], [admin])).toBe('none');
  });

  it('are refused at each place of a creation', () => {
    const other: Setup = { ...setup, salt: saltOf(1_000) };
    const creating = createWallet(findWallet(programAddress, other), other, world.payer.address);
    expect(replaced(creating, 1, wallet.state, [])).toBe('bad accounts');
    expect(replaced(creating, 1, wallet.vault, [])).toBe('bad accounts');
    expect(replaced(creating, 2, otherProgram, [])).not.toBe('none');
    expect(world.send([creating])).toBe('none');
  });

  it('named twice count once, and writable ones are not written', () => {
    const instruction = execute(wallet, pay(wallet), {
      epoch: 0,
      signers: [partner.address, partner.address],
    });
    expect(world.send([instruction], [partner])).toBe('not enough signers');
    const before = world.machine.read(wallet.state)!.data;
    const writable = execute(wallet, pay(wallet), { epoch: 0, signers: [admin.address] });
    const all = writable.accounts!.map((one) =>
      one.role === AccountRole.READONLY ? { ...one, role: AccountRole.WRITABLE } : one,
    );
    expect(world.send([{ ...writable, accounts: all }], [admin])).toBe('none');
    expect(world.machine.read(wallet.state)!.data).toEqual(before);
    const self = getTransferSolInstruction({
      source: createNoopSigner(wallet.vault),
      destination: wallet.vault,
      amount: sol,
    });
    expect(
      world.send([execute(wallet, self, { epoch: 0, signers: [admin.address] })], [admin]),
    ).toBe('none');
    expect(world.balanceOf(wallet.vault)).toBe(99n * sol);
  });

  it.each([0, 1, 4, 19, 20])('an instruction cut to %i bytes is refused', (bytes) => {
    for (const whole of [
      execute(wallet, pay(wallet), { epoch: 0, signers: [admin.address] }),
      setDelegate(wallet, registration, change(0)),
      removeDelegate(wallet, memberOf(planned), change(0)),
      transferSol(wallet, friend, { ...acting(), scope: 0, amount: sol }),
      executeByDelegate(wallet, pay(wallet), acting()),
    ])
      expect(
        world.send([{ ...whole, data: whole.data!.slice(0, bytes) }], [...signersOf(whole)]),
      ).not.toBe('none');
    expect(world.balanceOf(wallet.vault)).toBe(100n * sol);
  });

  function signersOf({ accounts = [] }: Instruction): Key[] {
    return [admin, planned].filter(({ address }) =>
      accounts.some((one) => one.address === address && one.role >= 2),
    );
  }
});
