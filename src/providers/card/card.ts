import type { IncomingHttpHeaders } from 'node:http';

/**
 * Companies that take card payments (acquirers). A payment is authorised by the payer on a page,
 * captured by us when delivery is about to be tried, and refunded or disputed later. What a company
 * refuses is a result; a broken connection is a {@link CardProviderError}. Every company passes
 * `card.contract.ts`.
 */

/**
 * `requires-payment`: the payer enters a card (again, after a decline). `requires-action`: 3-D
 * Secure. `authorized`: the amount is held and can be captured. The last three are ends; a captured
 * payment may still be refunded and disputed, and a failed one is cancelled by whoever gives it up,
 * since an acquirer may hold it open.
 */
export const cardPaymentStatuses = [
  'requires-payment',
  'requires-action',
  'processing',
  'authorized',
  'captured',
  'canceled',
  'failed',
] as const;
export type CardPaymentStatus = (typeof cardPaymentStatuses)[number];

export interface CardDecline {
  /**
   * In kebab-case, e.g. `insufficient-funds`; `declineCodes` lists those that every adapter uses.
   */
  readonly code: string;
  /** For the payer. */
  readonly message: string;
  /** No further try can succeed, with no card: the payment is `failed`. */
  readonly final: boolean;
  /** The same card may succeed: its details were mistyped, or the trouble passes. */
  readonly sameCard: boolean;
}

/** Amounts are smallest units of the currency. */
export interface CardPayment {
  /** The acquirer's id. */
  readonly reference: string;
  /** Ours. */
  readonly paymentId: string;
  readonly status: CardPaymentStatus;
  readonly amountMinor: bigint;
  /** Lower case, as in `usd`. */
  readonly currency: string;
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
  /** Taken back by the payer's bank now, i.e. by disputes that are open or lost. */
  readonly disputedMinor: bigint;
  /** Each of them, those that were won too. */
  readonly disputes: readonly CardDispute[];
  /** Of the last try. */
  readonly decline?: CardDecline;
  readonly card?: CardDetails;
}

export interface CardDispute {
  /** The acquirer's id. */
  readonly reference: string;
  readonly status: 'open' | 'won' | 'lost';
  readonly amountMinor: bigint;
}

export interface CardDetails {
  readonly brand: string;
  readonly last4: string;
  /** ISO 3166-1, two letters, upper case. */
  readonly country?: string;
  /** e.g. `credit`, `debit`. */
  readonly fundingType?: string;
}

export interface CardRefund {
  /** Ours. */
  readonly refundId: string;
  /** The acquirer's id of the refund; empty where the acquirer refused it without keeping it. */
  readonly reference: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly amountMinor: bigint;
}

/**
 * News of the acquirer. It may come twice and in any order: it only says what to look at.
 * References are the acquirer's ids; several events may tell of one dispute, which its `reference`
 * tells.
 */
export type CardEvent =
  | {
      readonly type: 'payment-changed';
      readonly eventId: string;
      readonly reference: string;
      readonly paymentId?: string;
    }
  | {
      readonly type: 'refund-changed';
      readonly eventId: string;
      readonly reference: string;
      readonly paymentReference: string;
    }
  | {
      readonly type: 'disputed' | 'dispute-won' | 'dispute-lost';
      readonly eventId: string;
      /** Of the dispute. */
      readonly reference: string;
      readonly paymentReference: string;
      readonly amountMinor: bigint;
      readonly currency: string;
      readonly reason: string;
    };

/** `payment.preparation.card` of the interface: what the payer's browser needs. */
export interface CardPreparation {
  readonly provider: string;
  readonly publicKey: string;
  /** Lets its holder pay this one payment. */
  readonly clientSecret?: string;
  /** Hosted page, when the acquirer has one. */
  readonly url?: string;
}

export interface CreateCardPaymentInput {
  /** The idempotency key: `A-Z a-z 0-9 _ -`, 1 to 100 characters. */
  readonly paymentId: string;
  readonly amountMinor: bigint;
  /** ISO 4217, in either case. */
  readonly currency: string;
  /** Shown to the operator at the acquirer, e.g. the order's id. */
  readonly reference: string;
  readonly receiptEmail?: string;
  readonly description?: string;
}

export interface CardProvider {
  /** `sandbox` or `stripe`. */
  readonly name: string;
  /**
   * Makes (or finds again: `paymentId` is the idempotency key) a payment with manual capture.
   * @throws CardProviderError; CardRefusedError when the acquirer takes no such payment, e.g. other
   * input under a used key
   */
  createPayment(
    input: CreateCardPaymentInput,
  ): Promise<CardPayment & { readonly preparation: CardPreparation }>;
  /** @throws CardProviderError */
  findPayment(reference: string): Promise<CardPayment | undefined>;
  /**
   * Takes up to the authorised amount; the rest is released. Where the acquirer refuses, the
   * payment comes back as it stands.
   * @throws CardProviderError; CardRefusedError when the call itself is wrong
   */
  capture(input: {
    readonly reference: string;
    readonly amountMinor: bigint;
    readonly idempotencyKey: string;
  }): Promise<CardPayment>;
  /**
   * Releases an authorisation. A payment that cannot be cancelled any more comes back as it stands.
   * @throws CardProviderError
   */
  cancel(input: {
    readonly reference: string;
    readonly idempotencyKey: string;
  }): Promise<CardPayment>;
  /**
   * Gives captured money back; `refundId` is the idempotency key.
   * A refund that the acquirer refuses comes back as `failed`.
   * @throws CardProviderError
   */
  refund(input: {
    readonly reference: string;
    readonly refundId: string;
    readonly amountMinor: bigint;
    readonly reason?: string;
  }): Promise<CardRefund>;
  /** @throws CardProviderError */
  findRefund(input: {
    readonly reference: string;
    readonly refundId: string;
  }): Promise<CardRefund | undefined>;
  /**
   * Verifies the signature over the raw body and reads it; undefined: not signed by the acquirer.
   * Never throws for a stranger's input.
   */
  readCallback(input: {
    readonly headers: IncomingHttpHeaders;
    readonly body: Buffer;
    readonly now: Date;
  }): CardEvent[] | undefined;
  /** Only where this service stands in for the acquirer and shows its page. */
  readonly sandbox?: CardSandbox;
}

/** The sandbox acquirer's page and its own time, as the routes and the worker need them. */
export interface CardSandbox {
  /** What the page shows; undefined: no such payment, or a wrong client secret. */
  readPage(input: {
    readonly reference: string;
    readonly clientSecret: string;
  }): Promise<SandboxCardPage | undefined>;
  /**
   * A try of the payer. Undefined: as above. A payment that takes no card now comes back as it is.
   */
  pay(input: {
    readonly reference: string;
    readonly clientSecret: string;
    readonly card: EnteredCard;
  }): Promise<SandboxCardPage | undefined>;
  /** The payer's answer to the 3-D Secure step. */
  answerChallenge(input: {
    readonly reference: string;
    readonly clientSecret: string;
    readonly answer: 'approve' | 'fail';
  }): Promise<SandboxCardPage | undefined>;
  /**
   * Lets happen what the clock has reached (slow payments, expiries, chargebacks, refunds). Answers
   * how many things happened.
   */
  advance(): Promise<number>;
  /** Ends a dispute as the payer's bank would. False when there is no open one. */
  decideDispute(input: {
    readonly reference: string;
    readonly decision: 'won' | 'lost';
  }): Promise<boolean>;
  /**
   * Hands over callbacks that are due, each once, in the order of the events. `deliver` answers
   * whether it was taken: what was not is due again later. For tests, `shape` changes what is
   * handed over. Answers how many were taken.
   */
  deliverCallbacks(
    deliver: (callback: SignedCardCallback) => Promise<boolean>,
    shape?: { readonly order?: 'reversed'; readonly times?: number },
  ): Promise<number>;
}

/** A card as typed. It is held for one call, never stored. */
export interface EnteredCard {
  readonly number: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly cvc: string;
}

export interface SandboxCardPage {
  readonly payment: CardPayment;
  readonly description?: string;
  /** The payer's bank has not decided yet. */
  readonly hasOpenDispute: boolean;
}

export interface SignedCardCallback {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Why a payer's bank says no, in the words of every adapter; acquirers may add others. */
export const declineCodes = [
  'card-declined',
  'insufficient-funds',
  'expired-card',
  'lost-card',
  'stolen-card',
  'do-not-honor',
  'incorrect-number',
  'incorrect-cvc',
  'invalid-expiry',
  'processing-error',
  'fraudulent',
  'authentication-failed',
  'authorization-expired',
  'capture-declined',
] as const;

/**
 * The call did not end as it should. `mayHaveHappened`: it may have taken effect, so look, or
 * repeat it under the same key. The message holds neither the request nor the answer.
 */
export class CardProviderError extends Error {
  readonly provider: string;
  readonly mayHaveHappened: boolean;
  /** Milliseconds that the acquirer asked to wait. */
  readonly retryAfterMs?: number;

  constructor(
    provider: string,
    message: string,
    options: {
      readonly mayHaveHappened: boolean;
      readonly retryAfterMs?: number;
      readonly cause?: unknown;
    },
  ) {
    super(
      `${provider}: ${message}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = new.target.name;
    this.provider = provider;
    this.mayHaveHappened = options.mayHaveHappened;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * The acquirer does not take the call itself, whoever the payer is: repeating it is useless.
 * Nothing has happened by it.
 */
export class CardRefusedError extends CardProviderError {
  constructor(provider: string, message: string) {
    super(provider, message, { mayHaveHappened: false });
  }
}
