import type { Address } from '@solana/kit';
import bs58 from 'bs58';
import {
  type Group,
  limits,
  type SignerKey,
  storedKey,
} from '../../../../programs/solana-wallet/index.ts';
import { readP256Key } from '../../family/signing/p256.ts';
import { checkQuorum, invalid, isP256Signer } from '../../family/signing/quorums.ts';
import { isQuorum, type QuorumSigner, type Signer } from '../../family.ts';
import { checkSolanaAddress } from '../addresses.ts';
import { compressKey, isOnEd25519Curve } from '../signing/p256.ts';

/**
 * Signers as the wallet program knows them: an ed25519 key, a device's or a passkey's key, or so
 * many of several.
 */

/** Passkeys and devices sign the operation's hash and not the transaction. */
export { invalid, isP256Signer };

/**
 * The key of a signer that is no quorum.
 * @param place where it stands in the request, for messages: `config.adminSigner`
 * @throws validation-error no address or key that could sign
 */
export function signerKeyOf(signer: Signer, place = 'signer'): SignerKey {
  if (isP256Signer(signer)) {
    const point = readP256Key(signer['publicKey']);
    if (!point)
      throw invalid(`${place}.publicKey`, 'must be {x, y} of a P-256 public key, as decimal text');
    return { kind: signer.type as 'device' | 'passkey', key: compressKey(point) };
  }
  const { address = '' } = signer;
  const mistake = checkSolanaAddress(address);
  if (mistake !== undefined) throw invalid(`${place}.address`, mistake);
  if (!isOnEd25519Curve(bs58.decode(address)))
    throw invalid(
      `${place}.address`,
      'belongs to a program: no key signs for it. Send the address of your signer',
    );
  return { kind: 'ed25519', address: address as Address };
}

/** The group of members that a recovery method is. @throws validation-error */
export function groupOf(signer: Signer, place: string): Group {
  if (isQuorum(signer)) return quorumOf(signer, place);
  return { threshold: 1, members: [signerKeyOf(signer, place)] };
}

function quorumOf(quorum: QuorumSigner, place: string): Group {
  checkQuorum(quorum, place);
  const { threshold, members } = quorum;
  // What a passkey approved stands in the transaction, which the others would sign after it; two do
  // not fit into a packet.
  if (threshold > 1 && members.some(isP256Signer))
    throw invalid(
      `${place}.threshold`,
      'must be 1 on solana when a passkey is a member: a transaction has room for the approval of one passkey, and for no other beside it',
    );
  const keys = members.map((member, index) => signerKeyOf(member, `${place}.members[${index}]`));
  requireDistinct(keys, `${place}.members`);
  return { threshold, members: keys };
}

/** @throws validation-error */
export function requireDistinct(keys: readonly SignerKey[], place: string): void {
  const ids = keys.map(keyId);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice >= 0)
    throw invalid(`${place}[${twice}]`, `is the same signer as [${ids.indexOf(ids[twice]!)}]`);
}

/** The same for the same key of the same kind. */
export function keyId(key: SignerKey): string {
  return Buffer.from(storedKey(key)).toString('hex');
}

/** @throws validation-error */
export function requireCounts(groups: readonly Group[]): void {
  const members = groups.reduce((sum, group) => sum + group.members.length, 0);
  if (groups.length > limits.groups || members > limits.members)
    throw invalid(
      'config.recoveryMethods',
      `a wallet on solana has at most ${limits.groups} of them, with ${limits.members} members in all`,
    );
}
