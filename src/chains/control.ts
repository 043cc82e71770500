import type { FamilyWallet, PreparedOperation, PrepareSignerChangeInput, Signer } from './family.ts';

/** Who and what can move a wallet on one network, as the network has it. */
export interface WalletControl {
  readonly deployed: boolean;
  readonly owners: readonly string[];
  readonly threshold: number;
  /** Contracts that act for the wallet by themselves. */
  readonly modules: readonly string[];
  readonly guard?: string;
  readonly fallbackHandler?: string;
  /** How often everything that was signed was ended. */
  readonly epoch: number;
  readonly signers: readonly ControlSigner[];
  /** Locators of known delegated signers that should be registered and are not. */
  readonly missing: readonly string[];
  /** What is not as it was set up and registered here, one sentence each; empty when all agrees. */
  readonly differences: readonly string[];
}

/** A delegated signer that is registered. */
export interface ControlSigner {
  readonly id: string;
  /** Absent: this service does not know it. */
  readonly locator?: string;
  readonly validAfter?: Date;
  readonly validUntil?: Date;
  /** 0: it may do everything but manage the wallet. */
  readonly scopeCount: number;
}

/** What an operator looks at and does when something was stolen. */
export interface ControlTools {
  /** @param input `known`: the delegated signers of the database; `inForce`: those that should be registered on this network */
  read(input: {
    readonly wallet: FamilyWallet;
    readonly chain: string;
    readonly known: readonly { readonly signer: Signer; readonly inForce: boolean }[];
  }): Promise<WalletControl>;
  /** The operation that ends everything that was signed for the wallet on one network so far, and all its delegated signers. */
  prepareEnd(input: Omit<PrepareSignerChangeInput, 'change'>): Promise<PreparedOperation>;
}
