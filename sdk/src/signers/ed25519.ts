import { base64OfBytes } from '../bytes.ts';
import type { PurserSigner } from './signer.ts';

/** A wallet or key on Solana or Stellar. */
export interface Ed25519Wallet {
  /** Base58 on Solana, G… on Stellar. */
  readonly address: string;
  /**
   * The 64 bytes of the signature over `bytes`: the message of a transaction on Solana, 32 bytes on
   * Stellar, which are the SHA-256 of `preimage` (base64 of XDR), for wallets that sign
   * authorization entries by it.
   */
  sign(bytes: Uint8Array, signed: { readonly preimage?: string }): Promise<Uint8Array>;
}

/** What wallets on Solana have (Wallet Standard: `solana:signTransaction`). */
export interface SolanaWallet {
  /** Base58. */
  readonly address: string;
  /** The transaction on the wire, with room for signatures; gives it back with the wallet's. */
  signTransaction(transaction: Uint8Array): Promise<Uint8Array>;
}

/**
 * A browser wallet on Solana. Its signature counts for the transaction that was checked, and for no
 * other that it makes of it.
 */
export function solanaWalletSigner(
  wallet: SolanaWallet,
): PurserSigner & { readonly address: string } {
  const { address } = wallet;
  const sign = async (bytes: Uint8Array) =>
    (await import('../solana/wire.ts')).signByTransaction(bytes, address, (transaction) =>
      wallet.signTransaction(transaction),
    );
  return ed25519Signer({ address, sign });
}

/**
 * A signer with an Ed25519 key that the caller controls: a browser wallet, or a `server` key of its
 * own.
 */
export function ed25519Signer(
  wallet: Ed25519Wallet,
  type: 'external-wallet' | 'server' = 'external-wallet',
): PurserSigner & { readonly address: string } {
  const { address } = wallet;
  return {
    address,
    locator: `${type}:${address}`,
    input: { type, address },
    async approve({ review }) {
      if (review?.kind !== 'operation' || !review.signedBytes)
        throw new TypeError('This signer signs transactions on Solana and Stellar.');
      const { signedBytes, preimage, chain } = review;
      const signature = await wallet.sign(signedBytes, preimage === undefined ? {} : { preimage });
      if (signature.length !== 64)
        throw new TypeError(`A signature has 64 bytes; the wallet gave ${signature.length}.`);
      if (chain === 'stellar') return { signature: base64OfBytes(signature) };
      const { base58Of } = await import('../solana/base58.ts');
      return { signature: base58Of(signature) };
    },
  };
}
