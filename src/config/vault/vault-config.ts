import type { Secret } from '../../lib/sealing/secret.ts';
import type { Config } from '../config.ts';
import type { PayoutConfig } from './payout-config.ts';

/**
 * Everything the vault process is told from outside. `load-vault-config.ts` makes it from the
 * environment.
 */
export interface VaultConfig {
  /** What the HTTP server needs; what belongs to the main side alone is empty in it. */
  readonly service: Config;
  /** Key-encryption keys; the first wraps, all unwrap. */
  readonly keks: readonly KekConfig[];
  /** Ed25519 seed (32 bytes) that signs answers to the main side. */
  readonly signingSeed: Secret<Uint8Array>;
  /** Ed25519 public keys (32 bytes) of the processes that may ask. */
  readonly peers: ReadonlyMap<'api' | 'worker', Uint8Array>;
  /**
   * Ed25519 public key (32 bytes) of the runners of agent checkouts, to whom saved cards are
   * sealed; absent: no card leaves.
   */
  readonly runnerPublicKey?: Uint8Array;
  readonly payouts: PayoutConfig;
  /**
   * How long payouts to a destination wait after it was saved, where no operator has said
   * otherwise.
   */
  readonly newDestinationWaitHours: number;
}

export type KekConfig = { readonly id: string } & (
  | { readonly kind: 'file'; readonly key: Secret<Uint8Array> }
  | {
      readonly kind: 'aws-kms';
      readonly keyId: string;
      readonly region: string;
      readonly url: string;
      readonly credentials: AwsCredentials;
    }
  | {
      readonly kind: 'gcp-kms';
      readonly keyName: string;
      readonly url: string;
      readonly serviceAccount: GcpServiceAccount;
    }
  | {
      readonly kind: 'openbao';
      readonly keyName: string;
      readonly url: string;
      readonly mount: string;
      readonly token: Secret;
    }
);

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: Secret;
  readonly sessionToken?: Secret;
}

export interface GcpServiceAccount {
  readonly email: string;
  /** PKCS#8 in PEM. */
  readonly privateKey: Secret;
  readonly keyId?: string;
  readonly tokenUrl: string;
}
