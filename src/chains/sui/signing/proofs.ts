import { isValidPersonalMessageSignature } from '@mysten/sui/verify';
import type { MessageVerifier } from '../../family/capabilities/signatures.ts';
import type { LinkProof } from '../../family/facts.ts';
import { isOfKeys } from './schemes.ts';

/**
 * Wallets sign a text as a personal message; the proof is their signature with its scheme and key,
 * in base64.
 */
export async function verifySuiProof({
  address,
  text,
  proof,
}: LinkProof): Promise<MessageVerifier | undefined> {
  if (!isOfKeys(proof)) return undefined;
  // It throws for a key that is none; nothing else can go wrong, as no node is asked.
  const checked = isValidPersonalMessageSignature(Buffer.from(text), proof, {
    address: address.toLowerCase(),
  });
  return (await checked.catch(() => false)) ? 'key' : undefined;
}
