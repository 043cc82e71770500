import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { hexOfBytes } from '../bytes.ts';
import { base58Of, bytesOfBase58 } from './base58.ts';

/** A transaction, out of the bytes that are signed. */

export interface Account {
  readonly address: string;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

export interface Instruction {
  readonly program: string;
  readonly accounts: readonly Account[];
  readonly data: Uint8Array;
}

export interface Message {
  /** What Ed25519 keys sign. */
  readonly bytes: Uint8Array;
  /** The fee payer first. */
  readonly signers: readonly string[];
  readonly instructions: readonly Instruction[];
}

export const secp256r1Program = 'Secp256r1SigVerify1111111111111111111111111';
/** The most bytes that a transaction has on the wire. */
const wireMax = 1_232;
const textMax = 2 * wireMax;

/**
 * @param transaction base58, legacy or version 0
 * @throws TypeError for anything else, and for one with lookup tables: what those hold only a node
 * can say
 */
export function readTransaction(transaction: unknown): Message {
  if (typeof transaction !== 'string' || transaction.length > textMax)
    throw new TypeError('there is no transaction of a size that the network takes');
  const wire = bytesOfBase58(transaction);
  const reader = createReader(wire);
  const signatures = reader.length();
  reader.take(64 * signatures);
  const message = readMessage(wire.subarray(reader.at()));
  if (message.signers.length !== signatures)
    throw new TypeError('it has another number of signatures than of signers');
  return message;
}

/** @param bytes what Ed25519 keys sign @throws TypeError as {@link readTransaction} */
export function readMessage(bytes: Uint8Array): Message {
  const reader = createReader(bytes);
  const first = reader.byte();
  if (first > 0x80) throw new TypeError('it is of a version that is not read here');
  const signerCount = first === 0x80 ? reader.byte() : first;
  const [readonlySigners, readonlyOthers] = [reader.byte(), reader.byte()];
  const addresses = Array.from({ length: reader.length() }, () => base58Of(reader.take(32)));
  if (
    signerCount === 0 ||
    readonlySigners >= signerCount ||
    signerCount + readonlyOthers > addresses.length
  )
    throw new TypeError('its accounts are not counted right');
  if (new Set(addresses).size !== addresses.length)
    throw new TypeError('it names an account twice');
  reader.take(32);
  const compiled = Array.from({ length: reader.length() }, () => ({
    program: reader.byte(),
    accounts: [...reader.take(reader.length())],
    data: reader.take(reader.length()),
  }));
  if (first === 0x80 && reader.length() > 0)
    throw new TypeError('it names accounts by a lookup table, whose content only a node knows');
  if (reader.at() !== bytes.length) throw new TypeError('there are bytes behind it');
  const programs = new Set(compiled.map(({ program }) => program));
  const accountAt = (index: number): Account => {
    const address = addresses[index];
    if (address === undefined) throw new TypeError('it names an account that it does not have');
    const isSigner = index < signerCount;
    const writableEnd = isSigner
      ? signerCount - readonlySigners
      : addresses.length - readonlyOthers;
    // Whatever a transaction says, it cannot write programs that it calls.
    return { address, isSigner, isWritable: index < writableEnd && !programs.has(index) };
  };
  const instructions = compiled.map(({ program, accounts, data }) => ({
    program: accountAt(program).address,
    accounts: accounts.map(accountAt),
    data,
  }));
  return { bytes, signers: addresses.slice(0, signerCount), instructions };
}

function createReader(bytes: Uint8Array) {
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new TypeError('it ends too early');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const byte = () => take(1)[0]!;
  return {
    at: () => at,
    take,
    byte,
    /** A number of up to 16 bits in up to three bytes ("shortvec"), written in the shortest way. */
    length(): number {
      let value = 0;
      for (let shift = 0; shift < 21; shift += 7) {
        const next = byte();
        value |= (next & 0x7f) << shift;
        if (next > 0x7f) continue;
        if (next === 0 && shift > 0) break;
        return value;
      }
      throw new TypeError('a length is not written in the usual way');
    },
  };
}

/** What approvals show of a transaction that Ed25519 keys sign: its SHA-256. */
export function digestOf({ bytes }: Message): string {
  return base58Of(sha256(bytes));
}

/** True where P-256 keys approve: their approvals are put into an instruction that stands empty. */
export function isApprovedByP256({ instructions }: Message): boolean {
  return instructions.some(
    ({ program, data }) => program === secp256r1Program && data.length === 0,
  );
}

const domain = 'Purser Solana wallet operation 1';

/**
 * What devices sign as a message, and passkeys as the challenge: of every instruction but the one
 * with the approvals.
 */
export function approvalHashOf({ instructions }: Message): `0x${string}` {
  const hash = keccak_256.create().update(new TextEncoder().encode(domain));
  for (const { program, accounts, data } of instructions) {
    if (program === secp256r1Program) continue;
    hash.update(u16(accounts.length));
    for (const { address, isSigner, isWritable } of accounts)
      hash
        .update(Uint8Array.of((isSigner ? 1 : 0) | (isWritable ? 2 : 0)))
        .update(bytesOfBase58(address));
    hash.update(bytesOfBase58(program)).update(u16(data.length)).update(data);
  }
  return hexOfBytes(hash.digest());
}

function u16(value: number): Uint8Array {
  return Uint8Array.of(value & 255, value >> 8);
}
