import type { SeenTransfer } from './entrances.ts';
import type { ResolvedToken } from './family.ts';

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
  /** False where the recipient takes this token only without a memo: such a deposit is known by payer and amount. */
  readonly carriesMemo: boolean;
}

/** Whether a payer could pay now; `insufficient-funds-for-gas` is about the fees of the network. */
export type PayerState = 'ok' | 'insufficient-funds' | 'insufficient-funds-for-gas';

/** A final deposit as it was recorded, for {@link ChainFamily.proveDeposits}. */
export interface RecordedDeposit {
  /** `id` of the {@link SeenTransfer}. */
  readonly seenId: string;
  readonly token: ResolvedToken;
  readonly amountMinor: bigint;
  readonly sender: string;
  readonly recipient: string;
  readonly txId: string;
  readonly height: bigint;
}

/** A transaction that somebody says is a deposit. */
export interface PostedDeposit {
  readonly status: 'unknown' | 'pending' | 'failed' | 'included';
  /** What it moved to the recipient, with the ids under which it is recorded; empty unless `included`. */
  readonly transfers: readonly SeenTransfer[];
}
