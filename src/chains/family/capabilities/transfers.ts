import type { JsonObject } from '../../../lib/json/json.ts';
import type { ResolvedToken } from './tokens.ts';
import type { FamilyWallet } from './wallets.ts';

/** A wallet of the service that is to get something. */
export interface Recipient {
  readonly wallet: FamilyWallet;
  readonly projectId: string;
  /** Whose share of what the project may spend it takes to make the wallet able to hold it. */
  readonly owner: string;
}

/**
 * The recipient, where it is a wallet of the payer's project. Asked only where it could not hold
 * the token as it is.
 */
export type FindRecipient = () => Promise<Recipient | undefined>;

export interface TransferIntent {
  readonly wallet: FamilyWallet;
  readonly chain: string;
  readonly token: ResolvedToken;
  /** Smallest unit; 1 for a token with an id, unless it is one of several alike. */
  readonly amountMinor: bigint;
  readonly recipientAddress: string;
  readonly memo?: { readonly type: string; readonly value: string };
  readonly findRecipient?: FindRecipient;
}

/** Plain transfers as transactions. */
export interface Transfers {
  /**
   * `params` of the transaction that makes this transfer. Families that pick coins or accounts ask
   * their node here.
   */
  transferParams(intent: TransferIntent): Promise<JsonObject>;
}

/** Test money. */
export interface Funding {
  /**
   * Test funding (supplement, section 10): mints `amountMinor` of the test token.
   * @throws token-not-supported
   */
  fund(input: {
    chain: string;
    token: ResolvedToken;
    amountMinor: bigint;
    recipientAddress: string;
    findRecipient?: FindRecipient;
    reference: string;
  }): Promise<{ txId: string }>;
}
