import type { RunStep, StepEvidence } from '../../runner/types.ts';
import type { Db, Tx } from '../../store/types.ts';
import { checkoutColumns, toCheckout } from './store.ts';
import type { CheckoutRecord } from './types.ts';

/** What a runner holds: after the lease has passed to another one, its fence fails. */
export interface RunHold {
  readonly checkoutId: string;
  readonly fence: bigint;
}

/**
 * The next checkout that needs a runner: queued, or with a runner that has let its lease end. Projects with fewer runs under way
 * go first, then the longest waiting. Leases are the database's time: the service's clock may be moved.
 */
export async function lockNextRun(tx: Tx, now: Date): Promise<CheckoutRecord | undefined> {
  const { rows } = await tx.query<Parameters<typeof toCheckout>[0]>({
    name: 'agent-runs-next',
    text: `select ${checkoutColumns} from agent_checkouts c
           where c.ended_at is null and c.run_after <= $1 and (c.status = 'queued' or c.lease_until < now())
           order by (select count(*) from agent_checkouts r where r.project_id = c.project_id and r.ended_at is null and r.lease_until >= now()),
             c.run_after, c.id
           limit 1 for update skip locked`,
    values: [now],
  });
  return rows[0] && toCheckout(rows[0]);
}

/** Gives a locked checkout to a runner. @returns the new fence */
export async function grantLease(
  tx: Tx,
  input: { readonly id: string; readonly runner: string; readonly leaseMs: number },
): Promise<bigint> {
  const { rows } = await tx.query<{ fence: string }>({
    name: 'agent-runs-grant',
    text: `update agent_checkouts set runner = $2, lease_until = now() + $3 * interval '1 millisecond', fence = fence + 1, tries = tries + 1
           where id = $1 returning fence`,
    values: [input.id, input.runner, input.leaseMs],
  });
  return BigInt(rows[0]!.fence);
}

/** False when the run belongs to somebody else by now, or is over. */
export async function renewLease(db: Db, hold: RunHold, leaseMs: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'agent-runs-renew',
    text: `update agent_checkouts set lease_until = now() + $3 * interval '1 millisecond'
           where id = $1 and fence = $2 and ended_at is null`,
    values: [hold.checkoutId, hold.fence.toString(), leaseMs],
  });
  return rowCount === 1;
}

/** Gives a run back at once, e.g. when its runner stops in good order. */
export async function dropLease(tx: Tx, id: string): Promise<void> {
  await tx.query({
    name: 'agent-runs-drop',
    text: 'update agent_checkouts set lease_until = null, runner = null where id = $1',
    values: [id],
  });
}

export async function markArmed(tx: Tx, input: { readonly id: string; readonly at: Date; readonly armed: object }): Promise<void> {
  await tx.query({
    name: 'agent-runs-arm',
    text: `update agent_checkouts set armed_at = $2, armed = $3, step = 'armed', updated_at = $2 where id = $1 and armed_at is null`,
    values: [input.id, input.at, JSON.stringify(input.armed)],
  });
}

export async function setStep(tx: Tx, input: { readonly id: string; readonly step: RunStep }): Promise<void> {
  await tx.query({ name: 'agent-runs-step', text: 'update agent_checkouts set step = $2 where id = $1', values: [input.id, input.step] });
}

/** Appends to the step log of a locked checkout. */
export async function insertStep(tx: Tx, checkoutId: string, evidence: StepEvidence, picture?: Buffer): Promise<void> {
  await tx.query({
    name: 'agent-steps-insert',
    text: `insert into agent_checkout_steps (checkout_id, nr, step, evidence, picture, at)
           values ($1, (select coalesce(max(nr), 0) + 1 from agent_checkout_steps where checkout_id = $1), $2, $3, $4, $5)`,
    values: [checkoutId, evidence.step, JSON.stringify(evidence), picture ?? null, evidence.at],
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

/** The total that the user has agreed to last, as the request had it; undefined when to none. */
export async function selectApproval(
  db: Db,
  checkoutId: string,
): Promise<{ readonly amountMinor: string; readonly currency: string; readonly origin: string } | undefined> {
  const { rows } = await db.query<{ amountMinor: string; currency: string; origin: string }>({
    name: 'agent-actions-approval',
    text: `select request->'total'->>'amountMinor' as "amountMinor", request->'total'->>'currency' as currency, request->>'origin' as origin
           from agent_checkout_actions where checkout_id = $1 and kind = 'approve-purchase' and status = 'submitted'
           order by answered_at desc limit 1`,
    values: [checkoutId],
  });
  return rows[0];
}
