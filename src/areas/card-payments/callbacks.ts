import type { IncomingHttpHeaders } from 'node:http';
import type { Ctx } from '../../context.ts';
import type { PublicAnswer, PublicRoute } from '../../http/routes/public-routes.ts';
import { machineClock } from '../../lib/clock.ts';
import type { CardEvent } from '../../providers/card/card.ts';
import { countEvents, deleteOldEvents } from './store.ts';

/**
 * What somebody does about news of acquirers: look at the payments, soon. Events come twice and in
 * any order.
 */
export type CardEventHandler = (ctx: Ctx, events: readonly CardEvent[]) => Promise<void>;

export interface CardCallbackInput {
  /** As the address names it. */
  readonly provider: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they came: the signature is over them. */
  readonly body: Buffer;
}

/** `ignored`: genuine, and not about payments. */
export type CardCallbackOutcome = 'handled' | 'ignored' | 'refused' | 'off';

const eventsKeptMs = 90 * 24 * 60 * 60_000;
const eventsPerPrune = 10_000;

/**
 * Verifies a callback and hands its events over. They are remembered once `handle` is done: when it
 * throws, so does this, and the acquirer sends the callback again.
 */
export async function receiveCardCallback(
  ctx: Ctx,
  input: CardCallbackInput,
  handle: (events: readonly CardEvent[]) => Promise<void>,
): Promise<CardCallbackOutcome> {
  const { card } = ctx.providers;
  if (card?.name !== input.provider) return 'off';
  const { headers, body } = input;
  // A company signs by its own clock, which nobody moves; the sandbox by ours.
  const now = (card.sandbox ? ctx.clock : machineClock(ctx.clock)).now();
  const events = card.readCallback({ headers, body, now });
  if (!events) {
    ctx.log.warn(
      { provider: card.name },
      'a callback of the acquirer was refused: not signed by it, or for another time',
    );
    return 'refused';
  }
  if (events.length === 0) return 'ignored';
  await handle(events);
  await countEvents(ctx.store, { provider: card.name, events, now: ctx.clock.now() });
  return 'handled';
}

/** Forgets events of three months ago. For the worker. */
export async function pruneCardEvents(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<void> {
  await deleteOldEvents(ctx.store, {
    before: new Date(ctx.clock.now().getTime() - eventsKeptMs),
    limit: eventsPerPrune,
  });
}

const json = { 'content-type': 'application/json; charset=utf-8' };
const answers: Readonly<Record<CardCallbackOutcome, PublicAnswer>> = {
  handled: { status: 200, headers: json, body: '{"received":true}' },
  ignored: { status: 200, headers: json, body: '{"received":true}' },
  refused: refusal(
    400,
    'The signature of the callback is missing, wrong, or more than five minutes old.',
  ),
  off: refusal(404, 'No such acquirer is configured here.'),
};

function refusal(status: number, message: string): PublicAnswer {
  return { status, headers: json, body: JSON.stringify({ error: true, message }) };
}

/** Where acquirers send their callbacks. */
export function createCardCallbackRoute(handle: CardEventHandler): PublicRoute {
  return {
    method: 'POST',
    path: '/callbacks/card/:provider',
    handler: async (ctx, { params, headers, body }) =>
      answers[
        await receiveCardCallback(ctx, { provider: params.provider!, headers, body }, (events) =>
          handle(ctx, events),
        )
      ],
  };
}
