import { hkdfSync } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import type { ServerSigner, ServerSignerInput } from '../../family/facts.ts';
import { messageBytesOf, readTransaction } from '../operation/message.ts';

/** A server signer of the caller's own (interface supplement, section 5). @throws TypeError for a secret of another form */
export function deriveServerSigner({ secret, projectId, environment, chain }: ServerSignerInput): ServerSigner {
  const digits = secret.slice(secret.lastIndexOf('_') + 1).replace(/^0x/, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw new TypeError('The secret of a server signer is 64 hexadecimal digits (32 random bytes).');
  const seed = new Uint8Array(hkdfSync('sha256', Buffer.from(digits, 'hex'), 'svc', `${projectId}:${environment}:${chain}-ed25519`, 32));
  return {
    locator: `server:${bs58.encode(ed25519.getPublicKey(seed))}`,
    /** Over the message of a transaction in base58. @throws TypeError for anything else */
    async sign(transaction: string): Promise<string> {
      readTransaction(transaction);
      return bs58.encode(ed25519.sign(messageBytesOf(transaction), seed));
    },
  };
}
