import {
  type Group,
  limits,
  type SignerKey,
  storedKey,
} from '../../../../contracts/stellar/index.ts';
import { readP256Key, wordOf } from '../../family/signing/p256.ts';
import { checkQuorum, invalid, isP256Signer } from '../../family/signing/quorums.ts';
import { isQuorum, type QuorumSigner, type Signer } from '../../family.ts';
import { checkStellarAddress } from '../addresses.ts';
import { readStellarAddress } from '../strkey.ts';

/**
 * Signers as the wallet contract knows them: an ed25519 key, a device's or a passkey's key, or so
 * many of several.
 */

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
    const key = new Uint8Array(Buffer.from(`04${wordOf(point.x)}${wordOf(point.y)}`, 'hex'));
    return { kind: signer.type as 'device' | 'passkey', key };
  }
  const { address = '' } = signer;
  const mistake = checkStellarAddress(address);
  if (mistake !== undefined) throw invalid(`${place}.address`, mistake);
  if (readStellarAddress(address)?.kind !== 'G')
    throw invalid(
      `${place}.address`,
      'belongs to a contract: no key signs for it. Send the address of your signer, G…',
    );
  return { kind: 'ed25519', address };
}

/** The group of members that a recovery method is. @throws validation-error */
export function groupOf(signer: Signer, place: string): Group {
  if (isQuorum(signer)) return quorumOf(signer, place);
  return { threshold: 1, members: [signerKeyOf(signer, place)] };
}

function quorumOf(quorum: QuorumSigner, place: string): Group {
  checkQuorum(quorum, place);
  const { threshold, members } = quorum;
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

/** How a key is named to people: an address, or the point. */
export function sayKey(key: SignerKey): string {
  return key.kind === 'ed25519' ? key.address : `${key.kind}:${keyId(key).slice(2)}`;
}

/** @throws validation-error */
export function requireCounts(groups: readonly Group[]): void {
  const members = groups.reduce((sum, group) => sum + group.members.length, 0);
  if (groups.length > limits.groups || members > limits.members)
    throw invalid(
      'config.recoveryMethods',
      `a wallet on stellar has at most ${limits.groups} of them, with ${limits.members} members in all`,
    );
}
