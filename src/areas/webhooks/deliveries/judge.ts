import type { Clock } from '../../../lib/clock.ts';
import { machineClock } from '../../../lib/clock.ts';
import { move } from '../../../machine/machine.ts';
import { type DeliveryEvent, deliveryMachine } from '../machine.ts';
import type { PostOutcome } from './post.ts';
import type { LaneHead, LaneOutcome } from './queue-store.ts';
import { nextDelayMs, readRetryAfter } from './retry-schedule.ts';

/** What an attempt means for its delivery and its endpoint. */
export interface Judgement extends LaneOutcome {
  readonly event: DeliveryEvent;
  /** Where it was sent. */
  readonly url: string;
  /** The receiver wants nothing before this time. */
  readonly pauseUntil?: Date;
}

const asksToWait = new Set([429, 503]);
const gone = 410;

/**
 * 2xx is an acknowledgement and 410 a farewell; everything else, redirects included, is tried
 * again. A receiver that is busy (429, 503) may say for how long: then nothing at all is sent to it
 * meanwhile.
 */
export function judge(
  head: LaneHead & { readonly deliveryId: string },
  input: {
    readonly outcome: PostOutcome;
    readonly at: Date;
    readonly clock: Clock;
    readonly random: () => number;
  },
): Judgement {
  const { outcome, at, clock, random } = input;
  const { statusCode } = outcome;
  const attempts = head.attempts + 1;
  const retryAfterMs =
    statusCode !== undefined && asksToWait.has(statusCode)
      ? readRetryAfter(outcome.retryAfter, machineClock(clock).now())
      : undefined;
  const delayMs = nextDelayMs(attempts, random, retryAfterMs);
  const event = eventOf(statusCode, delayMs !== undefined);
  const now = clock.now().getTime();
  const to = move(deliveryMachine, head.attempts === 0 ? 'pending' : 'retrying', event);
  const error = outcome.error ?? explainStatus(statusCode);
  return {
    endpointId: head.endpointId,
    object: head.object,
    fence: head.fence,
    deliveryId: head.deliveryId,
    url: head.url,
    event,
    to: to === 'retrying' ? 'pending' : to,
    attempt: {
      at: at.toISOString(),
      durationMs: outcome.durationMs,
      ...(statusCode !== undefined && { statusCode }),
      ...(outcome.answer !== undefined && { answer: outcome.answer }),
      ...(error !== undefined && { error }),
    },
    ...(to === 'retrying' && { runAt: new Date(now + delayMs!) }),
    ...(retryAfterMs !== undefined &&
      retryAfterMs > 0 && { pauseUntil: new Date(now + retryAfterMs) }),
  };
}

function eventOf(statusCode: number | undefined, attemptsAreLeft: boolean): DeliveryEvent {
  if (statusCode !== undefined && statusCode >= 200 && statusCode < 300) return 'acknowledged';
  if (statusCode === gone) return 'gone';
  return attemptsAreLeft ? 'attempt-failed' : 'attempts-used-up';
}

function explainStatus(statusCode: number | undefined): string | undefined {
  if (statusCode === undefined || (statusCode >= 200 && statusCode < 300)) return undefined;
  if (statusCode >= 300 && statusCode < 400) return `Redirects are not followed (${statusCode}).`;
  return `The receiver answered ${statusCode}.`;
}
