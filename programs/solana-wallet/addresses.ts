import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { type Address, getAddressDecoder, getAddressEncoder } from '@solana/kit';
import { encodeSetup, type Setup, type SignerKey, storedKey } from './setup.ts';

/** Where the program keeps what: computed, without asking anybody and without waiting. */

export interface WalletAddresses {
  readonly program: Address;
  readonly id: Uint8Array;
  readonly state: Address;
  /** The wallet's address. */
  readonly vault: Address;
}

const encoder = getAddressEncoder();
const decoder = getAddressDecoder();

/** Known before anything exists. */
export function findWallet(program: Address, setup: Setup): WalletAddresses {
  const id = new Uint8Array(createHash('sha256').update(encodeSetup(setup)).digest());
  return {
    program,
    id,
    state: derive(program, ['state', id]),
    vault: derive(program, ['vault', id]),
  };
}

/** Where a delegate's registration is kept: always the same for one wallet and key. */
export function findDelegate(
  { program, id }: Pick<WalletAddresses, 'program' | 'id'>,
  key: SignerKey,
): Address {
  const bytes = storedKey(key);
  return derive(program, ['delegate', id, bytes.subarray(0, 32), bytes.subarray(32)]);
}

/**
 * The address of this program with these seeds: the first below 256 that is no point of the curve,
 * so that no key has it.
 */
export function derive(program: Address, seeds: readonly (string | Uint8Array)[]): Address {
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256');
    for (const seed of seeds) hash.update(seed);
    hash
      .update(new Uint8Array([bump]))
      .update(new Uint8Array(encoder.encode(program)))
      .update('ProgramDerivedAddress');
    const bytes = new Uint8Array(hash.digest());
    if (!isPoint(bytes)) return decoder.decode(bytes);
  }
  throw new Error('No address follows from these seeds.');
}

function isPoint(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
}
