import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha3_256 } from '@noble/hashes/sha3.js';
import {
  addressOfEd25519,
  addressOfMultiKey,
  addressOfSingleKey,
} from '../../../src/chains/aptos/encoding/addresses.ts';
import type { AccountAuthenticator } from '../../../src/chains/aptos/encoding/authenticators.ts';
import { NotServed } from './refusal.ts';

type Key = NonNullable<AccountAuthenticator['singleKey']>['publicKey'];
type Signature = NonNullable<AccountAuthenticator['singleKey']>['signature'];

/** The address whose keys these are; undefined where no key is named. @throws NotServed */
export function addressOf(authenticator: AccountAuthenticator): string | undefined {
  if (authenticator.$kind === 'none') return undefined;
  if (authenticator.$kind === 'ed25519') return addressOfEd25519(authenticator.ed25519.publicKey);
  if (authenticator.$kind === 'singleKey')
    return addressOfSingleKey(authenticator.singleKey.publicKey);
  if (authenticator.$kind !== 'multiKey')
    throw new NotServed('The local chain verifies no MultiEd25519 accounts: use a multi-key.');
  const { publicKeys, signaturesRequired } = authenticator.multiKey.publicKeys;
  return addressOfMultiKey(publicKeys, signaturesRequired);
}

/** Whether these are the signatures of the message that the account asks for. */
export function verifies(authenticator: AccountAuthenticator, message: Uint8Array): boolean {
  if (authenticator.$kind === 'ed25519') {
    const { publicKey, signature } = authenticator.ed25519;
    return isEd25519(signature, message, publicKey);
  }
  if (authenticator.$kind === 'singleKey')
    return isSigned(authenticator.singleKey.publicKey, authenticator.singleKey.signature, message);
  if (authenticator.$kind !== 'multiKey') return false;
  const { publicKeys, signatures, bitmap } = authenticator.multiKey;
  const signers = publicKeys.publicKeys.filter((_, index) => hasBit(bitmap, index));
  const isComplete = countBits(bitmap) === signers.length && signers.length === signatures.length;
  if (!isComplete || signers.length < Math.max(1, publicKeys.signaturesRequired)) return false;
  return signers.every((key, index) => isSigned(key, signatures[index]!, message));
}

const hasBit = (bitmap: Uint8Array, index: number) =>
  ((bitmap[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0;
const countBits = (bitmap: Uint8Array) =>
  Array.from({ length: bitmap.length * 8 }, (_, index) => hasBit(bitmap, index)).filter(Boolean)
    .length;

function isSigned(key: Key, signature: Signature, message: Uint8Array): boolean {
  if (key.$kind === 'ed25519' && signature.$kind === 'ed25519')
    return isEd25519(signature.ed25519, message, key.ed25519);
  if (key.$kind !== 'secp256k1' || signature.$kind !== 'secp256k1') return false;
  try {
    return secp256k1.verify(signature.secp256k1, sha3_256(message), key.secp256k1, {
      prehash: false,
      lowS: true,
    });
  } catch {
    return false;
  }
}

function isEd25519(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}
