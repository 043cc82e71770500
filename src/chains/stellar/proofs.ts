import { createHash } from 'node:crypto';
import { ServiceError } from '../../lib/errors.ts';
import type { MessageVerifier } from '../family/capabilities/signatures.ts';
import type { LinkProof } from '../family/facts.ts';
import { isSignedBy } from '../family/signing/ed25519-proof.ts';
import { readStellarAddress } from './strkey.ts';

const prefix = 'Stellar Signed Message:\n';

/**
 * Wallets sign the text itself, or its hash behind a prefix (SEP-53).
 * @throws invalid-proof for a contract, which has no key
 */
export async function verifyStellarProof({
  address,
  text,
  proof,
}: LinkProof): Promise<MessageVerifier | undefined> {
  const account = readStellarAddress(address);
  if (account?.kind === 'C')
    throw new ServiceError('invalid-proof', {
      message:
        'A Stellar contract address has no key that could sign the challenge: link the G… account that controls it.',
    });
  const texts = [Buffer.from(text), createHash('sha256').update(prefix).update(text).digest()];
  return isSignedBy(account?.bytes, proof, texts) ? 'key' : undefined;
}
