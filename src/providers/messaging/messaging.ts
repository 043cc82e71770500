import type { Message } from './kinds.ts';

/** One message to one person. */
export interface SendInput {
  /** E-mail address, or E.164 number. */
  readonly to: string;
  readonly message: Message;
  /**
   * Up to 100 characters `A-Z a-z 0-9 -`. The same key is the same message, however often it is
   * sent.
   */
  readonly idempotencyKey: string;
}

/**
 * `sent`: the company has taken it; `messageId` is its own. `refused`: it never will deliver this
 * one, because of the `recipient` or of the `message`; `detail` is for the log.
 */
export type SendOutcome =
  | { readonly status: 'sent'; readonly messageId: string }
  | {
      readonly status: 'refused';
      readonly reason: 'recipient' | 'message';
      readonly detail: string;
    };

export type Channel = 'email' | 'sms';

/**
 * Messages to people. A call answers only when the company has the message or has refused it; it
 * waits for 20 s at most, retries included, so that a caller who waits for a code is told in time
 * when none comes.
 */
export interface MessagingProvider {
  /** @throws MessagingError */
  sendEmail(input: SendInput): Promise<SendOutcome>;
  /** @throws MessagingError */
  sendSms(input: SendInput): Promise<SendOutcome>;
}

/** One half of the provider: a company usually does one of the two. */
export type Sender = (input: SendInput) => Promise<SendOutcome>;

export interface MessagingErrorOptions {
  /** The connection broke after the message was handed over: it may still arrive. */
  readonly maybeSent?: boolean;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The company could not be asked, did not answer, or does not accept our account. */
export class MessagingError extends Error {
  readonly maybeSent: boolean;
  readonly retryAfterSeconds?: number;

  constructor(message: string, options: MessagingErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'MessagingError';
    this.maybeSent = options.maybeSent ?? false;
    if (options.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** For everything that one call does. */
export const sendTimeoutMs = 20_000;
/** First try included. */
export const sendAttemptsMax = 2;
