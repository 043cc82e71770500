import { appendEvents, type DomainEvent, readEvents } from '../../jobs/index.ts';
import { placeEvents } from '../../jobs/outbox/outbox.ts';
import type { Json } from '../../lib/json/json.ts';
import { explainCode } from '../../providers/payout/reason-codes.ts';
import type { Tx } from '../../store/types.ts';
import type { Payout, PayoutCtx } from './types.ts';

/** What the main side is told, each in the transaction in which it happened. */
export type PayoutEventType =
  | 'payouts.held'
  | 'payouts.submitted'
  | 'payouts.settled'
  | 'payouts.final'
  | 'payouts.rejected'
  | 'payouts.returned'
  | 'payouts.canceled'
  | 'payouts.notice-of-change'
  | 'payouts.attention-needed';

export interface PayoutEventDetail {
  /** The bank's time. */
  readonly at?: Date;
  readonly code?: string;
  /** For `returned`: it had been final. */
  readonly late?: boolean;
  /** For `attention-needed`: why. */
  readonly attention?: string;
  /** For `notice-of-change`: what was done about it. */
  readonly outcome?: string;
}

/** Tells of something that happened to a payout. Tokens only: an event never names an account. */
export async function publishPayout(
  ctx: PayoutCtx,
  tx: Tx,
  payout: Payout,
  type: PayoutEventType,
  detail: PayoutEventDetail = {},
): Promise<void> {
  const reason = detail.code === undefined ? undefined : explainCode(detail.code);
  const event: DomainEvent = {
    projectId: payout.projectId,
    type,
    object: `payout:${payout.id}`,
    data: {
      payoutId: payout.id,
      object: payout.object,
      paymentMethodId: payout.paymentMethodId,
      provider: payout.provider,
      rail: payout.rail,
      amountMinor: payout.amountMinor.toString(),
      currency: payout.currency,
      status: payout.status,
      bankReference: payout.bankReference ?? undefined,
      at: (detail.at ?? ctx.clock.now()).toISOString(),
      finalAt: payout.finalAt?.toISOString(),
      code: detail.code,
      reason: reason?.kind,
      message: reason?.sentence,
      accountUnusable: reason?.accountUnusable,
      late: detail.late,
      attention: detail.attention,
      outcome: detail.outcome,
      held: heldView(payout),
    },
  };
  await appendEvents(tx, [event], ctx);
}

/** What a payout waits for before it is handed in; undefined where it waits for nothing. */
export function heldView({
  status,
  needsApproval,
  heldUntil,
}: Payout): { readonly needsApproval: boolean; readonly until?: string } | undefined {
  if (status !== 'accepted' || (!needsApproval && heldUntil === null)) return undefined;
  return { needsApproval, ...(heldUntil !== null && { until: heldUntil.toISOString() }) };
}

export interface PayoutEventPage {
  readonly events: readonly {
    readonly id: string;
    readonly position: string;
    readonly type: string;
    readonly at: string;
    readonly projectId: string;
    readonly data: Json;
  }[];
}

const mainReader = 'main';

/**
 * The next events after a position, oldest first, for the main side; what is at or before the
 * position counts as taken. Repeated with the same position it answers the same: nothing is lost
 * between the answer and its being stored.
 */
export async function readPayoutEvents(
  ctx: PayoutCtx,
  input: { readonly afterPosition: bigint; readonly limit: number },
): Promise<PayoutEventPage> {
  await ctx.store.transaction(placeEvents);
  await ctx.store.query({
    name: 'payout-events-taken',
    text: `insert into outbox_readers (name, position, updated_at) values ($1, $2, $3)
           on conflict (name) do update set position = greatest(outbox_readers.position, excluded.position), updated_at = excluded.updated_at`,
    values: [mainReader, input.afterPosition.toString(), ctx.clock.now()],
  });
  const events = await readEvents(ctx.store, input);
  return {
    events: events.map(({ id, position, type, at, projectId, data }) => ({
      id,
      position: position.toString(),
      type,
      at: at.toISOString(),
      projectId,
      data,
    })),
  };
}
