import type { Db, Tx } from '../../store/types.ts';

export interface Usage {
  readonly subject: string;
  readonly period: string;
  /** Hundredths of a US dollar. */
  readonly usedCents: bigint;
}

export interface UsageKey {
  readonly subject: string;
  readonly period: string;
}

/**
 * Adds to counters and answers what they are then. Each row is locked until the transaction ends,
 * in one order for everybody, so that of orders at once each sees those before it.
 */
export async function addUsage(
  tx: Tx,
  input: {
    readonly projectId: string;
    readonly orderId: string;
    readonly keys: readonly UsageKey[];
    readonly cents: bigint;
    readonly now: Date;
  },
): Promise<Usage[]> {
  const { rows } = await tx.query<{ subject: string; period: string; used_cents: string }>({
    name: 'order-limits-take',
    text: `with keys as (select distinct subject, period from unnest($2::text[], $3::text[]) as k(subject, period)),
      uses as (
        insert into order_limit_uses (order_id, project_id, subject, period, cents, at)
        select $5, $1, subject, period, $4, $6 from keys
      )
      insert into order_limit_usage as u (project_id, subject, period, used_cents, updated_at)
      select $1, subject, period, $4, $6 from keys order by subject collate "C", period
      on conflict (project_id, subject, period) do update set used_cents = u.used_cents + excluded.used_cents, updated_at = excluded.updated_at
      returning subject, period, used_cents`,
    values: [
      input.projectId,
      input.keys.map((key) => key.subject),
      input.keys.map((key) => key.period),
      input.cents.toString(),
      input.orderId,
      input.now,
    ],
  });
  return rows.map((row) => ({
    subject: row.subject,
    period: row.period,
    usedCents: BigInt(row.used_cents),
  }));
}

/** True while an order counts against any limit. */
export async function hasUses(tx: Tx, orderId: string): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>({
    name: 'order-limits-has-uses',
    text: 'select exists (select from order_limit_uses where order_id = $1) as found',
    values: [orderId],
  });
  return rows[0]!.found;
}

/** Gives back everything that an order took. Twice is once. */
export async function returnUsage(tx: Tx, orderId: string): Promise<void> {
  const { rows } = await tx.query<{
    project_id: string;
    subject: string;
    period: string;
    cents: string;
  }>({
    name: 'order-limits-uses',
    text: 'delete from order_limit_uses where order_id = $1 returning project_id, subject, period, cents',
    values: [orderId],
  });
  const keyOf = (row: { subject: string; period: string }) => `${row.subject} ${row.period}`;
  for (const row of rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
    await tx.query({
      name: 'order-limits-return',
      text: 'update order_limit_usage set used_cents = greatest(0, used_cents - $4) where project_id = $1 and subject = $2 and period = $3',
      values: [row.project_id, row.subject, row.period, row.cents],
    });
  }
}

/** What counters stand at; those that nobody used are absent. */
export async function readUsage(
  db: Db,
  input: { readonly projectId: string; readonly keys: readonly UsageKey[] },
): Promise<Usage[]> {
  const { rows } = await db.query<{ subject: string; period: string; used_cents: string }>({
    name: 'order-limits-read',
    text: `select u.subject, u.period, u.used_cents from unnest($2::text[], $3::text[]) as k(subject, period)
      join order_limit_usage u on u.project_id = $1 and u.subject = k.subject and u.period = k.period`,
    values: [
      input.projectId,
      input.keys.map((key) => key.subject),
      input.keys.map((key) => key.period),
    ],
  });
  return rows.map((row) => ({
    subject: row.subject,
    period: row.period,
    usedCents: BigInt(row.used_cents),
  }));
}

/**
 * Removes counters of periods that are long over, and what was taken of them; so many at a time.
 */
export async function deleteOldUsage(
  db: Db,
  input: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const deleted = await Promise.all(
    ['order_limit_usage', 'order_limit_uses'].map((table) => {
      const [age, key] =
        table === 'order_limit_uses'
          ? ['at', 'order_id, subject, period']
          : ['updated_at', 'project_id, subject, period'];
      return db.query({
        text: `delete from ${table} where (${key}) in (select ${key} from ${table} where ${age} < $1 order by ${age} limit $2)`,
        values: [input.before, input.limit],
      });
    }),
  );
  return deleted.reduce((sum, { rowCount }) => sum + rowCount, 0);
}
