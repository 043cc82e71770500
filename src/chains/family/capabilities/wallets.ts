import type { JsonObject } from '../../../lib/json/json.ts';
import type { Delegate, Signer, SignerType } from './signers.ts';

export const walletTypes = ['smart', 'mpc'] as const;
export type WalletType = (typeof walletTypes)[number];

/** A wallet that signers control. */
export interface SmartWalletInput {
  readonly type: 'smart';
  /** The first of the recovery methods. */
  readonly adminSigner: Signer;
  /** All of them when there are several: each may act as the admin alone. */
  readonly recoveryMethods?: readonly Signer[];
  /**
   * Registered when the wallet is deployed, on every chain, without an approval; unscoped on
   * families with several chains.
   */
  readonly delegates?: readonly Delegate[];
  /** Any text; another seed gives another address. */
  readonly creationSeed: string;
}

/**
 * A wallet that is one key in custody, made for it alone: its address is the key's, see
 * `CustodyKeys`.
 */
export interface MpcWalletInput {
  readonly type: 'mpc';
  /** Of the family's custody curve. */
  readonly publicKey: Uint8Array;
}

export type WalletPlanInput = SmartWalletInput | MpcWalletInput;

/** The address is a function of the set-up alone: nothing is deployed when a wallet is created. */
export interface WalletPlan {
  readonly address: string;
  /** What the family needs to deploy and operate the wallet later. */
  readonly setup: JsonObject;
}

/** A wallet as the family sees it. */
export interface FamilyWallet {
  readonly id: string;
  /** Projects share what the service has of everything. */
  readonly projectId?: string;
  readonly type: WalletType;
  readonly address: string;
  readonly setup: JsonObject;
  /** Of an mpc wallet: its own key, as an `api-key` signer that only this service sees. */
  readonly adminSigner: Signer;
  readonly recoveryMethods?: readonly Signer[];
  /** Whose share of what its project may spend for fees it takes; absent: its own. */
  readonly owner?: string;
}

/** Wallets before anything is asked of a chain. */
export interface Wallets {
  /** Wallet types this family serves; the first is the default. */
  readonly walletTypes: readonly WalletType[];
  /** Of smart wallets; empty where there are none. */
  readonly adminSignerTypes: readonly SignerType[];
  /**
   * Fields of a passkey or device signer that the family adds when it is kept (e.g.
   * `validatorContractVersion`).
   */
  completeSigner(signer: Signer): Signer;
  /** Asked only for the family's {@link walletTypes}. @throws signer-type-not-supported */
  planWallet(input: WalletPlanInput): WalletPlan;
}
