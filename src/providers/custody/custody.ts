import type { Db } from '../../store/types.ts';

export type Curve = 'secp256k1' | 'ed25519';

export interface CustodyKey {
  /** Opaque id of the key. */
  readonly keyId: string;
  /** secp256k1: 65 bytes, uncompressed; ed25519: 32 bytes. */
  readonly publicKey: Uint8Array;
}

/**
 * Keys that the service signs with on behalf of a project. The only key material of the service outside the relay; a
 * holder quorum takes its place later.
 */
export interface CustodyProvider {
  /**
   * The key of this (project, curve, purpose), created at the first call. Concurrent first calls give one key.
   * `purpose` is a short word such as `api-key`.
   */
  ensureKey(db: Db, input: { projectId: string; curve: Curve; purpose: string }): Promise<CustodyKey>;
  /** secp256k1: signs the 32-byte digest, answers r, s, v (65 bytes, v 27 or 28, low s). ed25519: signs the bytes, 64 bytes. */
  sign(db: Db, input: { keyId: string; bytes: Uint8Array }): Promise<Uint8Array>;
}
