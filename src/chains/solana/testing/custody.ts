import { ed25519 } from '@noble/curves/ed25519.js';
import type { LateSignInput } from '../../family.ts';
import { signedBytes } from '../operation/stored.ts';
import { addressOfPublicKey } from '../signing/approvals.ts';

/** As `ChainEntrances.signBuilt`, with keys that a test has, by the ids of their wallets. */
export function signWith(seeds: ReadonlyMap<string, Uint8Array>) {
  return async ({ walletId, operation, built }: LateSignInput): Promise<Uint8Array> => {
    const seed = seeds.get(walletId)!;
    const address = addressOfPublicKey(ed25519.getPublicKey(seed));
    return ed25519.sign(signedBytes(operation, built, address), seed);
  };
}
