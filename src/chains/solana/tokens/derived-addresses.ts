import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import { programs } from '../operation/wrapping/programs.ts';

/** Where programs keep accounts of others: addresses that follow from what they are about. */

const metadataProgram = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';
const seedBytesMax = 32;

/** The first address off the curve that the seeds of a program give. */
export function findProgramAddress(program: string, seeds: readonly Uint8Array[]): string {
  if (seeds.some((seed) => seed.length > seedBytesMax))
    throw new Error('A seed has at most 32 bytes.');
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256');
    for (const seed of seeds) hash.update(seed);
    const address = hash
      .update(Uint8Array.of(bump))
      .update(bs58.decode(program))
      .update('ProgramDerivedAddress')
      .digest();
    if (!isOnCurve(address)) return bs58.encode(address);
  }
  throw new Error('These seeds give no address.');
}

/** Whether there may be a key of this address: it is a point of the curve. */
function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
}

export function associatedTokenAddress(input: {
  readonly owner: string;
  readonly mint: string;
  readonly tokenProgram: string;
}): string {
  const seeds = [input.owner, input.tokenProgram, input.mint].map((address) =>
    bs58.decode(address),
  );
  return findProgramAddress(programs.associatedToken, seeds);
}

/** Where the Metaplex token-metadata program says what a mint is. */
export function metadataAddress(mint: string): string {
  return findProgramAddress(metadataProgram, [
    Buffer.from('metadata'),
    bs58.decode(metadataProgram),
    bs58.decode(mint),
  ]);
}

export function isMetadataProgram(address: string): boolean {
  return address === metadataProgram;
}
