import { setTimeout as delay } from 'node:timers/promises';
import {
  type Channel,
  MessagingError,
  type Sender,
  type SendInput,
  type SendOutcome,
  sendAttemptsMax,
  sendTimeoutMs,
} from './messaging.ts';
import { checkSendInput } from './recipient.ts';

/** What one try of an adapter throws: whether trying again can help, and cannot send twice. */
export class AttemptError extends MessagingError {
  readonly repeatable: boolean;
  constructor(
    message: string,
    options: ConstructorParameters<typeof MessagingError>[1] & { readonly repeatable: boolean },
  ) {
    super(message, options);
    this.repeatable = options.repeatable;
  }
}

export interface AttemptOptions {
  /** For all tries together; 20 s when absent. */
  readonly timeoutMs?: number;
  /** Before the second try; half a second when absent. */
  readonly pauseMs?: number;
}

/** A longer wait than this is the caller's business. */
const retryAfterMaxSeconds = 2;

/**
 * A sender that tries twice at most, within one time-out, and never when a second try could send a
 * second message.
 */
export function createSender(
  channel: Channel,
  attempt: (input: SendInput, signal: AbortSignal) => Promise<SendOutcome>,
  { timeoutMs = sendTimeoutMs, pauseMs = 500 }: AttemptOptions = {},
): Sender {
  return async (input) => {
    checkSendInput(channel, input);
    const signal = AbortSignal.timeout(timeoutMs);
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(input, signal);
      } catch (error) {
        const canRepeat =
          error instanceof AttemptError &&
          error.repeatable &&
          (error.retryAfterSeconds ?? 0) <= retryAfterMaxSeconds;
        if (!canRepeat || tries === sendAttemptsMax || signal.aborted) throw error;
        await delay(Math.max(pauseMs, (error.retryAfterSeconds ?? 0) * 1_000), undefined, {
          signal,
        }).catch(() => {
          throw error;
        });
      }
    }
  };
}
