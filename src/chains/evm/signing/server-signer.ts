import { isHex, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { ServerSignerInput } from '../../family/facts.ts';
import { deriveServerSeed } from '../../family/signing/server-seed.ts';

/**
 * A server signer of the caller's own (interface supplement, section 5).
 * @throws TypeError for a secret of another form
 */
export function deriveServerSigner(input: ServerSignerInput) {
  const account = privateKeyToAccount(toHex(deriveServerSeed(input, 'secp256k1')));
  return {
    locator: `server:${account.address}`,
    /**
     * EIP-191 over the 32 bytes that an approval asks to sign.
     * @throws TypeError for anything else
     */
    async sign(message: string): Promise<string> {
      if (!isHex(message) || message.length !== 66)
        throw new TypeError('What is to be signed is not the hash of an operation.');
      return account.signMessage({ message: { raw: message } });
    },
  };
}
