import { readFileSync } from 'node:fs';
import {
  AccountRole,
  type Address,
  createNoopSigner,
  getAddressEncoder,
  type Instruction,
} from '@solana/kit';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, it } from 'vitest';
import { memoPrograms, upgradeableLoader } from '../../devnet/solana/program-ids.ts';
import { programPath } from './build.ts';
import { createWallet, derive, execute, findWallet, type Setup } from './index.ts';
import { type Key, keyOf, memberOf, sol, system, World } from './testing/world.ts';

/**
 * As operators deploy it: into a buffer, from there to its address, and then nobody can change it
 * any more.
 */

const world = new World();
const loader = upgradeableLoader as Address;
const [memo] = [...memoPrograms] as [Address];
const [operator, buffer, program, admin] = ['operator', 'buffer', 'new program', 'admin'].map(
  (name) => keyOf(name),
) as [Key, Key, Key, Key];
const dataOf = ({ address }: Key) =>
  derive(loader, [new Uint8Array(getAddressEncoder().encode(address))]);
const programData = dataOf(program);
const rent = 'SysvarRent111111111111111111111111111111111' as Address;
const clock = 'SysvarC1ock11111111111111111111111111111111' as Address;
const file = new Uint8Array(readFileSync(programPath));
/** Where an ELF file says which version of SBPF it is in. */
const flagsAt = 48;
const versionOf = (elf: Uint8Array) => Buffer.from(elf).readUInt32LE(flagsAt);
const bytesPerWrite = 900;

const u32 = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];
const u64 = (value: number) => [...u32(value), 0, 0, 0, 0];
const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
const readonly = (address: Address) => ({ address, role: AccountRole.READONLY });
const signer = ({ address }: Key, role = AccountRole.READONLY_SIGNER) => ({ address, role });
const call = (accounts: Instruction['accounts'], ...data: number[]): Instruction => ({
  programAddress: loader,
  accounts: accounts!,
  data: new Uint8Array(data),
});
const open = (key: Key, bytes: number) =>
  getCreateAccountInstruction({
    payer: createNoopSigner(world.payer.address),
    newAccount: createNoopSigner(key.address),
    lamports: world.machine.rentOf(bytes),
    space: bytes,
    programAddress: loader,
  });

function fill(into: Key, content = file): string[] {
  const opened = world.send(
    [
      open(into, 37 + content.length),
      call([writable(into.address), readonly(operator.address)], ...u32(0)),
    ],
    [into],
  );
  const writes = Array.from({ length: Math.ceil(content.length / bytesPerWrite) }, (_, index) => {
    const part = content.subarray(index * bytesPerWrite, (index + 1) * bytesPerWrite);
    const data = [...u32(1), ...u32(index * bytesPerWrite), ...u64(part.length), ...part];
    return world.send([call([writable(into.address), signer(operator)], ...data)], [operator]);
  });
  return [opened, ...writes];
}

const deployAt = (at: Key, from: Key, size: number): Instruction =>
  call(
    [
      signer(world.payer, AccountRole.WRITABLE_SIGNER),
      writable(dataOf(at)),
      writable(at.address),
      writable(from.address),
      readonly(rent),
      readonly(clock),
      readonly(system),
      signer(operator),
    ],
    ...u32(2),
    ...u64(size),
  );

const upgrade = (from: Key) =>
  world.send(
    [
      call(
        [
          writable(programData),
          writable(program.address),
          writable(from.address),
          writable(world.payer.address),
          readonly(rent),
          readonly(clock),
          signer(operator),
        ],
        ...u32(3),
      ),
    ],
    [operator],
  );

describe('the Solana wallet program, deployed by the upgradeable loader', () => {
  it('runs, and nobody changes it once its authority is taken away', () => {
    expect(new Set(fill(buffer))).toEqual(new Set(['none']));
    const deploy = deployAt(program, buffer, file.length);
    expect(world.send([open(program, 36), deploy], [program, operator])).toBe('none');
    // A program can be called from the slot after the one that deployed it.
    world.setTime(world.time + 100);
    const held = world.machine.read(programData)!.data;
    expect(Buffer.from(held.subarray(45)).equals(file)).toBe(true);
    const setup: Setup = {
      salt: new Uint8Array(32).fill(1),
      groups: [{ threshold: 1, members: [memberOf(admin)] }],
      delegates: [],
    };
    const wallet = findWallet(program.address, setup);
    world.fund(wallet.vault, 2n * sol);
    const inner = getTransferSolInstruction({
      source: createNoopSigner(wallet.vault),
      destination: operator.address,
      amount: sol,
    });
    const act = execute(wallet, inner, { epoch: 0, signers: [admin.address] });
    expect(world.send([createWallet(wallet, setup, world.payer.address), act], [admin])).toBe(
      'none',
    );

    expect(
      world.send([call([writable(programData), signer(operator)], ...u32(4))], [operator]),
    ).toBe('none');
    const second = keyOf('second buffer');
    expect(new Set(fill(second))).toEqual(new Set(['none']));
    world.setTime(world.time + 100);
    expect(upgrade(second)).toBe('Immutable');
    expect(Buffer.from(world.machine.read(programData)!.data.subarray(45)).equals(file)).toBe(true);
  });

  it('is of SBPF version 3, and files of versions before are not deployed any more (SIMD-0500)', () => {
    expect(versionOf(file)).toBe(3);
    // The machine has every feature, and so SIMD-0500's (disable_sbpf_v0_v1_v2_deployment): a
    // program of version 0 that runs there cannot be deployed once more.
    const old = new Uint8Array(world.machine.read(memo)!.data);
    expect(versionOf(old)).toBe(0);
    const note = { programAddress: memo, accounts: [], data: Uint8Array.from(Buffer.from('note')) };
    expect(world.send([note])).toBe('none');
    const [at, from] = [keyOf('old program'), keyOf('old buffer')];
    expect(new Set(fill(from, old))).toEqual(new Set(['none']));
    const deploy = deployAt(at, from, old.length);
    expect(world.send([open(at, 36), deploy], [at, operator])).toBe('InvalidAccountData');
  });
});
