import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Secret } from '../sealing/secret.ts';

/**
 * Stands for a user, an address or a word in records: equal ones are seen to be equal, and nobody
 * without the key can try out which they are.
 */
export type LogHash = (kind: 'user' | 'address' | 'word', value: string) => string;

const info = 'purser log hash 1';
const keyBytes = 32;
const hashBytes = 12;

/**
 * @param keys the first hashes, so that all processes of an instance agree; none: a key of this
 * process
 */
export function createLogHash([first]: readonly { readonly key: Secret<Uint8Array> }[]): LogHash {
  const key = first
    ? Buffer.from(hkdfSync('sha256', first.key.reveal(), '', info, keyBytes))
    : randomBytes(keyBytes);
  return (kind, value) =>
    createHmac('sha256', key)
      .update(`${kind}\n${value}`)
      .digest()
      .subarray(0, hashBytes)
      .toString('base64url');
}
