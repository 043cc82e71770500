import { bytesOfHex, hexOfBytes } from '../bytes.ts';
import { ethereumSigner, loadAccount } from './external-wallet.ts';
import type { PurserSigner } from './signer.ts';

export interface ServerKeyInput {
  /** 64 hexadecimal digits; text in front of them that ends with `_` is left out. */
  readonly secret: string;
  readonly projectId: string;
  readonly environment: 'development' | 'staging' | 'production';
  /** Concrete chain name, e.g. `base-sepolia`, or `evm` for one key on all of them. */
  readonly chain: string;
  /** Default `secp256k1`; `ed25519` for Solana and Stellar. */
  readonly algorithm?: 'secp256k1' | 'ed25519';
}

/**
 * The 32-byte key of a server signer: HKDF-SHA256 over the secret, salt `svc`, info
 * `<projectId>:<environment>:<chain>-<alg>` (interface supplement, section 5). The secret stays
 * here.
 * @throws TypeError when the secret is not 64 hexadecimal digits
 */
export async function deriveServerKey(input: ServerKeyInput): Promise<Uint8Array<ArrayBuffer>> {
  const digits = input.secret.slice(input.secret.lastIndexOf('_') + 1).replace(/^0x/, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new TypeError(
      'The secret of a server signer is 64 hexadecimal digits (32 random bytes).',
    );
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', bytesOfHex(digits), 'HKDF', false, [
    'deriveBits',
  ]);
  const info = encoder.encode(
    `${input.projectId}:${input.environment}:${input.chain}-${input.algorithm ?? 'secp256k1'}`,
  );
  const bits = await crypto.subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: encoder.encode('svc'), info },
    key,
    256,
  );
  return new Uint8Array(bits);
}

/** A server signer on EVM. Needs `viem`, which is loaded when this is called. */
export async function serverSigner(
  input: Omit<ServerKeyInput, 'algorithm'>,
): Promise<PurserSigner & { readonly address: string }> {
  const account = await loadAccount(hexOfBytes(await deriveServerKey(input)));
  return ethereumSigner('server', account);
}
