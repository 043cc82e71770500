import { parseSerializedSignature } from '@mysten/sui/cryptography';

const keySchemes = ['ED25519', 'Secp256k1', 'Secp256r1'] as const;
const isKeyScheme = (name: string) => keySchemes.some((scheme) => scheme === name);

/**
 * True for signatures of keys, and of multisigs whose members are keys. Others are never given to
 * the SDK's verification: for a zkLogin signature it asks a node of its own choice on the internet.
 */
export function isOfKeys(signature: string): boolean {
  try {
    const parsed = parseSerializedSignature(signature);
    if (parsed.signatureScheme !== 'MultiSig') return isKeyScheme(parsed.signatureScheme);
    return parsed.multisig.multisig_pk.pk_map.every(({ pubKey }) =>
      keySchemes.some((scheme) => scheme in pubKey),
    );
  } catch {
    return false;
  }
}
