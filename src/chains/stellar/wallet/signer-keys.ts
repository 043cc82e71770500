import type { Group, SignerKey } from '../../../../contracts/stellar/index.ts';
import { wordOf } from '../../family/signing/p256.ts';
import { invalid, isP256Signer } from '../../family/signing/quorums.ts';
import { pointOf, readGroup } from '../../family/smart-wallets/signer-keys.ts';
import type { Signer } from '../../family.ts';
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
    const { x, y } = pointOf(signer, place);
    const key = new Uint8Array(Buffer.from(`04${wordOf(x)}${wordOf(y)}`, 'hex'));
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
  return readGroup(signer, place, signerKeyOf);
}
