import { hkdfSync } from 'node:crypto';
import type { ServerSignerInput } from '../facts.ts';

/**
 * The key of a server signer of the caller's own, 32 bytes (interface supplement, section 5).
 * @throws TypeError for a secret of another form
 */
export function deriveServerSeed(
  { secret, projectId, environment, chain }: ServerSignerInput,
  algorithm: 'secp256k1' | 'ed25519',
): Uint8Array {
  const digits = secret.slice(secret.lastIndexOf('_') + 1).replace(/^0x/, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new TypeError(
      'The secret of a server signer is 64 hexadecimal digits (32 random bytes).',
    );
  return new Uint8Array(
    hkdfSync(
      'sha256',
      Buffer.from(digits, 'hex'),
      'svc',
      `${projectId}:${environment}:${chain}-${algorithm}`,
      32,
    ),
  );
}
