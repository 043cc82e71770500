import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { StrKey } from '@stellar/stellar-sdk/base';
import {
  type Assertion,
  approve,
  p256KeyOf,
} from '../../../programs/solana-wallet/testing/p256-keys.ts';
import { type Approval, type SignerKey, storedKey } from '../index.ts';

/** Keys of people who sign; the same for the same name. */

export interface TestKey {
  readonly name: string;
  readonly key: SignerKey;
  /** What the supplement's signer of this kind makes of a message, without the index. */
  sign(payload: Uint8Array, change?: Assertion): Omit<Approval, 'index'>;
}

const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Of an external wallet, server, api-key, e-mail or phone. */
export function ed25519Key(name: string): TestKey {
  const seed = createHash('sha256').update(`ed25519 ${name}`).digest();
  const secret = createPrivateKey({
    key: Buffer.concat([pkcs8Head, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(secret).export({ format: 'der', type: 'spki' });
  const address = StrKey.encodeEd25519PublicKey(spki.subarray(spki.length - 32));
  return {
    name,
    key: { kind: 'ed25519', address },
    sign: (payload) => ({ signature: sign(null, payload, secret) }),
  };
}

export function p256Key(kind: 'device' | 'passkey', name: string): TestKey {
  const pair = p256KeyOf(kind, name);
  const key = { kind, key: p256.Point.fromBytes(pair.key).toBytes(false) } as const;
  return {
    name,
    key,
    sign(payload, change) {
      const { signature, signed } = approve(pair, payload, change);
      return 'hash' in signed ? { signature } : { signature, passkey: signed };
    },
  };
}

/**
 * The indexes that keys have in a group of these members, and what each signs, in the contract's
 * order.
 */
export function approvalsOf(
  members: readonly TestKey[],
  signers: readonly TestKey[],
  payload: Uint8Array,
): Approval[] {
  const ordered = members.toSorted((one, other) =>
    Buffer.compare(storedKey(one.key), storedKey(other.key)),
  );
  const indexed = signers.map((signer) => ({
    index: ordered.indexOf(signer),
    ...signer.sign(payload),
  }));
  return indexed.toSorted((one, other) => one.index - other.index);
}
