import type { IncomingHttpHeaders } from 'node:http';

/**
 * Companies that check who a person is, by inquiries: one inquiry is made from what is known of the
 * person, the person may have to go on with it on a page of the company, and after a while the
 * company passes or refuses. Every company passes `kyc.contract.ts`.
 */

/** How deep the check goes. */
export type KycLevel = 'light' | 'full';

/** What a company may ask for; the words of the interface. */
export const requestableDocuments = ['id', 'proof-of-address'] as const;
export type RequestableDocument = (typeof requestableDocuments)[number];

/**
 * What the person still has to give on the company's page before it decides; `consent`: to the
 * privacy policy.
 */
const inquiryGaps = ['consent', 'user-details', 'kyc-data', ...requestableDocuments] as const;
export type InquiryGap = (typeof inquiryGaps)[number];

/** What is known of a person. Dates are `YYYY-MM-DD`, countries two letters. */
export interface KycPerson {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly dateOfBirth?: string;
  readonly countryOfResidence?: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly nationality?: string;
  readonly address?: {
    readonly line1: string;
    readonly line2?: string;
    readonly city: string;
    readonly stateOrRegion?: string;
    readonly postalCode: string;
  };
  readonly identityDocument?: {
    readonly type: string;
    readonly number: string;
    readonly issuingCountryCode: string;
  };
}

export interface KycDocument {
  /** e.g. `id-passport`. */
  readonly documentType: string;
  readonly mediaType: string;
  readonly fileName: string;
  readonly content: Uint8Array;
}

export interface CreateInquiryInput {
  readonly level: KycLevel;
  /** Ours, unique for the inquiry: a second creation with it answers the first one's inquiry. */
  readonly reference: string;
  /** The same for every try. */
  readonly idempotencyKey: string;
  readonly person: KycPerson;
  readonly documents: readonly KycDocument[];
  /** What an earlier inquiry asked for and is among the documents now. */
  readonly answered: readonly RequestableDocument[];
  /** What the check needs and is not handed over: the company's page asks for it. */
  readonly missing: readonly InquiryGap[];
}

/**
 * `waiting`: the person has something to do, or the company has just begun. `in-review`: people of
 * the company look at it. `document-requested`: it ended with the wish for better documents. The
 * last four are ends.
 */
export const inquiryStates = [
  'waiting',
  'in-review',
  'passed',
  'refused',
  'document-requested',
  'expired',
] as const;
export type InquiryState = (typeof inquiryStates)[number];

export interface Inquiry {
  readonly id: string;
  readonly state: InquiryState;
  /** With `document-requested`. */
  readonly requestedDocuments?: readonly RequestableDocument[];
}

/**
 * The company says no to the inquiry itself, e.g. a field it does not take. `reason` is for the
 * operator's log, without personal data.
 */
export interface InquiryNotTaken {
  readonly notTaken: string;
}

/** How the person gets on with an inquiry: the token works once. */
export interface InquirySession {
  readonly inquiryId: string;
  readonly sessionToken: string;
  /** For the company's own browser component. */
  readonly environmentId?: string;
  /** A page that a browser can be sent to. */
  readonly url?: string;
}

/**
 * News of an inquiry. What the news says is not used: the state is read from the company, so order
 * and repetition do not matter.
 */
export interface KycCallback {
  /** The same for every delivery of the same event. */
  readonly eventId: string;
  readonly inquiryId: string;
  readonly reference?: string;
}

export type CallbackRefusal = 'wrong-signature' | 'outside-window' | 'malformed';

export interface CallbackInput {
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they came: the signature is over them. */
  readonly body: Buffer;
  readonly now: Date;
}

export interface KycProvider {
  /** Kept with each review. */
  readonly name: string;
  /** @throws KycOutage */
  createInquiry(
    input: CreateInquiryInput,
    signal?: AbortSignal,
  ): Promise<Inquiry | InquiryNotTaken>;
  /** An inquiry that the company no longer knows is `expired`. @throws KycOutage */
  readInquiry(inquiryId: string, signal?: AbortSignal): Promise<Inquiry>;
  /** Undefined when the inquiry takes no more input. @throws KycOutage */
  openSession(inquiryId: string, signal?: AbortSignal): Promise<InquirySession | undefined>;
  /** Makes the company forget the person; an unknown inquiry is fine. @throws KycOutage */
  redactInquiry(inquiryId: string, signal?: AbortSignal): Promise<void>;
  /** Checks and reads a callback. */
  readCallback(input: CallbackInput): KycCallback | { readonly refused: CallbackRefusal };
  /** Only where this service stands in for the company and shows its page. */
  readonly sandbox?: KycSandbox;
}

/**
 * The page of the sandbox, as the routes need it. Tokens are random; only their digests are kept.
 */
export interface KycSandbox {
  /** Exchanges the one-time session token. Undefined: wrong, used or expired. */
  redeemSession(inquiryId: string, sessionToken: string): Promise<string | undefined>;
  /** Undefined: wrong token. */
  readPage(inquiryId: string, pageToken: string): Promise<SandboxPage | undefined>;
  /**
   * What the person entered; the names steer. False when something it asks for is not given, or
   * there is nothing to enter any more.
   */
  submitPage(inquiryId: string, input: SandboxInput): Promise<boolean>;
  /** Ends a review by hand. False when there is none. */
  decide(inquiryId: string, decision: 'passed' | 'refused'): Promise<boolean>;
  /** A callback as the company would send it. */
  signCallback(
    inquiryId: string,
    name: string,
  ): { readonly headers: IncomingHttpHeaders; readonly body: Buffer };
}

export interface SandboxInput {
  readonly firstName: string;
  readonly lastName: string;
  /** What of {@link SandboxPage.asks} the person gave beside the names. */
  readonly given: readonly InquiryGap[];
}

export interface SandboxPage {
  readonly inquiryId: string;
  readonly state: InquiryState;
  /** What the page asks for beside the names. */
  readonly asks: readonly InquiryGap[];
  /** True while the person has something to enter. */
  readonly takesInput: boolean;
}

/**
 * The company cannot be reached, is overloaded, or refuses our credentials: to be tried again
 * later.
 */
export class KycOutage extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KycOutage';
  }
}

export function isNotTaken(answer: Inquiry | InquiryNotTaken): answer is InquiryNotTaken {
  return 'notTaken' in answer;
}
