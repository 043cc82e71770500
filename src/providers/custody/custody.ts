import type { Db } from '../../store/types.ts';

export type Curve = 'secp256k1' | 'ed25519';

export interface CustodyKey {
  /** Opaque id of the key. */
  readonly keyId: string;
  /** secp256k1: 65 bytes, uncompressed; ed25519: 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** Whose key it is, and for what; a key that names a wallet signs for that one alone. */
export interface KeyName {
  readonly projectId: string;
  /** A short word such as `api-key`. */
  readonly purpose: string;
  /**
   * Id of the only wallet that the key signs for; absent: for the wallets of the project whose own
   * row names it.
   */
  readonly walletId?: string;
}

/** One signature: every field must be what is bound into the seal of the key. */
export interface SignInput {
  readonly keyId: string;
  readonly projectId: string;
  readonly purpose: string;
  /** The wallet that is signed for. */
  readonly walletId: string;
  readonly bytes: Uint8Array;
}

/**
 * Keys that the service signs with on behalf of a project. The only key material of the service
 * outside the relay; a holder quorum takes its place later.
 */
export interface CustodyProvider {
  /** False where this process has not the means for keys of this purpose. */
  opens(purpose: string): boolean;
  /**
   * The key of this (project, curve, purpose, wallet), created at the first call. Concurrent first
   * calls give one key.
   */
  ensureKey(db: Db, input: KeyName & { readonly curve: Curve }): Promise<CustodyKey>;
  /**
   * secp256k1: signs the 32-byte digest, answers r, s, v (65 bytes, v 27 or 28, low s). ed25519:
   * signs the bytes, 64 bytes.
   * @throws SigningRefusedError when the key is another project's, another purpose's or another wallet's,
   * whatever its row says
   */
  sign(db: Db, input: SignInput): Promise<Uint8Array>;
}
