import type { Secret } from '../../lib/sealing/secret.ts';
import type { PayoutAccountType, PayoutCurrency, PayoutRail } from './rails.ts';
import type { ChangedField } from './reason-codes.ts';

/**
 * A bank, or a company before it, that pays out to accounts. Adapters live in the vault process
 * only: they are the one place where an account number leaves it. What a bank decides is a result;
 * a broken connection is an exception. Nothing that an adapter returns or throws holds an account
 * number, except a {@link Secret}.
 */
export interface PayoutProvider {
  /** Word of the configuration, e.g. `sandbox`. */
  readonly name: string;
  /** Sandboxes are refused in production. */
  readonly isSandbox: boolean;
  readonly offers: readonly PayoutOffer[];
  /**
   * A look-up that finds nothing this long after the last call proves that the bank never took the
   * payout.
   */
  readonly lookupLagMs: number;
  /** How long the bank recognises an idempotency key. Nothing is sent under an older one. */
  readonly keyKeptMs: number;
  /**
   * Makes the destination known to the bank; no money moves. The same `key` may come again.
   * @throws PayoutNotSentError, PayoutOutcomeUnknownError
   */
  introduce(input: IntroduceInput, signal: AbortSignal): Promise<Introduced>;
  /**
   * Hands a payout in. Sent again under the same key it is the same payout: the bank answers with
   * the first one.
   * @throws PayoutNotSentError when the bank has certainly not taken it by this call
   * @throws PayoutOutcomeUnknownError when it may have: look it up
   */
  submit(order: PayoutOrder, signal: AbortSignal): Promise<PayoutReport>;
  /**
   * What the bank knows of a payout, by our key. @throws PayoutUnavailableError
   */
  find(query: PayoutQuery, signal: AbortSignal): Promise<FoundPayout | undefined>;
  /**
   * Checks and reads what the bank posted to us. Never throws for what a stranger may have sent.
   */
  readCallback(callback: PayoutCallback): CallbackResult;
  /**
   * The bank's own record of what was handed in, in its own order, for reconciliation. Where a bank
   * does not tell two rails apart, each lists the transfers of both. @throws PayoutUnavailableError
   */
  listTransfers(input: ListTransfersInput, signal: AbortSignal): Promise<BankTransferPage>;
}

export interface PayoutOffer {
  readonly type: PayoutAccountType;
  readonly rails: readonly PayoutRail[];
}

export interface PostalAddress {
  readonly line1: string;
  readonly line2?: string;
  readonly city: string;
  readonly stateOrRegion?: string;
  readonly postalCode: string;
  /** ISO 3166-1, two letters. */
  readonly country: string;
}

interface AccountHolder {
  readonly name: string;
  readonly entityType: 'individual' | 'business';
  readonly address?: PostalAddress;
}

/** An opened payment method. It is held for one call, never stored. */
export type PayoutDestination = { readonly holder: AccountHolder } & (
  | {
      readonly type: 'bank-account-us';
      readonly routingNumber: string;
      readonly accountNumber: Secret;
      readonly accountType: 'checking' | 'savings';
    }
  | { readonly type: 'bank-account-sepa-iban'; readonly iban: Secret; readonly bic?: string }
  | { readonly type: 'bank-account-mx-clabe'; readonly clabe: Secret }
  | {
      readonly type: 'bank-account-co';
      readonly bankCode: string;
      readonly accountNumber: Secret;
      readonly accountType: 'checking' | 'savings';
      readonly nationalDocument: Secret;
    }
);

export interface IntroduceInput {
  readonly key: string;
  readonly rail: PayoutRail;
  readonly destination: PayoutDestination;
}

export type Introduced =
  | { readonly status: 'known'; readonly counterparty: string }
  | { readonly status: 'rejected'; readonly code: string };

export interface PayoutOrder {
  /** Our idempotency key: 1 to 100 characters `A-Z a-z 0-9 _ -`, the same at every try. */
  readonly key: string;
  /** What `introduce` answered with. */
  readonly counterparty: string;
  readonly type: PayoutAccountType;
  readonly entityType: AccountHolder['entityType'];
  readonly rail: PayoutRail;
  /** Smallest units of the currency. */
  readonly amountMinor: bigint;
  readonly currency: PayoutCurrency;
  /** Shown on the recipient's statement: up to 10 characters `A-Z a-z 0-9` and space. */
  readonly statement: string;
}

export interface PayoutQuery {
  readonly key: string;
  readonly counterparty: string;
  readonly rail: PayoutRail;
  /** The bank's id, once it is known. */
  readonly bankReference?: string;
  /** No call was made before this instant. */
  readonly sentAfter: Date;
}

/**
 * What the bank says of one payout. `at` is the bank's time. A payout that is refused at once may
 * have no reference.
 */
export type PayoutReport = { readonly at: Date; readonly money?: BankMoney } & (
  | { readonly status: 'pending' | 'settled' | 'final'; readonly bankReference: string }
  | { readonly status: 'returned'; readonly bankReference: string; readonly code: string }
  | { readonly status: 'rejected'; readonly bankReference?: string; readonly code: string }
);

/** What the bank says it pays: compared with what it was asked to. */
export interface BankMoney {
  readonly amountMinor: bigint;
  readonly currency: string;
}

/**
 * The receiving bank asks for the saved account to be corrected. The payout itself is not touched
 * by it.
 */
export interface NoticeOfChange {
  /** Of the bank; the same when it comes again. */
  readonly id: string;
  readonly code: string;
  readonly at: Date;
  /** Empty when the correction is of another kind, or cannot be read. */
  readonly corrected: CorrectedAccount;
}

export interface CorrectedAccount {
  readonly accountNumber?: Secret;
  readonly routingNumber?: string;
  readonly accountType?: 'checking' | 'savings';
}

export interface FoundPayout {
  readonly report: PayoutReport;
  readonly notices: readonly NoticeOfChange[];
}

/** A request of the bank, as it arrived. */
export interface PayoutCallback {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** The service's time. */
  readonly receivedAt: Date;
}

export type CallbackResult =
  | { readonly kind: 'event'; readonly event: BankEvent }
  /** Genuine, and about nothing that concerns payouts. */
  | { readonly kind: 'ignored'; readonly eventId: string }
  | { readonly kind: 'refused'; readonly reason: 'signature' | 'replay-window' | 'unreadable' };

export interface BankEvent {
  /** Of the bank; the same when it comes again. */
  readonly id: string;
  readonly at: Date;
  /** Our key, where the bank repeats it. */
  readonly key?: string;
  readonly bankReference: string;
  readonly report?: PayoutReport;
  readonly notice?: NoticeOfChange;
}

export interface ListTransfersInput {
  readonly rail: PayoutRail;
  readonly from: Date;
  readonly until: Date;
  readonly cursor?: string;
  /** 1 to 100. */
  readonly limit: number;
}

export interface BankTransferPage {
  readonly transfers: readonly (PayoutReport & {
    readonly key?: string;
    readonly createdAt: Date;
  })[];
  readonly nextCursor?: string;
}

/**
 * Something about a call to the bank went wrong. The message holds neither the request nor the
 * answer.
 */
export class PayoutUnavailableError extends Error {
  readonly provider: string;
  /** Milliseconds that the bank asked to wait. */
  readonly retryAfterMs?: number;

  constructor(provider: string, message: string, options: { readonly retryAfterMs?: number } = {}) {
    super(`${provider}: ${message}`);
    this.name = new.target.name;
    this.provider = provider;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The bank has certainly not taken the payout by this call: the same one may be sent again. */
export class PayoutNotSentError extends PayoutUnavailableError {}

/** Nobody here knows whether the bank took the payout: it is looked up, not sent again. */
export class PayoutOutcomeUnknownError extends PayoutUnavailableError {}

/** The fields of a correction that a notice's code names; others that came along are left out. */
export function pickCorrected(
  fields: readonly ChangedField[],
  given: CorrectedAccount,
): CorrectedAccount {
  return Object.fromEntries(
    fields.flatMap((field) => (given[field] === undefined ? [] : [[field, given[field]]])),
  );
}
