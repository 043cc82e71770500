import { randomBytes } from 'node:crypto';
import type { Hex } from '../abi/words.ts';

/**
 * Nonces of operations. They need not follow each other, only be new: 248 random bits name a group
 * of 256 that nobody else uses, and within it they are counted up, because neighbours share a
 * storage slot and cost 17,100 gas less.
 */
export interface Nonces {
  /**
   * @param signerId of a delegate: the module wants the first 24 bytes of it in front of 64 bits of
   * the delegate's own
   */
  next(chainId: number, wallet: string, signerId?: Hex): bigint;
}

const groupSize = 256n;
const walletsMax = 20_000;

export function createNonces(): Nonces {
  const upcoming = new Map<string, bigint>();
  return {
    next(chainId, wallet, signerId = '0x') {
      const key = `${chainId}:${wallet.toLowerCase()}:${signerId}`;
      const nonce = upcoming.get(key) ?? firstOfGroup(signerId);
      upcoming.delete(key);
      if ((nonce + 1n) % groupSize !== 0n) upcoming.set(key, nonce + 1n);
      if (upcoming.size > walletsMax) upcoming.delete(upcoming.keys().next().value!);
      return nonce;
    },
  };
}

/** 31 bytes: those of the signer that the module asks for, the rest random. */
function firstOfGroup(signerId: Hex): bigint {
  const prefix = signerId.slice(2, 2 + 2 * 24);
  return BigInt(`0x${prefix}${randomBytes(31 - prefix.length / 2).toString('hex')}`) * groupSize;
}
