import type { JsonObject } from '../../../lib/json/json.ts';
import type { OrderFailure } from './failures.ts';
import type { OrderKind, OrderState } from './machine.ts';
import type { PublicStatus } from './public-status.ts';

/** An amount of something, fiat or token. */
export interface OrderAmount {
  /** As answered: a fiat code or token symbol in lower case, e.g. `usd`, `usdc`. */
  readonly currency: string;
  /** As in the ledger: a fiat code, or `<chain>:<canonical token address>`, `<chain>:native`. */
  readonly asset: string;
  readonly decimals: number;
  readonly amountMinor: bigint;
}

/** A fee, in the fiat currency of the order. */
export interface OrderFee extends OrderAmount {
  /** e.g. `service`, `rail`, `network`. */
  readonly type: string;
}

/**
 * What was agreed. `pay` is all that the payer pays; what is left after the fees is converted and
 * becomes `receive`. The parts add up exactly: nothing smaller than the smallest unit appears or
 * vanishes; what rounding leaves over is a fee of type `rounding`.
 */
export interface OrderTerms {
  readonly mode: 'exact-in' | 'exact-out';
  readonly pay: OrderAmount;
  readonly receive: OrderAmount;
  readonly fees: readonly OrderFee[];
  /**
   * What is paid, in the fiat currency of the order: `pay` itself, or its tokens at their rate.
   * Equals `unit` and all fees.
   */
  readonly value: OrderAmount;
  /** What is left of `value` after the fees: the price of what is received. */
  readonly unit: OrderAmount;
  /**
   * Fiat per whole token at which the conversion was priced, a decimal: of the token received, or
   * else of the one paid.
   */
  readonly rate: string;
  /** Of the token paid, where one token is paid for another. */
  readonly payRate?: string;
  readonly maxSlippageBps: number;
  /**
   * What is received is an item of a collection: `receive` counts items. Free ones have terms of 0.
   */
  readonly collectible?: {
    readonly offerId: string;
    /** Of an existing token. */
    readonly tokenId?: string;
  };
  /**
   * Of each line item, where there are several: `pay`, `value`, `unit` and `fees` are their sums,
   * `receive` is of the first.
   */
  readonly items?: readonly OrderTerms[];
}

/** Money as a fact of an order. Minor units as text, since facts are stored as JSON. */
export interface OrderMoneyFact {
  readonly currency: string;
  readonly decimals: number;
  readonly amountMinor: string;
  readonly chain?: string;
  readonly txId?: string;
}

/** How one of several line items is delivered. */
export interface ItemDelivery {
  /** Transfer of the treasury; stored before it is sent. */
  readonly transferId: string;
  readonly retried?: boolean;
  /** Absent while it is under way. */
  readonly status?: 'delivered' | 'failed';
  readonly txId?: string;
  readonly deliveredAt?: string;
  /** Minor units as text. */
  readonly deliveredMinor?: string;
  readonly deliveredAddress?: string;
  readonly deliveredTokens?: readonly DeliveredToken[];
}

/** Items of a collection that have arrived. */
export interface DeliveredToken {
  readonly tokenId: string;
  /** Decimal text. */
  readonly quantity: string;
}

/** A refund of a delivered line item that an operator has agreed to. */
export interface RefundGrant {
  readonly requestId: string;
  readonly lineItem: number;
  /** Of what was paid; minor units as text. */
  readonly amountMinor: string;
}

/**
 * What has happened so far. Every field is written once its event is, and most never change again.
 */
export interface OrderFacts {
  readonly received?: OrderMoneyFact;
  readonly refunded?: OrderMoneyFact;
  readonly totalPaid?: OrderMoneyFact;
  readonly failure?: OrderFailure;
  /** Payout rail: set once at routing and never changed. */
  readonly rail?: string;
  /** Instant of delivery. */
  readonly deliveredAt?: string;
  /** Of the delivery. */
  readonly txId?: string;
  /** Tokens that were delivered, minor units as text. */
  readonly deliveredMinor?: string;
  /** Of the token, as it is shown; native money has none. */
  readonly deliveredAddress?: string;
  /** Of collections: which items have arrived. */
  readonly deliveredTokens?: readonly DeliveredToken[];
  /** Transfer of the treasury that delivers; stored before it is sent. */
  readonly deliveryTransferId?: string;
  /**
   * Transfers that are final and have brought less than was ordered: an operator decides what
   * becomes of the order.
   */
  readonly shortTransferIds?: readonly string[];
  /** Payout after the first was rejected: the second and last one. */
  readonly payoutRetried?: boolean;
  /** Transaction that the payer posted. */
  readonly postedTxId?: string;
  /** What the payer's wallet or browser needs: payment.preparation of the answer. */
  readonly preparation?: JsonObject;
  /** Of the deposit that pays this order. */
  readonly depositId?: string;
  /** Deposits that an operator has given to it, whoever made them. */
  readonly assignedDepositIds?: readonly string[];
  /**
   * Worth of the order in US dollars when it was priced, a decimal: what limits and the light
   * identity check count.
   */
  readonly amountUsd?: string;
  /** Of orders with several line items, one for each. */
  readonly deliveries?: readonly ItemDelivery[];
  readonly refundGrants?: readonly RefundGrant[];
  readonly [more: string]: unknown;
}

/** An order as it is kept. */
export interface OrderRecord {
  readonly id: string;
  readonly projectId: string;
  readonly kind: OrderKind;
  readonly state: OrderState;
  readonly resumeState?: OrderState;
  readonly attention?: string;
  readonly publicStatus: PublicStatus;
  readonly userId?: string;
  readonly userLocator?: string;
  readonly payerKey?: string;
  readonly recipientKey?: string;
  readonly memo?: string;
  readonly paidCurrency?: string;
  readonly cardReference?: string;
  readonly payoutId?: string;
  readonly clientSecretHash: Buffer;
  /** The create body as it was understood (see {@link OrderRequest}); PATCH changes it. */
  readonly request: OrderRequest;
  readonly terms?: OrderTerms;
  readonly facts: OrderFacts;
  readonly quotedAt?: Date;
  readonly quoteExpiresAt?: Date;
  readonly deadlineAt?: Date;
  readonly version: number;
  /** Its row is not as it was sealed: nothing is given out for it. */
  readonly sealProblem?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** One thing that is bought or sold. */
export interface OrderLineItem {
  /** Token that is delivered; absent when fiat is. */
  readonly tokenLocator?: string;
  readonly collectionLocator?: string;
  /** Fiat that is delivered. */
  readonly fiatCurrency?: string;
  readonly mode: 'exact-in' | 'exact-out';
  /** As sent: whole units of what is paid (exact-in) or received (exact-out). */
  readonly amount: string;
  readonly maxSlippageBps?: number;
  readonly callData?: JsonObject;
  /** Of items of collections. */
  readonly quantity?: number;
}

/** What the caller wants, checked. Names of chains are concrete networks. */
export interface OrderRequest {
  readonly locale: string;
  readonly payment: {
    /** `card`, or the network of the deposit. */
    readonly method: string;
    /** Fiat code or token symbol, lower case. */
    readonly currency: string;
    readonly receiptEmail?: string;
    readonly payerAddress?: string;
  };
  readonly recipient: {
    readonly walletAddress?: string;
    readonly email?: string;
    readonly paymentMethodId?: string;
    readonly rail?: string;
    readonly physicalAddress?: JsonObject;
  };
  readonly lineItem: OrderLineItem;
  /** The line items after the first, where there are several. */
  readonly moreLineItems?: readonly OrderLineItem[];
  readonly metadata?: JsonObject;
}
