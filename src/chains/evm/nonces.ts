import { randomBytes } from 'node:crypto';

/**
 * Nonces of operations. They need not follow each other, only be new: 248 random bits name a group of 256 that nobody else
 * uses, and within it they are counted up, because neighbours share a storage slot and cost 17,100 gas less.
 */
export interface Nonces {
  next(chainId: number, wallet: string): bigint;
}

const groupSize = 256n;
const walletsMax = 20_000;

export function createNonces(): Nonces {
  const upcoming = new Map<string, bigint>();
  return {
    next(chainId, wallet) {
      const key = `${chainId}:${wallet.toLowerCase()}`;
      const nonce = upcoming.get(key) ?? firstOfGroup();
      upcoming.delete(key);
      if ((nonce + 1n) % groupSize !== 0n) upcoming.set(key, nonce + 1n);
      if (upcoming.size > walletsMax) upcoming.delete(upcoming.keys().next().value!);
      return nonce;
    },
  };
}

function firstOfGroup(): bigint {
  return BigInt(`0x${randomBytes(31).toString('hex')}`) * groupSize;
}
