import type { JsonObject } from '../../lib/json.ts';
import type { ResolvedToken } from './tokens.ts';
import type { FamilyWallet } from './wallets.ts';

export interface TransferIntent {
  readonly wallet: FamilyWallet;
  readonly chain: string;
  readonly token: ResolvedToken;
  /** Smallest unit; 1 for a token with an id, unless it is one of several alike. */
  readonly amountMinor: bigint;
  readonly recipientAddress: string;
  readonly memo?: { readonly type: string; readonly value: string };
}

/** Plain transfers as transactions. */
export interface Transfers {
  /** `params` of the transaction that makes this transfer. Families that pick coins or accounts ask their node here. */
  transferParams(intent: TransferIntent): Promise<JsonObject>;
}

/** Test money. */
export interface Funding {
  /** Test funding (supplement, section 10): mints `amountMinor` of the test token. @throws token-not-supported */
  fund(input: {
    chain: string;
    token: ResolvedToken;
    amountMinor: bigint;
    recipientAddress: string;
    reference: string;
  }): Promise<{ txId: string }>;
}
