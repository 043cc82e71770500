import { afterFailover } from '../../store/remembered.ts';
import { rowMacsOf } from '../../store/row-mac.ts';
import type { Db, Tx } from '../../store/types.ts';
import {
  type CounterRow,
  counterColumns,
  isGenuineUse,
  isReturned,
  problemOfCounter,
  problemOfUse,
  rememberCounter,
  sealedCounter,
  sealedUse,
  seenVersion,
  type UseRow,
  useColumns,
  withReturned,
} from './sealed.ts';

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

export interface AddUsageInput {
  readonly projectId: string;
  readonly orderId: string;
  readonly keys: readonly UsageKey[];
  readonly cents: bigint;
  readonly now: Date;
  /** Ids of what is taken, one for each key at most. */
  readonly newId: () => string;
}

/**
 * Adds to counters and answers what they are then. Each row is locked until the transaction ends,
 * in one order for everybody, so that of orders at once each sees those before it.
 * @throws internal-error, after an alarm, when a counter was changed or put back
 */
export async function addUsage(tx: Tx, input: AddUsageInput): Promise<Usage[]> {
  const { rows } = await tx.query<CounterRow & { is_new: boolean }>({
    name: 'order-limits-lock',
    text: `insert into order_limit_usage as u (project_id, subject, period, used_cents, updated_at)
      select $1, subject, period, 0, $4 from (select distinct subject, period from unnest($2::text[], $3::text[]) as k (subject, period)) as keys
      order by subject collate "C", period
      on conflict (project_id, subject, period) do update set updated_at = excluded.updated_at
      returning ${counterColumns}, xmax = 0 as is_new`,
    values: [
      input.projectId,
      input.keys.map((key) => key.subject),
      input.keys.map((key) => key.period),
      input.now,
    ],
  });
  const added = rows.map((row) => {
    requireGenuine(tx, row, seenVersion(tx, row, input.now));
    const usedCents = (BigInt(row.used_cents) + input.cents).toString();
    return { ...row, used_cents: usedCents, version: row.version + 1 };
  });
  await writeCounters(tx, added, input.now);
  await insertUses(tx, added, input);
  return added.map(usageOf);
}

/** True while an order counts against any limit. */
export async function hasUses(tx: Tx, orderId: string): Promise<boolean> {
  const { rows } = await tx.query<UseRow & { returned: Buffer }>({
    name: 'order-limits-has-uses',
    text: `select ${useColumns
      .split(', ')
      .map((column) => `s.${column}`)
      .join(', ')}, u.returned from order_limit_uses s
      join order_limit_usage u on u.id = s.counter_id
      where s.order_id = $1 limit 100`,
    values: [orderId],
  });
  return rows.some((row) => !isReturned(row, row.version) && isGenuineUse(tx, row));
}

/**
 * Gives back everything that an order took. Twice is once, also where somebody puts back what was
 * given back. A row that does not fit, or is of a counter that was deleted, gives nothing back, and
 * raises its alarm.
 */
export async function returnUsage(tx: Tx, orderId: string, now: Date): Promise<void> {
  const { rows } = await tx.query<UseRow>({
    name: 'order-limits-uses',
    text: `delete from order_limit_uses where order_id = $1 returning ${useColumns}`,
    values: [orderId],
  });
  const uses = rows.filter((row) => isGenuineUse(tx, row));
  if (uses.length === 0) return;
  const counters = await tx.query<CounterRow>({
    name: 'order-limits-return-lock',
    text: `select ${counterColumns} from order_limit_usage where (project_id, subject, period) in (select * from unnest($1::uuid[], $2::text[], $3::text[]))
      order by subject collate "C", period for update`,
    values: [
      uses.map((use) => use.project_id),
      uses.map((use) => use.subject),
      uses.map((use) => use.period),
    ],
  });
  const returned = counters.rows.flatMap((row) => {
    const use = uses.find(
      (one) =>
        one.project_id === row.project_id &&
        one.subject === row.subject &&
        one.period === row.period,
    )!;
    const why = problemOfCounter(tx, row, seenVersion(tx, row, now)) ?? problemOfUse(use, row);
    if (why !== undefined) {
      rowMacsOf(tx).refuse({ table: 'order_limit_usage', id: row.id }, why);
      return [];
    }
    return [
      {
        ...row,
        used_cents: (BigInt(row.used_cents) - BigInt(use.cents)).toString(),
        returned: withReturned(row.returned, use.version),
        version: row.version + 1,
      },
    ];
  });
  await writeCounters(tx, returned, now);
}

/**
 * What counters stand at; those that nobody used are absent.
 * @throws internal-error, after an alarm, when one was changed or put back
 */
export async function readUsage(
  db: Db,
  input: { readonly projectId: string; readonly keys: readonly UsageKey[]; readonly now: Date },
): Promise<Usage[]> {
  const seen = new Map(
    input.keys.map(({ subject, period }) => [
      `${subject} ${period}`,
      seenVersion(db, { project_id: input.projectId, subject, period }, input.now),
    ]),
  );
  const { rows } = await db.query<CounterRow>({
    name: 'order-limits-read',
    text: `select ${counterColumns} from order_limit_usage
      where project_id = $1 and (subject, period) in (select * from unnest($2::text[], $3::text[]))`,
    values: [
      input.projectId,
      input.keys.map((key) => key.subject),
      input.keys.map((key) => key.period),
    ],
  });
  for (const row of rows)
    requireGenuine(db, { ...row, is_new: false }, seen.get(`${row.subject} ${row.period}`) ?? 0n);
  return rows.map(usageOf);
}

/**
 * Removes counters of periods that are long over, and what was taken of them; so many at a time.
 */
export async function deleteOldUsage(
  db: Db,
  input: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const deleted = await Promise.all(
    (
      [
        ['order_limit_uses', 'at'],
        ['order_limit_usage', 'updated_at'],
      ] as const
    ).map(([table, age]) =>
      db.query({
        text: `delete from ${table} where id in (select id from ${table} where ${age} < $1 order by ${age} limit $2)`,
        values: [input.before, input.limit],
      }),
    ),
  );
  return deleted.reduce((sum, { rowCount }) => sum + rowCount, 0);
}

function requireGenuine(db: Db, row: CounterRow & { is_new: boolean }, seen: bigint): void {
  const deleted = seen > 0n ? `there was one, which was deleted; ${afterFailover}` : undefined;
  const why = row.is_new ? deleted : problemOfCounter(db, row, seen);
  if (why !== undefined)
    throw rowMacsOf(db).refuse({ table: 'order_limit_usage', id: row.id }, why);
}

async function writeCounters(tx: Tx, counters: readonly CounterRow[], now: Date): Promise<void> {
  if (counters.length === 0) return;
  const macs = rowMacsOf(tx);
  await tx.query({
    name: 'order-limits-write',
    text: `update order_limit_usage u set used_cents = n.used_cents, version = n.version, returned = n.returned, mac = n.mac
      from unnest($1::uuid[], $2::numeric[], $3::integer[], $4::bytea[], $5::text[]) as n (id, used_cents, version, returned, mac) where u.id = n.id`,
    values: [
      counters.map(({ id }) => id),
      counters.map((row) => row.used_cents),
      counters.map(({ version }) => version),
      counters.map(({ returned }) => returned),
      counters.map((row) => macs.seal(sealedCounter(row))),
    ],
  });
  for (const row of counters) rememberCounter(tx, row, now);
}

async function insertUses(
  tx: Tx,
  counters: readonly CounterRow[],
  { orderId, cents, now, newId }: AddUsageInput,
): Promise<void> {
  const macs = rowMacsOf(tx);
  const uses = counters.map(({ id, project_id, subject, period, version }) => ({
    id: newId(),
    counter_id: id,
    order_id: orderId,
    project_id,
    subject,
    period,
    cents: cents.toString(),
    version,
  }));
  await tx.query({
    name: 'order-limits-take',
    text: `insert into order_limit_uses (${useColumns}, at)
      select *, $10::timestamptz from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::numeric[], $8::integer[], $9::text[])`,
    values: [
      uses.map(({ id }) => id),
      uses.map((use) => use.counter_id),
      uses.map((use) => use.order_id),
      uses.map((use) => use.project_id),
      uses.map(({ subject }) => subject),
      uses.map(({ period }) => period),
      uses.map((use) => use.cents),
      uses.map(({ version }) => version),
      uses.map((use) => macs.seal(sealedUse(use))),
      now,
    ],
  });
}

function usageOf({ subject, period, used_cents }: CounterRow): Usage {
  return { subject, period, usedCents: BigInt(used_cents) };
}
