import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import type { ServerSigner, ServerSignerInput } from '../../family/facts.ts';
import { deriveServerSeed } from '../../family/signing/server-seed.ts';
import { messageBytesOf, readTransaction } from '../operation/message.ts';

/**
 * A server signer of the caller's own (interface supplement, section 5).
 * @throws TypeError for a secret of another form
 */
export function deriveServerSigner(input: ServerSignerInput): ServerSigner {
  const seed = deriveServerSeed(input, 'ed25519');
  return {
    locator: `server:${bs58.encode(ed25519.getPublicKey(seed))}`,
    /** Over the message of a transaction in base58. @throws TypeError for anything else */
    async sign(transaction: string): Promise<string> {
      readTransaction(transaction);
      return bs58.encode(ed25519.sign(messageBytesOf(transaction), seed));
    },
  };
}
