import type { Address, Instruction } from '@solana/kit';
import type { Scope } from '../../../../programs/solana-wallet/index.ts';
import type { Delegate, Signer } from '../../family/capabilities/signers.ts';
import type { FamilyWallet } from '../../family/capabilities/wallets.ts';
import type { ReadInstruction } from '../operation/message.ts';
import type { ChainAccount } from '../operation/node.ts';

/** Smart wallets, as the rest of the family asks for them. */

/** What addresses of smart wallets depend on beside their set-up. */
export interface WalletProgram {
  readonly program: Address;
  /**
   * Stands in the set-up, so that a wallet of one cluster is at another address on another:
   * `mainnet`, `devnet`, `local`.
   */
  readonly cluster: string;
}

/** One round trip. */
export type ReadAccounts = (
  addresses: readonly Address[],
) => Promise<readonly (ChainAccount | undefined)[]>;

/** What the chain has of a wallet, and of the delegate that acts. */
export interface SmartWalletState {
  /** False: the first operation makes it. */
  readonly created: boolean;
  readonly epoch: number;
  /**
   * The highest number used by a P-256 approval of the admin or, when a delegate acts, of that
   * delegate.
   */
  readonly lastNumber: bigint;
  /** Present when a delegate acts. */
  readonly delegate?: {
    /** False: its account is not there, and the set-up registers it or nobody does. */
    readonly written: boolean;
    /** False: removed, of an earlier epoch, or never registered. */
    readonly active: boolean;
    /** That the operation names. */
    readonly generation: number;
    readonly scopes: readonly Scope[];
    /** What may still be spent now, by scope; undefined: no limit. */
    readonly available: readonly (bigint | undefined)[];
  };
}

export interface WrapInput {
  readonly wallet: FamilyWallet;
  /** Who acts: a recovery method (a quorum as a whole) or a delegate. */
  readonly signer: Signer;
  readonly delegate?: Delegate | undefined;
  /** Of a quorum, those that will sign; absent: the first ones. */
  readonly members?: readonly Signer[] | undefined;
  readonly state: SmartWalletState;
  /**
   * Of `params.transaction`: no compute budget, no advance of a nonce; the fee payer in the
   * wallet's place where it pays.
   */
  readonly instructions: readonly ReadInstruction[];
  readonly feePayer: Address;
  /** The program refuses the operation afterwards. */
  readonly deadline: Date;
  readonly now: Date;
  /**
   * Owners and mints of the token accounts that a delegate's transfers name, as the chain has them.
   */
  readonly tokenAccounts?: ReadonlyMap<string, { readonly owner: string; readonly mint: string }>;
}

export interface Wrapped {
  /**
   * What stands behind the nonce and the compute budget, creation of the wallet included, and the
   * instruction for P-256 approvals.
   */
  readonly instructions: readonly Instruction[];
  /** Whose ed25519 signature the transaction needs beside the fee payer's. */
  readonly signers: readonly Address[];
  /**
   * For a simulation, where P-256 keys are to approve: nobody can have signed yet what the program
   * wants, so the wallet itself signs what would run inside. Absent: the instructions are simulated
   * as they are.
   */
  readonly simulated?: readonly Instruction[];
  /** Accounts of the program that the fee payer pays for. */
  readonly accounts: readonly Address[];
  /** Bytes that P-256 approvals add at most. */
  readonly reservedBytes: number;
}
