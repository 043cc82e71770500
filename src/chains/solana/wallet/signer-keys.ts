import type { Address } from '@solana/kit';
import bs58 from 'bs58';
import type { Group, SignerKey } from '../../../../programs/solana-wallet/index.ts';
import { invalid, isP256Signer } from '../../family/signing/quorums.ts';
import { pointOf, readGroup } from '../../family/smart-wallets/signer-keys.ts';
import type { Signer } from '../../family.ts';
import { checkSolanaAddress } from '../addresses.ts';
import { compressKey, isOnEd25519Curve } from '../signing/p256.ts';

/**
 * Signers as the wallet program knows them: an ed25519 key, a device's or a passkey's key, or so
 * many of several.
 */

/**
 * The key of a signer that is no quorum.
 * @param place where it stands in the request, for messages: `config.adminSigner`
 * @throws validation-error no address or key that could sign
 */
export function signerKeyOf(signer: Signer, place = 'signer'): SignerKey {
  if (isP256Signer(signer))
    return {
      kind: signer.type as 'device' | 'passkey',
      key: compressKey(pointOf(signer, place)),
    };
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
  const group = readGroup(signer, place, signerKeyOf);
  // What a passkey approved stands in the transaction, which the others would sign after it; two do
  // not fit into a packet.
  if (group.threshold > 1 && group.members.some(({ kind }) => kind === 'passkey'))
    throw invalid(
      `${place}.threshold`,
      'must be 1 on solana when a passkey is a member: a transaction has room for the approval of one passkey, and for no other beside it',
    );
  return group;
}
