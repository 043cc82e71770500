import type { Db, Tx } from '../../../store/types.ts';
import { checkoutColumns, toCheckout } from '../store.ts';
import type { CheckoutRecord } from '../types.ts';

/**
 * What an operator decided about a purchase of which nobody knew whether the shop has the order.
 */
export interface Decision {
  readonly checkoutId: string;
  readonly outcome: 'placed' | 'not-placed';
  readonly merchantOrderId?: string;
  /** Who: a name for the record. */
  readonly by: string;
  /** Why. */
  readonly note: string;
  readonly at: Date;
}

export async function insertDecision(tx: Tx, decision: Decision): Promise<void> {
  await tx.query({
    name: 'agent-decisions-insert',
    text: `insert into agent_checkout_decisions (checkout_id, outcome, merchant_order_id, decided_by, note, decided_at)
           values ($1, $2, $3, $4, $5, $6)`,
    values: [
      decision.checkoutId,
      decision.outcome,
      decision.merchantOrderId ?? null,
      decision.by,
      decision.note,
      decision.at,
    ],
  });
}

export async function selectDecision(db: Db, checkoutId: string): Promise<Decision | undefined> {
  const { rows } = await db.query<{
    outcome: Decision['outcome'];
    merchant_order_id: string | null;
    decided_by: string;
    note: string;
    decided_at: Date;
  }>({
    name: 'agent-decisions-of',
    text: 'select outcome, merchant_order_id, decided_by, note, decided_at from agent_checkout_decisions where checkout_id = $1',
    values: [checkoutId],
  });
  const [row] = rows;
  if (!row) return undefined;
  const { outcome, merchant_order_id: merchantOrderId, decided_by: by, note, decided_at: at } = row;
  return {
    checkoutId,
    outcome,
    ...(merchantOrderId !== null && { merchantOrderId }),
    by,
    note,
    at,
  };
}

/**
 * The checkouts of projects, newest first, behind a place; `unknownOnly`: those that somebody has
 * to decide.
 */
export async function selectProjectCheckouts(
  db: Db,
  input: {
    readonly projectIds: readonly string[];
    readonly status?: string | undefined;
    readonly unknownOnly: boolean;
    readonly before?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<CheckoutRecord[]> {
  const { projectIds, status, unknownOnly, before, limit } = input;
  const { rows } = await db.query<Parameters<typeof toCheckout>[1]>({
    text: `select c.* from unnest($1::uuid[]) p (id) cross join lateral (
        select ${checkoutColumns} from agent_checkouts c where c.project_id = p.id and ($2::text is null or c.status = $2)
          ${unknownOnly ? `and c.outcome = 'unknown'` : ''} and (c.created_at, c.id) < ($3::timestamptz, $4::uuid)
        order by c.created_at desc, c.id desc limit $5) c
      order by c.created_at desc, c.id desc limit $5`,
    values: [
      projectIds,
      status ?? null,
      before?.at ?? 'infinity',
      before?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      limit,
    ],
  });
  return rows.map((row) => toCheckout(db, row));
}

/**
 * Checkouts of a project of which nobody knows whether the shop has the order, oldest first, behind
 * a place.
 */
export async function selectUnknownCheckouts(
  db: Db,
  input: {
    readonly projectId: string;
    readonly after?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<CheckoutRecord[]> {
  const { rows } = await db.query<Parameters<typeof toCheckout>[1]>({
    text: `select ${checkoutColumns} from agent_checkouts c where c.project_id = $1 and c.outcome = 'unknown' and c.ended_at is not null
        and ($2::timestamptz is null or (c.ended_at, c.id) > ($2, $3::uuid)) order by c.ended_at, c.id limit $4`,
    values: [input.projectId, input.after?.at ?? null, input.after?.id ?? null, input.limit],
  });
  return rows.map((row) => toCheckout(db, row));
}

export async function selectProjectCheckout(
  db: Db,
  key: { readonly id: string; readonly projectIds: readonly string[] },
): Promise<CheckoutRecord | undefined> {
  const { rows } = await db.query<Parameters<typeof toCheckout>[1]>({
    text: `select ${checkoutColumns} from agent_checkouts c where c.id = $1 and c.project_id = any($2::uuid[])`,
    values: [key.id, key.projectIds],
  });
  return rows[0] && toCheckout(db, rows[0]);
}

/** What was permitted to be paid, and where; undefined while nothing was. */
export async function selectPermit(
  db: Db,
  checkoutId: string,
): Promise<
  | {
      readonly amount: string;
      readonly currency: string;
      readonly origin: string;
      readonly at: Date;
    }
  | undefined
> {
  const { rows } = await db.query<{
    armed: { amount: string; currency: string; origin: string };
    armed_at: Date;
  }>({
    name: 'agent-runs-permit',
    text: 'select armed, armed_at from agent_checkouts where id = $1 and armed is not null',
    values: [checkoutId],
  });
  if (!rows[0]) return undefined;
  const { amount, currency, origin } = rows[0].armed;
  return { amount, currency, origin, at: rows[0].armed_at };
}

export interface AskedAction {
  readonly kind: string;
  readonly status: string;
  readonly createdAt: Date;
  readonly answeredAt: Date | null;
}

const actionsShownMax = 200;

/** What the user was asked, without what was answered, oldest first. */
export async function selectAskedActions(db: Db, checkoutId: string): Promise<AskedAction[]> {
  const { rows } = await db.query<AskedAction>({
    text: `select kind, status, created_at as "createdAt", answered_at as "answeredAt" from agent_checkout_actions
           where checkout_id = $1 order by created_at, id limit $2`,
    values: [checkoutId, actionsShownMax],
  });
  return [...rows];
}
