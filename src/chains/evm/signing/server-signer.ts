import { hkdfSync } from 'node:crypto';
import { isHex, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

export interface ServerSignerInput {
  /** 64 hexadecimal digits; text in front of them that ends with `_` is left out. */
  readonly secret: string;
  readonly projectId: string;
  readonly environment: string;
  /** Concrete chain name, or `evm` for one key on all of them. */
  readonly chain: string;
}

/** A server signer of the caller's own (interface supplement, section 5). @throws TypeError for a secret of another form */
export function deriveServerSigner({ secret, projectId, environment, chain }: ServerSignerInput) {
  const digits = secret.slice(secret.lastIndexOf('_') + 1).replace(/^0x/, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw new TypeError('The secret of a server signer is 64 hexadecimal digits (32 random bytes).');
  const key = hkdfSync('sha256', Buffer.from(digits, 'hex'), 'svc', `${projectId}:${environment}:${chain}-secp256k1`, 32);
  const account = privateKeyToAccount(toHex(new Uint8Array(key)));
  return {
    locator: `server:${account.address}`,
    /** EIP-191 over the 32 bytes that an approval asks to sign. @throws TypeError for anything else */
    async sign(message: string): Promise<string> {
      if (!isHex(message) || message.length !== 66) throw new TypeError('What is to be signed is not the hash of an operation.');
      return account.signMessage({ message: { raw: message } });
    },
  };
}
