import { type Address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createWallet,
  encodeApprovals,
  execute,
  findDelegate,
  findWallet,
  instructionsSysvar,
  type P256Approval,
  p256Instruction,
  raiseEpoch,
  type Setup,
  secp256r1Program,
  setDelegate,
  transferSol,
  type WalletAddresses,
} from './index.ts';
import { type Assertion, approve, type P256TestKey, p256KeyOf } from './testing/p256-keys.ts';
import { type Approve, keyOf, memberOf, programAddress, sol, World } from './testing/world.ts';

const world = new World();
const passkey = p256KeyOf('passkey', 'phone');
const second = p256KeyOf('passkey', 'tablet');
const device = p256KeyOf('device', 'laptop');
const friend = keyOf('friend').address;
const operator = keyOf('operator');

let wallet: WalletAddresses;
let setup: Setup;
let salt = 0;

beforeEach(() => {
  setup = {
    salt: new Uint8Array(32).fill(++salt),
    groups: [
      { threshold: 1, members: [passkey] },
      { threshold: 2, members: [memberOf(operator), second] },
    ],
    delegates: [
      { key: device, expiresAt: 0n, scopes: [{ limit: 5n * sol, interval: 0n, recipients: [] }] },
    ],
  };
  wallet = walletOf(setup);
  world.fund(friend, 0n);
});

function walletOf(of: Setup, program = programAddress): WalletAddresses {
  const made = findWallet(program, of);
  world.fund(made.vault, 100n * sol);
  expect(world.send([createWallet(made, of, world.payer.address)])).toBe('none');
  return made;
}

const inOneHour = () => BigInt(world.time + 3_600);
const pay = (from: WalletAddresses, amount = sol) =>
  getTransferSolInstruction({ source: createNoopSigner(from.vault), destination: friend, amount });
const payment = (
  number = 1n,
  from = wallet,
  change: { deadline?: bigint; signers?: readonly Address[] } = {},
) => execute(from, pay(from), { epoch: 0, deadline: inOneHour(), number, signers: [], ...change });
const by =
  (key: P256TestKey, change?: Assertion): Approve =>
  (hash) => [approve(key, hash, change)];
const withApproval = (...instructions: Instruction[]) => [p256Instruction(), ...instructions];
const send = (instruction: Instruction, approving: Approve) =>
  world.send(withApproval(instruction), [], approving);

describe('a passkey of the admin', () => {
  it('acts alone when it is one of the recovery methods', () => {
    expect(send(payment(), by(passkey))).toBe('none');
    expect(world.balanceOf(friend)).toBe(sol);
  });

  it('is one of the members of a quorum, together with a key that signs the transaction', () => {
    const instruction = payment(1n, wallet, { signers: [operator.address] });
    expect(send(payment(), by(second))).toBe('not enough signers');
    expect(world.send(withApproval(instruction), [operator], by(device))).toBe(
      'not enough signers',
    );
    expect(world.send(withApproval(instruction), [operator], by(second))).toBe('none');
  });

  it('approves once: the same number, approved or stolen, runs no second time', () => {
    let stolen: readonly P256Approval[] = [];
    const keep: Approve = (hash) => {
      stolen = [approve(passkey, hash)];
      return stolen;
    };
    const instruction = payment(7n);
    expect(send(instruction, keep)).toBe('none');
    expect(send(instruction, () => stolen)).toBe('number used');
    expect(send(payment(7n), by(passkey))).toBe('number used');
    expect(send(payment(6n), by(passkey))).toBe('none');
    expect(send(payment(1_000n), by(passkey))).toBe('none');
    expect(send(payment(8n), by(passkey))).toBe('number used');
    expect(send(payment(999n), by(passkey))).toBe('none');
    expect(send(payment(960n), by(passkey))).toBe('none');
    expect(send(payment(960n), by(passkey))).toBe('number used');
    expect(send(payment(2n ** 64n - 1n), by(passkey))).toBe('none');
    expect(send(payment(1_001n), by(passkey))).toBe('number used');
  });

  it('approves with a deadline, and never after it', () => {
    expect(send(payment(1n, wallet, { deadline: undefined }), by(passkey))).toBe('bad instruction');
    const instruction = payment();
    const deadline = world.time + 3_600;
    world.setTime(deadline + 1);
    expect(send(instruction, by(passkey))).toBe('past its deadline');
    world.setTime(deadline);
    expect(send(instruction, by(passkey))).toBe('none');
  });

  it('approves the whole transaction: not another amount, recipient, order, wallet, nor one instruction more', () => {
    let stolen: readonly P256Approval[] = [];
    const keep: Approve = (hash) => {
      stolen = [approve(passkey, hash)];
      return [];
    };
    const other = walletOf({ ...setup, salt: new Uint8Array(32).fill(250) });
    const signed = [payment(1n), payment(2n)];
    world.send(withApproval(...signed), [], keep);
    const replay = (...instructions: Instruction[]) =>
      world.send(withApproval(...instructions), [], () => stolen);
    const larger = execute(wallet, pay(wallet, 2n * sol), {
      epoch: 0,
      deadline: inOneHour(),
      number: 2n,
      signers: [],
    });
    expect(replay(signed[0]!)).toBe('not enough signers');
    expect(replay(signed[0]!, larger)).toBe('not enough signers');
    expect(replay(signed[1]!, signed[0]!)).toBe('not enough signers');
    expect(replay(...signed, pay({ ...wallet, vault: world.payer.address }))).toBe(
      'not enough signers',
    );
    expect(replay(payment(1n, other), payment(2n, other))).toBe('not enough signers');
    expect(replay(...signed.map((one) => ({ ...one, data: one.data!.with(1, 1) })))).toBe(
      'wrong epoch',
    );
    expect(world.balanceOf(friend)).toBe(0n);
    expect(replay(...signed)).toBe('none');
    expect(world.balanceOf(friend)).toBe(2n * sol);
  });

  it('approves for one program: another at whose address the same code stands believes none of it', () => {
    const otherProgram = keyOf('another program').address;
    world.addProgram(otherProgram);
    const twin = walletOf(setup, otherProgram);
    let signed: readonly P256Approval[] = [];
    const keep: Approve = (hash) => {
      signed = [approve(passkey, hash)];
      return [];
    };
    const replay = (instruction: Instruction) => send(instruction, () => signed);
    const [own, others] = [payment(), payment(1n, twin)];
    send(others, keep);
    expect(replay(own)).toBe('not enough signers');
    // Signed for the accounts of the wallet too, so that the program alone is another.
    send({ ...own, programAddress: otherProgram }, keep);
    expect(replay(own)).toBe('not enough signers');
    expect(world.balanceOf(friend)).toBe(0n);
    send(own, keep);
    expect(replay(others)).toBe('not enough signers');
    expect(replay(own)).toBe('none');
    send(others, keep);
    expect(replay(others)).toBe('none');
    expect(world.balanceOf(friend)).toBe(2n * sol);
  });

  it.each<[string, Assertion]>([
    ['nobody present', { flags: 4 }],
    ['nobody verified', { flags: 1 }],
    ['a backup that cannot be', { flags: 5 + 16 }],
    ['a registration instead of an approval', { type: 'webauthn.create' }],
    [
      'another challenge',
      {
        clientData: `{"type":"webauthn.get","challenge":"${'A'.repeat(43)}","origin":"https://wallet.example"}`,
      },
    ],
    ['no challenge', { clientData: '{"type":"webauthn.get"}' }],
  ])('with %s approves nothing', (_, change) => {
    expect(send(payment(), by(passkey, change))).toBe('not enough signers');
    expect(send(payment(), by(passkey))).toBe('none');
  });

  it('is believed with the text that the standard wants: type, challenge, its end, and whatever follows', () => {
    const text = (hash: Uint8Array, end: string, start = '{"type":"webauthn.get","challenge":"') =>
      `${start}${Buffer.from(hash).toString('base64url')}${end}`;
    const by = (write: (hash: Uint8Array) => string) =>
      send(payment(), (hash) => [approve(passkey, hash, { clientData: write(hash) })]);
    expect(by((hash) => text(hash, 'A","origin":""}'))).toBe('not enough signers');
    expect(by((hash) => text(hash, ''))).toBe('not enough signers');
    expect(by((hash) => text(hash, '"}', '{"challenge":"'))).toBe('not enough signers');
    expect(by((hash) => text(hash, '"}', '{"type":"webauthn.get", "challenge":"'))).toBe(
      'not enough signers',
    );
    expect(
      by((hash) => text(hash, '","origin":"https://\u00e4","crossOrigin":true,"more":[1]}')),
    ).toBe('none');
  });

  it('is counted once, however often it signs', () => {
    const both: Setup = {
      ...setup,
      salt: new Uint8Array(32).fill(251),
      groups: [{ threshold: 2, members: [passkey, second] }],
    };
    const other = walletOf(both);
    expect(
      send(payment(1n, other), (hash) => [approve(passkey, hash), approve(passkey, hash)]),
    ).toBe('not enough signers');
    expect(
      send(payment(1n, other), (hash) => [approve(passkey, hash), approve(second, hash)]),
    ).toBe('none');
  });
});

describe('the secp256r1 instruction', () => {
  /** Its data with the offsets of the first signature changed. */
  const tampered = (change: (data: Uint8Array) => void) => {
    const instruction = payment();
    let data = new Uint8Array();
    world.send(withApproval(instruction), [], (hash) => {
      data = new Uint8Array(encodeApprovals([approve(passkey, hash)]));
      return [];
    });
    change(data);
    return world.send([{ programAddress: secp256r1Program, data }, instruction]);
  };

  it('counts when it holds what was signed itself, and as it is', () => {
    expect(tampered(() => {})).toBe('none');
  });

  it.each([
    ['signature', 4],
    ['key', 8],
    ['message', 14],
  ])('does not count when its %s is that of another instruction', (_, at) => {
    expect(tampered((data) => data.set([0, 0], at))).toBe('not enough signers');
  });

  it('fails the transaction when a signature is wrong', () => {
    expect(tampered((data) => data.set([data[20]! ^ 1], 20))).not.toBe('none');
    expect(tampered((data) => data.set([9], 0))).not.toBe('none');
    expect(tampered((data) => data.set([0], 0))).not.toBe('none');
  });

  it('is looked for in the sysvar of the runtime and in nothing that looks like it', () => {
    const instruction = payment();
    const fake = keyOf('fake sysvar').address;
    world.machine.write(fake, {
      lamports: sol,
      owner: programAddress,
      data: new Uint8Array(500),
      executable: false,
    });
    const accounts = instruction.accounts!.map((one) =>
      one.address === instructionsSysvar ? { ...one, address: fake } : one,
    );
    expect(send({ ...instruction, accounts }, by(passkey))).toBe('not enough signers');
  });
});

describe('a device that is a delegate', () => {
  const call = (number = 1n, amount = sol) => ({
    delegate: device,
    account: findDelegate(wallet, device),
    epoch: 0,
    generation: 1,
    scope: 0,
    amount,
    deadline: inOneHour(),
    number,
  });
  const register = () =>
    send(
      setDelegate(
        wallet,
        {
          key: device,
          expiresAt: 0n,
          scopes: [{ limit: 5n * sol, interval: 0n, recipients: [friend] }],
        },
        {
          epoch: 0,
          deadline: inOneHour(),
          number: 1n,
          generation: 0,
          signers: [],
          account: findDelegate(wallet, device),
          payer: world.payer.address,
        },
      ),
      by(passkey),
    );

  it('transfers within its scope, once for each number', () => {
    expect(register()).toBe('none');
    expect(send(transferSol(wallet, friend, call()), by(device))).toBe('none');
    expect(send(transferSol(wallet, friend, call()), by(device))).toBe('number used');
    expect(send(transferSol(wallet, friend, call(2n, 5n * sol)), by(device))).toBe(
      'limit exceeded',
    );
    expect(send(transferSol(wallet, friend, call(2n)), by(passkey))).toBe('not enough signers');
    expect(send(transferSol(wallet, friend, call(2n)), by({ ...device, kind: 'passkey' }))).toBe(
      'not enough signers',
    );
    expect(send(transferSol(wallet, friend, { ...call(), number: undefined }), by(device))).toBe(
      'not enough signers',
    );
    expect(world.balanceOf(friend)).toBe(sol);
  });

  it("is no admin, and its account no other delegate's", () => {
    register();
    expect(send(payment(9n), by(device))).toBe('not enough signers');
    expect(
      send(
        raiseEpoch(wallet, { epoch: 0, deadline: inOneHour(), number: 9n, signers: [] }),
        by(device),
      ),
    ).toBe('not enough signers');
    const other = p256KeyOf('device', 'another');
    expect(send(transferSol(wallet, friend, { ...call(2n), delegate: other }), by(other))).toBe(
      'not enough signers',
    );
    expect(
      send(
        transferSol(wallet, friend, { ...call(2n), account: findDelegate(wallet, other) }),
        by(other),
      ),
    ).toBe('unknown delegate');
  });

  it('keeps the numbers it used when it is registered anew', () => {
    register();
    send(transferSol(wallet, friend, call(5n)), by(device));
    const again = setDelegate(
      wallet,
      {
        key: device,
        expiresAt: 0n,
        scopes: [
          { interval: 0n, recipients: [] },
          { interval: 1n, recipients: [] },
        ],
      },
      {
        epoch: 0,
        deadline: inOneHour(),
        number: 2n,
        generation: 1,
        signers: [],
        account: findDelegate(wallet, device),
        payer: world.payer.address,
      },
    );
    expect(send(again, by(passkey))).toBe('none');
    expect(send(transferSol(wallet, friend, { ...call(5n), generation: 2 }), by(device))).toBe(
      'number used',
    );
    expect(
      send(transferSol(wallet, friend, { ...call(6n), generation: 2, scope: 1 }), by(device)),
    ).toBe('none');
  });
});
