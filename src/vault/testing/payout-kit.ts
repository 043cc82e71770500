import pino from 'pino';
import { createWorker, type Worker } from '../../jobs/index.ts';
import { eventually } from '../../jobs/test-kit.ts';
import { createManualClock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import { systemIds } from '../../lib/id.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type {
  CorrectedAccount,
  PayoutDestination,
  PayoutProvider,
} from '../../providers/payout/payout.ts';
import { createSandboxBank } from '../../providers/payout/sandbox.ts';
import type { Store } from '../../store/types.ts';
import { receiveCallback } from '../payouts/callbacks.ts';
import { disburse, type PayoutView } from '../payouts/disburse.ts';
import { payoutFlow } from '../payouts/flow.ts';
import { findPayout } from '../payouts/store.ts';
import type { PayoutCtx, PayoutVault } from '../payouts/types.ts';

export const projectId = '11111111-1111-4111-8111-111111111111';

/** A vault of destinations in memory; what is asked of it is written down. */
export function aVault(destinations: ReadonlyMap<string, PayoutDestination>) {
  const opened: string[] = [];
  const corrections: { id: string; correction: CorrectedAccount }[] = [];
  const audited: string[] = [];
  const paidAt = new Map<string, Date>();
  let failures = 0;
  const require = (id: string) => {
    const destination = destinations.get(id);
    if (destination === undefined) throw new ServiceError('payment-method-not-found');
    return destination;
  };
  const vault: PayoutVault = {
    describe: async ({ id }) => ({
      type: id === 'card' ? 'card' : require(id).type,
      destination: Buffer.from(id),
      since: new Date(0),
    }),
    open: async ({ id, reason }) => {
      opened.push(reason);
      if (failures-- > 0) throw new ServiceError('provider-unavailable');
      return require(id);
    },
    correct: async ({ id, correction }) => {
      require(id);
      corrections.push({ id, correction });
      return true;
    },
    notePayout: async (_, { id, at }) => void paidAt.set(id, at),
    audit: async (_, { action, detail }) =>
      void audited.push(`${action} ${JSON.stringify(detail)}`),
  };
  return {
    vault,
    opened,
    corrections,
    audited,
    paidAt,
    failNext: (count: number) => (failures = count),
  };
}

export interface PayoutWorld {
  readonly ctx: PayoutCtx;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly bank: ReturnType<typeof createSandboxBank>;
  readonly logged: string[];
}

/**
 * A context with a sandbox bank on a clock that stands still. `wrap` may put something between the
 * vault and the bank.
 */
export function aPayoutWorld(
  store: Store,
  vault: PayoutVault,
  wrap: (bank: PayoutProvider) => PayoutProvider = (bank) => bank,
): PayoutWorld {
  // A Thursday, 07:00 in New York.
  const clock = createManualClock(new Date('2026-01-15T12:00:00.000Z'));
  const logged: string[] = [];
  const bank = createSandboxBank({
    store,
    clock,
    ids: systemIds,
    callbackSecret: new Secret('whisper'),
  });
  const ctx: PayoutCtx = {
    store,
    clock,
    ids: systemIds,
    log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
    payouts: { providers: [wrap(bank)], vault, random: () => 0 },
  };
  return { ctx, clock, bank, logged };
}

export function aPayoutWorker(ctx: PayoutCtx): Worker {
  return createWorker(ctx, { flows: [payoutFlow], pollMs: 20, random: () => 0 });
}

/** Asks for a payout of US$500 with an id of its own. */
export function pay(
  ctx: PayoutCtx,
  overrides: {
    id?: string;
    to?: string;
    rail?: string;
    amountMinor?: bigint;
    currency?: string;
  } = {},
): Promise<PayoutView> {
  const {
    id = systemIds.randomUuid(),
    to = 'settles',
    rail = 'ach',
    amountMinor = 500_00n,
    currency = 'usd',
  } = overrides;
  return disburse(ctx, {
    projectId,
    paymentMethodId: to,
    payout: { id, object: `order:${id}`, rail, amountMinor, currency },
  });
}

/** Waits until a payout has one of these statuses and its work is asleep or done. */
export function reached(ctx: PayoutCtx, id: string, ...statuses: string[]) {
  return eventually(`payout ${id} is ${statuses.join(' or ')}`, async () => {
    const payout = await findPayout(ctx.store, id);
    const { rows } = await ctx.store.query<{ busy: boolean }>({
      text: `select status = 'active' and (run_at <= $2 or lease_until is not null) as busy from flows where kind = 'payout' and key = $1`,
      values: [id, ctx.clock.now()],
    });
    return (
      payout !== undefined && statuses.includes(payout.status) && rows[0]?.busy === false && payout
    );
  });
}

/** What the main side was told about a payout: `settled`, `returned R03`. */
export async function toldOf(ctx: PayoutCtx, id: string): Promise<string[]> {
  const { rows } = await ctx.store.query<{ type: string; code: string | null }>({
    text: `select type, data->>'code' as code from outbox where object = $1 order by written`,
    values: [`payout:${id}`],
  });
  return rows.map(({ type, code }) =>
    [type.replace('payouts.', ''), code].filter(Boolean).join(' '),
  );
}

/** Payouts that the sandbox bank took, by our key. */
export async function takenBy(store: Store): Promise<Map<string, number>> {
  const { rows } = await store.query<{ key: string; count: number }>({
    text: 'select key, count(*)::int as count from sandbox_bank_transfers where taken_at is not null group by key',
  });
  return new Map(rows.map(({ key, count }) => [key, count]));
}

/** Hands over what the sandbox bank has to tell. */
export function deliverCallbacks({ ctx, bank }: PayoutWorld): Promise<number> {
  return bank.deliverDue(
    async ({ headers, body }) =>
      void (await receiveCallback(ctx, { provider: 'sandbox', headers, body })),
  );
}
