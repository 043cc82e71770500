import { createHash } from 'node:crypto';
import type { Account } from './accounts.ts';
import { readU32, toBase58 } from './base.ts';
import { systemProgram } from './program-ids.ts';

export interface Nonce {
  readonly authority: string;
  readonly value: string;
}

const nonceBytes = 80;
const valueOffset = 40;

/** Undefined when this is no nonce account that was set up. */
export function readNonce({ owner, data }: Account): Nonce | undefined {
  if (
    owner !== systemProgram ||
    data.length !== nonceBytes ||
    readU32(data, 0) !== 1 ||
    readU32(data, 4) !== 1
  )
    return undefined;
  return {
    authority: toBase58(data.subarray(8, 40)),
    value: toBase58(data.subarray(valueOffset, valueOffset + 32)),
  };
}

/** The account with the nonce that a block gives: one for each block, and no block's hash. */
export function withNonceOf(account: Account, blockSeed: Uint8Array): Account {
  const data = new Uint8Array(account.data);
  data.set(nonceBytesOf(blockSeed), valueOffset);
  return { ...account, data };
}

/** The nonce that a block gives. */
export function nonceOf(blockSeed: Uint8Array): string {
  return toBase58(nonceBytesOf(blockSeed));
}

function nonceBytesOf(blockSeed: Uint8Array): Uint8Array {
  return createHash('sha256').update('DURABLE_NONCE').update(blockSeed).digest();
}
