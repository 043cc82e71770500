import type { Address, Instruction } from '@solana/kit';
import type { Delegate, Signer, SubmittedApproval } from '../../family/signers.ts';
import type { FamilyWallet } from '../../family/wallets.ts';

/** Smart wallets, as the rest of the family asks for them. */

/** What addresses of smart wallets depend on beside their set-up. */
export interface WalletProgram {
  readonly program: Address;
  /** Stands in the set-up, so that a wallet of one cluster is at another address on another: `mainnet`, `devnet`, `local`. */
  readonly cluster: string;
}

/** An account as a node tells of it; undefined: there is none. */
export interface AccountBytes {
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

/** One round trip. */
export type ReadAccounts = (addresses: readonly Address[]) => Promise<readonly (AccountBytes | undefined)[]>;

/** What the chain has of a wallet, and of the delegate that acts. */
export interface SmartWalletState {
  /** False: the first operation makes it. */
  readonly created: boolean;
  readonly epoch: number;
  /** The highest number used by a P-256 approval of the admin or, when a delegate acts, of that delegate. */
  readonly lastNumber: bigint;
  /** Present when a delegate acts. */
  readonly delegate?: {
    /** False: the set-up registers it, and its first operation writes it down. */
    readonly written: boolean;
    readonly generation: number;
    /** What may still be spent now, by scope; undefined: no limit. */
    readonly available: readonly (bigint | undefined)[];
  };
}

export interface WrapInput {
  readonly wallet: FamilyWallet;
  /** Who acts: a recovery method (a quorum as a whole) or a delegate. */
  readonly signer: Signer;
  readonly delegate?: Delegate;
  /** Of a quorum, those that will sign; absent: the first ones. */
  readonly members?: readonly Signer[];
  readonly state: SmartWalletState;
  /** Of `params.transaction` or of a transfer; no compute budget, no advance of a nonce. */
  readonly instructions: readonly Instruction[];
  readonly feePayer: Address;
  readonly nonceAccount: Address;
  readonly nonceAuthority: Address;
  /** The program refuses the operation afterwards. */
  readonly deadline: Date;
  readonly now: Date;
  /**
   * First of the numbers that P-256 signers' operations use up, one per wrapped instruction: above `state.lastNumber`, and
   * given to no other operation. Ignored for others.
   */
  readonly firstNumber?: bigint;
  /** Owner and mint of token accounts named in a delegate's transfers, as the chain has them. */
  readonly tokenAccounts?: ReadonlyMap<string, { readonly owner: Address; readonly mint: Address }>;
  /** Others that sign the transaction (`requiredSigners`). */
  readonly requiredSigners?: readonly Address[];
}

export interface Wrapped {
  /** What stands behind AdvanceNonce and the compute budget, creation of the wallet included; for P-256 the precompile's too. */
  readonly instructions: readonly Instruction[];
  /** Whose ed25519 signature the transaction needs, beside fee payer and nonce authority. */
  readonly signers: readonly Address[];
  /** What runs inside without the program, for simulating what nobody has signed yet: the vault signs it itself. */
  readonly inner: readonly Instruction[];
  /** Present when device or passkey approve: their `message` is {@link P256Request.hash} of the compiled transaction. */
  readonly p256?: P256Request;
}

export interface P256Request {
  /** Approvals that the transaction must get before it is whole. */
  readonly keys: readonly Signer[];
  /** Bytes that the approvals add at most: keep as much room below the 1,232. */
  readonly reservedBytes: number;
}

export interface CompleteP256Input {
  /** The unsigned wire transaction, with the precompile's instruction still empty. */
  readonly transaction: Uint8Array;
  readonly approvals: readonly SubmittedApproval[];
}
