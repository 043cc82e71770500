import { getAddressDecoder } from '@solana/kit';
import type { ChainAccount } from './node.ts';
import { isTokenProgram, programs } from './wrapping/programs.ts';

/** Accounts of the programs that every cluster has, read byte by byte. */

export function readU64(data: Uint8Array, offset: number): bigint {
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(offset, true);
}

function readU32(data: Uint8Array, offset: number): number {
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(offset, true);
}

function addressAt(data: Uint8Array, offset: number): string {
  return getAddressDecoder().read(data, offset)[0];
}

export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
}

const tokenAccountBytes = 165;
/** Token-2022 tells by this byte what an account with extensions is. */
const accountType = 2;

export function readTokenAccount(account: ChainAccount | undefined): TokenAccount | undefined {
  if (!account || !isTokenProgram(account.owner) || account.data.length < tokenAccountBytes)
    return undefined;
  const { data } = account;
  if (data.length > tokenAccountBytes && data[tokenAccountBytes] !== accountType) return undefined;
  if (data[108] === 0) return undefined;
  return { mint: addressAt(data, 0), owner: addressAt(data, 32), amount: readU64(data, 64) };
}

export interface NonceAccount {
  readonly authority: string;
  readonly value: string;
}

export const nonceBytes = 80;

/** Undefined when this is no nonce account that was set up. */
export function readNonceAccount(account: ChainAccount | undefined): NonceAccount | undefined {
  if (!account || account.owner !== programs.system || account.data.length !== nonceBytes)
    return undefined;
  if (readU32(account.data, 0) !== 1 || readU32(account.data, 4) !== 1) return undefined;
  return { authority: addressAt(account.data, 8), value: addressAt(account.data, 40) };
}
