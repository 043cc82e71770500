import { Gauge, type Registry } from 'prom-client';
import type { Ctx } from '../../context.ts';

/** Counters of this process since its start. */
export interface WebhookCounters {
  eventsPublished: number;
  deliveriesQueued: number;
  attempts: number;
  attemptsFailed: number;
  deliveriesDelivered: number;
  deliveriesFailed: number;
  endpointsDisabled: number;
  /** Attempts whose outcome was thrown away because another process had taken the delivery over. */
  fencesLost: number;
  claimErrors: number;
}

const counters: WebhookCounters = {
  eventsPublished: 0,
  deliveriesQueued: 0,
  attempts: 0,
  attemptsFailed: 0,
  deliveriesDelivered: 0,
  deliveriesFailed: 0,
  endpointsDisabled: 0,
  fencesLost: 0,
  claimErrors: 0,
};

/** A copy of this process's counters. */
export function webhookCounters(): Readonly<Record<keyof WebhookCounters, number>> {
  return { ...counters };
}

export function count(name: keyof WebhookCounters, by = 1): void {
  counters[name] += by;
}

export interface Backlog {
  /** Endpoint and object pairs with something that is due. */
  readonly due: number;
  /** Pairs that wait for their next attempt. */
  readonly waiting: number;
  /** How long the oldest due one has been due, by the service's clock. */
  readonly oldestDueMs: number;
}

/** What the queue holds for enabled endpoints. Reads the whole queue: for scrapes and people. */
export async function readBacklog(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<Backlog> {
  const { rows } = await ctx.store.query<{ due: number; waiting: number; oldestDueMs: number }>({
    name: 'webhooks-backlog',
    text: `select count(*) filter (where l.run_at <= $1)::int as due, count(*) filter (where l.run_at > $1)::int as waiting,
             (coalesce(extract(epoch from $1::timestamptz - min(l.run_at) filter (where l.run_at <= $1)), 0) * 1000)::float8 as "oldestDueMs"
           from webhook_lanes l join webhook_endpoints e on e.id = l.endpoint_id
           where e.status = 'enabled' and (e.paused_until is null or e.paused_until <= $1)`,
    values: [ctx.clock.now()],
  });
  return rows[0]!;
}

/**
 * Adds the queue, read from the database at each scrape: it shows although every worker is dead.
 */
export function addWebhookMetrics(
  { registry }: { readonly registry: Registry },
  ctx: Pick<Ctx, 'store' | 'clock' | 'log'>,
): void {
  let reading: Promise<void> | undefined;
  const collect = () => (reading ??= read().finally(() => (reading = undefined)));
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, registers: [registry], collect });
  const due = gauge(
    'purser_webhooks_due',
    'Endpoint and object pairs with a delivery that is due.',
  );
  const waiting = gauge(
    'purser_webhooks_waiting',
    'Endpoint and object pairs that wait for their next attempt.',
  );
  const oldest = gauge(
    'purser_webhooks_oldest_due_seconds',
    'How long the oldest due delivery has been due.',
  );

  async function read(): Promise<void> {
    try {
      const backlog = await readBacklog(ctx);
      due.set(backlog.due);
      waiting.set(backlog.waiting);
      oldest.set(backlog.oldestDueMs / 1_000);
    } catch (error) {
      ctx.log.warn({ err: error }, 'the queue of webhooks cannot be read');
    }
  }
}
