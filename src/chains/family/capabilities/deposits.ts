import type { SeenTransfer } from './entrances.ts';
import type { ResolvedToken } from './tokens.ts';

/** What orders ask of a family about deposits. */

/** A deposit as somebody is to make it. */
export interface DepositIntent {
  readonly chain: string;
  readonly token: ResolvedToken;
  readonly amountMinor: bigint;
  readonly payerAddress: string;
  readonly recipientAddress: string;
  readonly memo: string;
}

export interface DepositInstructions {
  /** An unsigned transaction of the payer, complete: it needs a signature and a broadcast. */
  readonly serializedTransaction: string;
  /**
   * False where the recipient takes this token only without a memo: such a deposit is known by
   * payer and amount.
   */
  readonly carriesMemo: boolean;
}

/** Whether a payer could pay now; `insufficient-funds-for-gas` is about the fees of the network. */
export type PayerState = 'ok' | 'insufficient-funds' | 'insufficient-funds-for-gas';

/** A final deposit as it was recorded, for {@link Deposits.proveDeposits}. */
export interface RecordedDeposit {
  /** `id` of the {@link SeenTransfer}. */
  readonly seenId: string;
  readonly token: ResolvedToken;
  readonly amountMinor: bigint;
  readonly sender: string;
  readonly recipient: string;
  readonly memo?: string;
  readonly txId: string;
  readonly height: bigint;
}

/** A transaction that somebody says is a deposit. */
export interface PostedDeposit {
  readonly status: 'unknown' | 'pending' | 'failed' | 'included';
  /**
   * What it moved to the recipient, with the ids under which it is recorded; empty unless
   * `included`.
   */
  readonly transfers: readonly SeenTransfer[];
}

/** Deposits of orders: how they are made, known and proved. */
export interface Deposits {
  /** A new memo: random, in the one form in which {@link SeenTransfer} has it. */
  newMemo(): string;
  /**
   * How to make a deposit, for an ordinary account of the payer. Nothing is reserved: it holds for
   * as long as the payer sends nothing else. @throws chain-not-supported, token-not-supported,
   * invalid-recipient, provider-unavailable, upstream-error
   */
  depositInstructions(input: DepositIntent): Promise<DepositInstructions>;
  /**
   * Whether the payer has enough of the token, and of the native token for the fees unless
   * `sponsored` (wallets of this service).
   * @throws chain-not-supported, token-not-supported, provider-unavailable, upstream-error
   */
  payerState(
    input: Pick<DepositIntent, 'chain' | 'token' | 'amountMinor' | 'payerAddress'> & {
      readonly sponsored?: boolean;
    },
  ): Promise<PayerState>;
  /**
   * Looks at a transaction that was posted as a deposit; what is recorded is the watcher's. Text
   * that is no transaction id is `unknown`. @throws chain-not-supported, provider-unavailable,
   * upstream-error
   */
  readDeposits(input: {
    readonly chain: string;
    readonly txId: string;
    readonly recipientAddress: string;
  }): Promise<PostedDeposit>;
  /**
   * Looks once more, and at another node where one is configured, whether the chain has these final
   * deposits of one chain and their recipient holds them. Answers why money must not leave for them
   * as the rest of a sentence about them; undefined when it may.
   * @param input.worthUsd what they are worth together; undefined when nobody knows
   * @throws chain-not-supported, provider-unavailable, upstream-error: nobody can say at the moment
   */
  proveDeposits(input: {
    readonly chain: string;
    readonly deposits: readonly RecordedDeposit[];
    readonly worthUsd: string | undefined;
  }): Promise<string | undefined>;
}
