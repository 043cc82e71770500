import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOfBase58 } from './base58.ts';
import type { Instruction } from './message.ts';

/** Programs that stand on every cluster, and what of them is read. */

export const systemProgram = '11111111111111111111111111111111';
export const computeBudgetProgram = 'ComputeBudget111111111111111111111111111111';
export const associatedTokenProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const tokenPrograms: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];

const text = new TextEncoder();

/**
 * True when only this program can sign for the address: it was made of the program and these seeds.
 */
export function isDerived(
  address: string,
  program: string,
  seeds: readonly (string | Uint8Array)[],
): boolean {
  const wanted = bytesOfBase58(address);
  const parts = seeds.map((seed) => (typeof seed === 'string' ? text.encode(seed) : seed));
  const tail = [...bytesOfBase58(program), ...text.encode('ProgramDerivedAddress')];
  // Which of the 256 the programs take, a curve decides; nobody has a key for any of them, so any
  // will do here.
  for (let bump = 255; bump >= 0; bump--) {
    const found = sha256(new Uint8Array([...parts.flatMap((part) => [...part]), bump, ...tail]));
    if (found.every((byte, at) => byte === wanted[at])) return true;
  }
  return false;
}

/** Whether the account is the one in which this owner keeps the token. */
export function isTokenAccountOf(
  account: string,
  { owner, mint, tokenProgram }: { owner: string; mint: string; tokenProgram: string },
): boolean {
  return isDerived(account, associatedTokenProgram, [
    bytesOfBase58(owner),
    bytesOfBase58(tokenProgram),
    bytesOfBase58(mint),
  ]);
}

/** @throws TypeError past the end */
export function readU64(data: Uint8Array, at: number): bigint {
  if (at + 8 > data.length) throw new TypeError('an instruction ends too early');
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(at, true);
}

export interface AccountCreation {
  readonly payer: string;
  readonly account: string;
  readonly owner: string;
  readonly mint: string;
  readonly tokenProgram: string;
}

/**
 * The making of an owner's token account; undefined for anything else, and where the account is
 * another.
 */
export function readAccountCreation({
  program,
  accounts,
  data,
}: Instruction): AccountCreation | undefined {
  if (program !== associatedTokenProgram || accounts.length !== 6) return undefined;
  if (data.length > 1 || (data.length === 1 && data[0]! > 1)) return undefined;
  const [payer, account, owner, mint, system, tokenProgram] = accounts.map(
    ({ address }) => address,
  ) as [string, string, string, string, string, string];
  const isUsual = system === systemProgram && tokenPrograms.includes(tokenProgram);
  return isUsual && isTokenAccountOf(account, { owner, mint, tokenProgram })
    ? { payer, account, owner, mint, tokenProgram }
    : undefined;
}

/** The advance of a nonce. */
export function isNonceAdvance({ program, data }: Instruction): boolean {
  return (
    program === systemProgram &&
    data.length === 4 &&
    data[0] === 4 &&
    data[1] === 0 &&
    data[2] === 0 &&
    data[3] === 0
  );
}
