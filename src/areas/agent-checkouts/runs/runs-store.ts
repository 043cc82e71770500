import type { RunStep, StepEvidence } from '../../../runner/types.ts';
import { rowMacsOf, type SealedRow } from '../../../store/row-mac.ts';
import type { Db, Tx } from '../../../store/types.ts';
import { checkoutColumns, toCheckout } from '../store.ts';
import type { CheckoutRecord } from '../types.ts';

/** What a runner holds: after the lease has passed to another one, its fence fails. */
export interface RunHold {
  readonly checkoutId: string;
  readonly fence: bigint;
}

/**
 * The next checkout that needs a runner: queued, or with a runner that has let its lease end.
 * Projects with fewer runs under way go first, then users with fewer, then the longest waiting.
 * Leases are the database's time: the service's clock may be moved.
 */
export async function lockNextRun(tx: Tx, now: Date): Promise<CheckoutRecord | undefined> {
  const { rows } = await tx.query<Parameters<typeof toCheckout>[1]>({
    name: 'agent-runs-next',
    // Counted once, and not for each one that waits: thousands may.
    text: `with busy as (
             select project_id, user_id, count(*) as runs from agent_checkouts where ended_at is null and lease_until >= now() group by 1, 2)
           select ${checkoutColumns} from agent_checkouts c
             left join (select project_id, sum(runs) as runs from busy group by 1) of_project on of_project.project_id = c.project_id
             left join (select user_id, sum(runs) as runs from busy group by 1) of_user on of_user.user_id = c.user_id
           where c.ended_at is null and c.run_after <= $1 and (c.status = 'queued' or c.lease_until < now())
           order by coalesce(of_project.runs, 0), coalesce(of_user.runs, 0), c.run_after, c.id
           limit 1 for update of c skip locked`,
    values: [now],
  });
  return rows[0] && toCheckout(tx, rows[0]);
}

/**
 * Checkouts that nobody runs and that were queued before then, or that are to be cancelled; oldest
 * first.
 */
export async function selectStaleRuns(
  db: Db,
  input: { readonly queuedBefore: Date; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'agent-runs-stale',
    text: `select id from agent_checkouts
           where status in ('queued', 'running') and (
             (status = 'queued' and created_at < $1)
             or (status = 'running' and cancel_asked_at is not null and armed_at is null and lease_until < now()))
           order by run_after limit $2`,
    values: [input.queuedBefore, input.limit],
  });
  return rows.map(({ id }) => id);
}

/** One of {@link selectStaleRuns}, unless a runner has it meanwhile. */
export async function lockStaleRun(tx: Tx, id: string): Promise<CheckoutRecord | undefined> {
  const { rows } = await tx.query<Parameters<typeof toCheckout>[1]>({
    name: 'agent-runs-stale-lock',
    text: `select ${checkoutColumns} from agent_checkouts c
           where c.id = $1 and c.ended_at is null and (c.status = 'queued' or c.lease_until < now()) for update skip locked`,
    values: [id],
  });
  return rows[0] && toCheckout(tx, rows[0]);
}

/** Whether any checkout has not ended, of any project. */
export async function hasOpenCheckouts(db: Db): Promise<boolean> {
  const { rows } = await db.query({
    name: 'agent-runs-any',
    text: 'select 1 from agent_checkouts where ended_at is null limit 1',
  });
  return rows.length > 0;
}

/** Gives a locked checkout to a runner. @returns the new fence */
export async function grantLease(
  tx: Tx,
  input: Pick<CheckoutRecord, 'id' | 'fence'> & {
    readonly runner: string;
    readonly leaseMs: number;
    readonly liveOrigin?: string | undefined;
  },
): Promise<bigint> {
  const { id, liveOrigin } = input;
  const fence = input.fence + 1n;
  await tx.query({
    name: 'agent-runs-grant',
    text: `update agent_checkouts set runner = $2, lease_until = now() + $3 * interval '1 millisecond', fence = $5, tries = tries + 1,
             live_origin = $4, live_mac = $6
           where id = $1`,
    values: [
      id,
      input.runner,
      input.leaseMs,
      liveOrigin ?? null,
      fence.toString(),
      liveOrigin === undefined ? null : rowMacsOf(tx).seal(sealedLive({ id, fence, liveOrigin })),
    ],
  });
  return fence;
}

/** Where the picture of a run is: people see it, and type into it. */
export function sealedLive({
  id,
  fence,
  liveOrigin,
}: Pick<CheckoutRecord, 'id' | 'fence' | 'liveOrigin'>): SealedRow {
  return {
    table: 'agent_checkouts.live_origin',
    id,
    fields: { fence: fence.toString(), liveOrigin },
  };
}

/**
 * Keeps the lease. `lost`: the run belongs to somebody else by now, or is over. `cancelled`: the
 * user wants it to end, and it can still end without a purchase; the lease is kept all the same,
 * for what the runner has to tidy up.
 */
export async function renewLease(
  db: Db,
  hold: RunHold,
  leaseMs: number,
): Promise<'kept' | 'lost' | 'cancelled'> {
  const { rows } = await db.query<{ cancelled: boolean }>({
    name: 'agent-runs-renew',
    text: `update agent_checkouts set lease_until = now() + $3 * interval '1 millisecond'
           where id = $1 and fence = $2 and ended_at is null
           returning cancel_asked_at is not null and armed_at is null as cancelled`,
    values: [hold.checkoutId, hold.fence.toString(), leaseMs],
    urgent: true,
  });
  if (!rows[0]) return 'lost';
  return rows[0].cancelled ? 'cancelled' : 'kept';
}

/**
 * Gives a run back at once, when its runner stops in good order: that counts as no try. False when
 * it holds the run no more.
 */
export async function dropLease(db: Db, hold: RunHold): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'agent-runs-drop',
    text: `update agent_checkouts set lease_until = '-infinity', runner = null, live_origin = null,
             tries = tries - case when lease_until > '-infinity' then 1 else 0 end
           where id = $1 and fence = $2 and ended_at is null`,
    values: [hold.checkoutId, hold.fence.toString()],
  });
  return rowCount === 1;
}

export async function markArmed(
  tx: Tx,
  input: { readonly id: string; readonly at: Date; readonly armed: object },
): Promise<void> {
  await tx.query({
    name: 'agent-runs-arm',
    text: `update agent_checkouts set armed_at = $2, armed = $3, step = 'armed', updated_at = $2 where id = $1 and armed_at is null`,
    values: [input.id, input.at, JSON.stringify(input.armed)],
  });
}

/**
 * From now on the shop may have an order, although nobody was permitted to place it: there is a
 * time, and no permit.
 */
export async function markOrdered(
  tx: Tx,
  input: { readonly id: string; readonly at: Date },
): Promise<void> {
  await tx.query({
    name: 'agent-runs-ordered',
    text: 'update agent_checkouts set armed_at = $2, updated_at = $2 where id = $1 and armed_at is null',
    values: [input.id, input.at],
  });
}

/** The permit that was given, if one was. */
export async function selectArmed(
  db: Db,
  id: string,
): Promise<{ readonly key?: string; readonly fence?: string } | undefined> {
  const { rows } = await db.query<{ armed: { key?: string; fence?: string } | null }>({
    name: 'agent-runs-armed',
    text: 'select armed from agent_checkouts where id = $1 and armed_at is not null',
    values: [id],
  });
  return rows[0]?.armed ?? undefined;
}

/**
 * A line for the user. The same line again, right after itself, is shown once: it was sent again
 * because an answer was lost.
 */
export async function insertRunProgress(
  tx: Tx,
  checkoutId: string,
  item: { readonly title: string; readonly message?: string; readonly at: Date },
): Promise<void> {
  await tx.query({
    name: 'agent-runs-progress',
    text: `insert into agent_checkout_progress (checkout_id, nr, type, title, message, created_at)
           select $1::uuid, coalesce(last.nr, 0) + 1, 'step', $2::text, $3::text, $4
           from (select 1) one left join lateral (
             select nr, type, title, message from agent_checkout_progress where checkout_id = $1 order by nr desc limit 1) last on true
           where not coalesce(last.type = 'step' and last.title = $2 and last.message is not distinct from $3, false)`,
    values: [checkoutId, item.title, item.message ?? null, item.at],
  });
}

export async function setStep(
  tx: Tx,
  input: { readonly id: string; readonly step: RunStep },
): Promise<void> {
  await tx.query({
    name: 'agent-runs-step',
    text: 'update agent_checkouts set step = $2 where id = $1',
    values: [input.id, input.step],
  });
}

/**
 * Appends to the step log of a locked checkout. What is there already, sent again because an answer
 * was lost, is there once.
 */
export async function insertStep(
  tx: Tx,
  checkoutId: string,
  evidence: StepEvidence,
): Promise<void> {
  await tx.query({
    name: 'agent-steps-insert',
    text: `insert into agent_checkout_steps (checkout_id, nr, step, evidence, at)
           select $1, (select coalesce(max(nr), 0) + 1 from agent_checkout_steps where checkout_id = $1), $2, $3::jsonb, $4
           where not exists (
             select 1 from agent_checkout_steps
             where checkout_id = $1 and step = $2 and at = $4 and evidence = $3::jsonb and picture is null)`,
    values: [checkoutId, evidence.step, JSON.stringify(evidence), evidence.at],
  });
}

const stepsReadMax = 500;

/** The step log, oldest first, without its pictures. */
export async function selectSteps(db: Db, checkoutId: string): Promise<StepEvidence[]> {
  const { rows } = await db.query<{ evidence: StepEvidence }>({
    name: 'agent-steps-of',
    text: 'select evidence from agent_checkout_steps where checkout_id = $1 and picture is null order by nr limit $2',
    values: [checkoutId, stepsReadMax],
  });
  return rows.map(({ evidence }) => evidence);
}

export async function countPictures(db: Db, checkoutId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'agent-steps-pictures',
    text: 'select count(*)::int as count from agent_checkout_steps where checkout_id = $1 and picture is not null',
    values: [checkoutId],
  });
  return rows[0]!.count;
}
