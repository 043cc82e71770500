import { integerOf, word } from '../evm/abi.ts';
import { fieldsOf } from '../evm/signer-keys.ts';
import { bytesOfBase58 } from './base58.ts';

export function isSolanaAddress(text: string): boolean {
  try {
    return text.length <= 44 && bytesOfBase58(text).length === 32;
  } catch {
    return false;
  }
}

/**
 * How a review names a signer of a wallet on Solana: its address, or kind and compressed point.
 * Undefined for keys of the service whose address it did not say. @throws TypeError for one without
 * a key of Solana
 */
export function solanaSignerId(signer: unknown): string | undefined {
  const { type, address, publicKey } = fieldsOf(signer);
  if (type === 'passkey' || type === 'device') {
    const { x, y } = (publicKey ?? {}) as Readonly<Record<string, unknown>>;
    const odd = integerOf(y) & 1n;
    return `${type}:0${2n + odd}${word(integerOf(x))}`;
  }
  if (address === undefined && (type === 'email' || type === 'phone' || type === 'api-key'))
    return undefined;
  if (typeof address !== 'string' || !isSolanaAddress(address))
    throw new TypeError('a signer has no address of Solana');
  return address;
}
