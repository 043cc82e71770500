import { ServiceError } from '../../../lib/errors.ts';
import { isQuorum, type Signer } from '../capabilities/signers.ts';
import { type P256Point, readP256Key } from '../signing/p256.ts';
import { checkQuorum, invalid } from '../signing/quorums.ts';

/**
 * Signers as wallets know them whose keys are of ed25519 or P-256: one key, or so many of several.
 */

export type SignerKey =
  | { readonly kind: 'ed25519'; readonly address: string }
  /** `key`: the point, in the chain's form. */
  | { readonly kind: 'device' | 'passkey'; readonly key: Uint8Array };

/** So many of the members act as the admin. */
export interface Group<Key extends SignerKey = SignerKey> {
  readonly threshold: number;
  readonly members: readonly Key[];
}

/** An address, or kind and point: the same for the same key of the same kind. */
export function keyId(key: SignerKey): string {
  return key.kind === 'ed25519'
    ? key.address
    : `${key.kind}:${Buffer.from(key.key).toString('hex')}`;
}

export function isSameGroup(one: Group, other: Group): boolean {
  const ids = one.members.map(keyId);
  return (
    one.threshold === other.threshold &&
    ids.length === other.members.length &&
    other.members.every((key) => ids.includes(keyId(key)))
  );
}

/** @throws validation-error the signer has no P-256 key */
export function pointOf(signer: Signer, place: string): P256Point {
  const point = readP256Key(signer['publicKey']);
  if (point) return point;
  throw invalid(`${place}.publicKey`, 'must be {x, y} of a P-256 public key, as decimal text');
}

/**
 * The group of members that a recovery method is.
 * @param place where it stands in the request, for messages: `config.adminSigner`
 * @throws validation-error
 */
export function readGroup<Key extends SignerKey>(
  signer: Signer,
  place: string,
  signerKeyOf: (signer: Signer, place: string) => Key,
): Group<Key> {
  if (!isQuorum(signer)) return { threshold: 1, members: [signerKeyOf(signer, place)] };
  checkQuorum(signer, place);
  const members = signer.members.map((member, index) =>
    signerKeyOf(member, `${place}.members[${index}]`),
  );
  requireDistinct(members, `${place}.members`);
  return { threshold: signer.threshold, members };
}

/** @throws validation-error */
export function requireDistinct(keys: readonly SignerKey[], place: string): void {
  const ids = keys.map(keyId);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice >= 0)
    throw invalid(`${place}[${twice}]`, `is the same signer as [${ids.indexOf(ids[twice]!)}]`);
}

export function notOfWallet({ locator }: Signer): ServiceError {
  return new ServiceError('transaction-invalid', {
    message: `params.signer: "${locator}" is neither a recovery method of this wallet nor a delegated signer that is registered on the chain.`,
  });
}
