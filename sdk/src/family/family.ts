import type { Asked } from '../evm/asked.ts';
import type { KnownToken } from '../evm/chains.ts';
import type { OperationReview } from '../evm/review.ts';
import type { Transaction } from '../wallets.ts';

/** What is read, and what this client knows of it by itself. */
export interface ReadInput {
  readonly transaction: Pick<Transaction, 'params' | 'onChain'>;
  /** Address of the wallet. */
  readonly wallet: string;
  readonly isProduction: boolean;
  /** The caller's, beside those that the family knows. */
  readonly tokens: readonly KnownToken[];
  /** Locators of those who are about to sign. */
  readonly signers: readonly string[];
  /** What the calls are compared with, each. */
  readonly asked: readonly Asked[];
  /** `asked` is what the caller wrote here; else the service says it. */
  readonly isOwnWish: boolean;
  /** Somebody looks at it: then what only the service can know may pass. */
  readonly isReviewed: boolean;
}

/** A family other than EVM. It is loaded when a wallet of it is read for the first time. */
export interface Family {
  /** Reads out of what is signed what it does. @throws ApprovalRefusedError */
  readTransaction(input: ReadInput): OperationReview;
  /**
   * How a review names the signer. Undefined where only the service knows its key.
   * @throws TypeError for one that has no key of this family
   */
  signerIdOf(signer: unknown): string | undefined;
}
