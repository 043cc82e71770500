import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { VaultProvider } from '../../providers/vault/index.ts';
import {
  type PayoutAnswer,
  type PayoutEvent,
  payoutEventPageSchema,
  payoutSchema,
} from '../../providers/vault/payout-wire.ts';
import type { Tx } from '../../store/types.ts';

/** The main side's end of payouts: asking for one, and hearing what became of it. */
type MainCtx = Pick<Ctx, 'store' | 'clock' | 'log'> & {
  readonly providers: { readonly vault: VaultProvider };
};

export interface AskPayoutInput {
  readonly projectId: string;
  readonly paymentMethodId: string;
  /** UUID that was stored before this call: every repetition is the same payout. */
  readonly payoutId: string;
  /** What it serves, e.g. `order:<id>`. */
  readonly object: string;
  readonly rail: string;
  /** Smallest units of the currency. */
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly statement?: string;
}

/**
 * Asks the vault to pay out; repeating it with the same id pays once. For the worker: the vault
 * refuses the API.
 * @throws provider-unavailable the vault is away: repeat it; payment-method-not-found,
 * rail-not-supported, validation-error, idempotency-key-reused
 */
export function askPayout(
  ctx: Pick<MainCtx, 'providers'>,
  input: AskPayoutInput,
): Promise<PayoutAnswer> {
  const { projectId, paymentMethodId, payoutId, object, rail, amountMinor, currency, statement } =
    input;
  return ctx.providers.vault.ask(
    'payouts.disburse',
    {
      projectId,
      paymentMethodId,
      payout: {
        id: payoutId,
        object,
        rail,
        amountMinor: amountMinor.toString(),
        currency,
        statement,
      },
    },
    payoutSchema,
  );
}

/**
 * How a payout stands; undefined when the vault has none of that id.
 * @throws provider-unavailable
 */
export async function readPayout(
  ctx: Pick<MainCtx, 'providers'>,
  input: { readonly projectId: string; readonly payoutId: string },
): Promise<PayoutAnswer | undefined> {
  const { payout } = await ctx.providers.vault.ask(
    'payouts.get',
    input,
    z.object({ payout: payoutSchema.nullable() }),
  );
  return payout ?? undefined;
}

/**
 * The rails that accounts of a type can be paid on, in no order of preference.
 * @throws provider-unavailable
 */
export async function readPayoutRails(
  ctx: Pick<MainCtx, 'providers'>,
  type: string,
): Promise<readonly string[]> {
  return (
    await ctx.providers.vault.ask(
      'payouts.rails',
      { type },
      z.object({ rails: z.array(z.string()) }),
    )
  ).rails;
}

export interface PayoutEventReaderOptions {
  /**
   * Handles events in the transaction that moves the cursor: what it writes happens once per event.
   */
  handle(tx: Tx, events: readonly PayoutEvent[]): Promise<void>;
  /** Events per call; default 100. */
  readonly limit?: number;
}

/** The next events that were not handled yet, at most 500. @throws provider-unavailable */
export async function readUnreceivedEvents(
  ctx: Pick<MainCtx, 'store' | 'clock' | 'providers'>,
): Promise<readonly PayoutEvent[]> {
  const after = await readCursor(ctx);
  return (
    await ctx.providers.vault.ask(
      'payouts.events',
      { afterPosition: after.toString(), limit: unheardMax },
      payoutEventPageSchema,
    )
  ).events;
}

const unheardMax = 500;
const readerName = 'payouts';
const limitDefault = 100;
const roundsMax = 1_000;

/**
 * Fetches what the vault has to tell and hands it on, in order and each once. To be run every
 * second or so, in any number of processes; while the vault is away it does nothing, and goes on
 * where it stopped.
 * @returns how many events were handled
 */
export async function pullPayoutEvents(
  ctx: MainCtx,
  options: PayoutEventReaderOptions,
): Promise<number> {
  const limit = options.limit ?? limitDefault;
  let handled = 0;
  for (let rounds = 0; rounds < roundsMax; rounds++) {
    const count = await pullOnce(ctx, options, limit);
    handled += count;
    if (count < limit) break;
  }
  return handled;
}

async function pullOnce(
  ctx: MainCtx,
  options: PayoutEventReaderOptions,
  limit: number,
): Promise<number> {
  const after = await readCursor(ctx);
  const page = await ctx.providers.vault
    .ask('payouts.events', { afterPosition: after.toString(), limit }, payoutEventPageSchema)
    .catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'provider-unavailable') throw error;
      return { events: [] };
    });
  const last = page.events.at(-1);
  if (last === undefined) return 0;
  return ctx.store.transaction(async (tx) => {
    const { rows } = await tx.query<{ position: string }>({
      name: 'payout-cursor-lock',
      text: 'select position from payout_event_cursors where name = $1 for update',
      values: [readerName],
    });
    // Another process was faster with these.
    if (BigInt(rows[0]!.position) !== after) return limit;
    await options.handle(tx, page.events);
    await tx.query({
      name: 'payout-cursor-move',
      text: 'update payout_event_cursors set position = $2, updated_at = $3 where name = $1',
      values: [readerName, last.position, ctx.clock.now()],
    });
    return page.events.length;
  });
}

async function readCursor(ctx: Pick<MainCtx, 'store' | 'clock'>): Promise<bigint> {
  const { rows } = await ctx.store.query<{ position: string }>({
    name: 'payout-cursor',
    text: `insert into payout_event_cursors (name, position, updated_at) values ($1, 0, $2)
           on conflict (name) do update set name = excluded.name returning position`,
    values: [readerName, ctx.clock.now()],
  });
  return BigInt(rows[0]!.position);
}

const switchSchema = z.object({
  limits: z.array(
    z.object({
      currency: z.string(),
      perPayoutMinor: z.string(),
      projectDayMinor: z.string(),
      destinationDayMinor: z.string(),
      secondPersonMinor: z.string(),
    }),
  ),
  /** What counts against the limits of a day now. A vault of an earlier version does not say. */
  used: z
    .array(z.object({ projectId: z.string(), currency: z.string(), amountMinor: z.string() }))
    .optional(),
  newDestinationWaitHours: z.number(),
  stop: z.object({ stoppedAt: z.string(), reason: z.string() }).optional(),
});

/**
 * What the vault pays at most, and whether it was told to hand nothing to any bank. Both are set on
 * its own host.
 * @throws provider-unavailable
 */
export const readPayoutSwitch = (
  ctx: Pick<MainCtx, 'providers'>,
): Promise<z.output<typeof switchSchema>> =>
  ctx.providers.vault.ask('payouts.switch', {}, switchSchema);
