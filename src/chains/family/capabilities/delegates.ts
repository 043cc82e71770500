import type { PreparedOperation } from './operations.ts';
import type { Delegate, Signer, SignerType } from './signers.ts';
import type { FamilyWallet } from './wallets.ts';

/** A delegated signer that is to be registered or removed on one network. */
export type SignerChange =
  | { readonly kind: 'add'; readonly delegate: Delegate }
  | { readonly kind: 'remove'; readonly signer: Signer };

export interface PrepareSignerChangeInput {
  readonly wallet: FamilyWallet;
  readonly chain: string;
  readonly change: SignerChange;
  /** The recovery method that approves it. */
  readonly approver: Signer;
  readonly now: Date;
}

/**
 * What the network says about a delegate: it is there as asked, there with other settings, or not
 * there.
 */
export type DelegateTruth = 'same' | 'different' | 'absent';

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

/**
 * What an operator looks at and does when something was stolen. Absent where wallets are moved by
 * their keys alone.
 */
export interface ControlTools {
  /**
   * @param input `known`: the delegated signers of the database; `inForce`: those that should be
   * registered on this network
   */
  read(input: {
    readonly wallet: FamilyWallet;
    readonly chain: string;
    readonly known: readonly { readonly signer: Signer; readonly inForce: boolean }[];
  }): Promise<WalletControl>;
  /**
   * The operation that ends everything that was signed for the wallet on one network so far, and
   * all its delegated signers.
   */
  prepareEnd(input: Omit<PrepareSignerChangeInput, 'change'>): Promise<PreparedOperation>;
}

/** How much of the spending limit of one scope is used, as the network counts it; smallest unit. */
export interface LimitUse {
  readonly limitMinor: bigint;
  readonly usedMinor: bigint;
  /** From when the whole limit is there again; absent when it is now, or never will be. */
  readonly renewsAt?: Date;
}

export interface ReadLimitsInput {
  readonly wallet: FamilyWallet;
  readonly chain: string;
  readonly signers: readonly Signer[];
  readonly now: Date;
}

/** Delegated signers, as the chain has them. */
export interface Delegates {
  /** Types that may be delegated signers. */
  readonly delegatedSignerTypes: readonly SignerType[];
  /**
   * The operation that registers or removes a delegated signer on one network; submitted like any
   * other.
   * @throws chain-not-supported, signer-type-not-supported, transaction-simulation-failed,
   * validation-error
   */
  prepareSignerChange(input: PrepareSignerChangeInput): Promise<PreparedOperation>;
  /**
   * The network's own word on these delegates, in their order. Of a wallet that is not deployed:
   * what its set-up registers.
   */
  readDelegates(
    wallet: FamilyWallet,
    chain: string,
    delegates: readonly Delegate[],
  ): Promise<DelegateTruth[]>;
  /**
   * What delegated signers have used of their limits, in their order and that of their scopes; in
   * the place of a scope without a limit, and of a signer that is not registered, undefined. One
   * round trip. @throws chain-not-supported, upstream-error, provider-unavailable
   */
  readLimits(
    input: ReadLimitsInput,
  ): Promise<readonly (readonly (LimitUse | undefined)[] | undefined)[]>;
}
