import type { ListPosition } from '../../lib/cursor.ts';
import type { ServiceError } from '../../lib/errors.ts';
import { rowMacsOf, type SealedRow, type SealedTable } from '../../store/row-mac.ts';
import { fieldsOf, type RowOf, readRow, valueListsOf, valuesOf } from '../../store/rows.ts';
import type { Db, Tx } from '../../store/types.ts';
import type { CheckoutRecord, ProgressItem } from './types.ts';

type CheckoutRow = RowOf<Omit<CheckoutRecord, 'sealProblem'>> & { readonly mac: string | null };

export const checkoutColumns = `c.id, c.project_id, c.user_id, c.status, c.target, c.constraints, c.metadata, c.buyer_profile_id,
  c.browser_profile_id, c.profile_version, c.item_key, c.step, c.fence, c.tries, c.live_origin, c.armed_at, c.outcome, c.cancel_asked_at, c.receipt,
  c.failure, c.created_at, c.updated_at, c.ended_at, c.mac`;

/** What was asked for, by whom, and with whose address and logins: it never changes. */
function sealedCheckout(record: CheckoutRecord): SealedRow {
  const fields = fieldsOf(
    record,
    'projectId, userId, target, constraints, metadata, buyerProfileId, browserProfileId, itemKey, createdAt',
  );
  return { table: 'agent_checkouts', id: record.id, fields };
}

export const sealedCheckouts: SealedTable = {
  table: 'agent_checkouts',
  columns: checkoutColumns.replaceAll('c.', ''),
  toSealed: (row: CheckoutRow) => sealedCheckout(checkoutOf(row)),
};

/** One that was changed behind the service is marked: it is shown, and nothing is bought for it. */
export function toCheckout(db: Db, row: CheckoutRow): CheckoutRecord {
  const record = checkoutOf(row);
  const sealProblem = rowMacsOf(db).problemOf(sealedCheckout(record), row.mac);
  return sealProblem ? { ...record, sealProblem } : record;
}

/** @throws internal-error when it was changed behind the service, after an alarm */
export function requireUnchanged(db: Db, record: CheckoutRecord): void {
  if (record.sealProblem) throw refuseChanged(db, record);
}

/** Raises the alarm, and answers the error to throw. */
export function refuseChanged(
  db: Db,
  { id, sealProblem }: Pick<CheckoutRecord, 'id' | 'sealProblem'>,
): ServiceError {
  return rowMacsOf(db).refuse(
    { table: 'agent_checkouts', id },
    sealProblem ?? 'what is bought, or for whom, is not as it was sealed',
  );
}

const checkoutOf = (row: CheckoutRow): CheckoutRecord =>
  readRow<Omit<CheckoutRecord, 'sealProblem'>>(row, { fence: BigInt });

const newColumns =
  'id, project_id, user_id, status, target, constraints, metadata, buyer_profile_id, browser_profile_id, item_key, step, created_at';

export async function insertCheckout(tx: Tx, record: CheckoutRecord): Promise<void> {
  await tx.query({
    name: 'agent-checkouts-insert',
    text: `insert into agent_checkouts (${newColumns}, run_after, updated_at, mac)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $12, $13)`,
    values: [...valuesOf(record, newColumns), rowMacsOf(tx).seal(sealedCheckout(record))],
  });
}

/** A checkout of a person; that of anybody else does not exist. */
export async function selectCheckout(
  db: Db,
  key: { readonly id: string; readonly personId: string },
): Promise<CheckoutRecord | undefined> {
  const { rows } = await db.query<CheckoutRow>({
    name: 'agent-checkouts-by-id',
    text: `select ${checkoutColumns} from agent_checkouts c join users u on u.id = c.user_id where c.id = $1 and u.person_id = $2`,
    values: [key.id, key.personId],
  });
  return rows[0] && toCheckout(db, rows[0]);
}

/** Locked until the transaction ends: whatever changes a checkout begins here. */
export async function lockCheckout(tx: Tx, id: string): Promise<CheckoutRecord | undefined> {
  const { rows } = await tx.query<CheckoutRow>({
    name: 'agent-checkouts-lock',
    text: `select ${checkoutColumns} from agent_checkouts c where c.id = $1 for update`,
    values: [id],
  });
  return rows[0] && toCheckout(tx, rows[0]);
}

/** Newest first. */
export async function selectCheckouts(
  db: Db,
  input: { readonly personId: string; readonly after?: ListPosition; readonly limit: number },
): Promise<CheckoutRecord[]> {
  const { rows } = await db.query<CheckoutRow>({
    name: 'agent-checkouts-page',
    text: `select ${checkoutColumns} from agent_checkouts c join users u on u.id = c.user_id
           where u.person_id = $1 and ($2::timestamptz is null or (c.created_at, c.id) < ($2, $3::uuid))
           order by c.created_at desc, c.id desc limit $4`,
    values: [input.personId, input.after?.at ?? null, input.after?.id ?? null, input.limit],
  });
  return rows.map((row) => toCheckout(db, row));
}

/** Of the same item by the same person, under whichever name. */
const sameItem = `u.person_id = (select person_id from users where id = $1) and c.item_key = $2`;

/**
 * A checkout of the item that may be buying it now, or of which nobody knows whether the shop has
 * the order.
 */
export async function selectOpenPurchase(
  db: Db,
  key: { readonly userId: string; readonly itemKey: Buffer },
): Promise<{ readonly id: string; readonly isUnknown: boolean } | undefined> {
  const { rows } = await db.query<{ id: string; isUnknown: boolean }>({
    name: 'agent-checkouts-open-purchase',
    text: `select c.id, c.outcome is not distinct from 'unknown' or c.status <> 'running' as "isUnknown"
           from agent_checkouts c join users u on u.id = c.user_id
           where ${sameItem} and (c.outcome = 'unknown' or (c.armed_at is not null and c.ended_at is null))
           order by 2 desc limit 1`,
    values: [key.userId, key.itemKey],
  });
  return rows[0];
}

/**
 * Another checkout of the item of which nobody knows whether the shop has the order: it has ended
 * so, its user is asked, or its runner is gone behind the paying click. Whoever asks next for the
 * same item waits until this transaction is over.
 */
export async function lockUnknownPurchase(
  tx: Tx,
  key: { readonly userId: string; readonly itemKey: Buffer; readonly exceptId: string },
): Promise<{ readonly id: string } | undefined> {
  await tx.query({
    name: 'agent-checkouts-lock-item',
    text: `select pg_advisory_xact_lock(hashtextextended((select person_id from users where id = $1)::text || encode($2, 'hex'), 0))`,
    values: [key.userId, key.itemKey],
  });
  const { rows } = await tx.query<{ id: string }>({
    name: 'agent-checkouts-unknown',
    text: `select c.id from agent_checkouts c join users u on u.id = c.user_id
           where ${sameItem} and c.id <> $3 and (c.outcome = 'unknown'
             or (c.armed_at is not null and c.ended_at is null and (c.status <> 'running' or c.lease_until is null or c.lease_until < now())))
           limit 1`,
    values: [key.userId, key.itemKey, key.exceptId],
  });
  return rows[0];
}

const movedColumns =
  'status, step, outcome, cancel_asked_at, receipt, failure, updated_at, ended_at, profile_version';

/** Stores what a move changed of a locked checkout. */
export async function updateCheckout(tx: Tx, record: CheckoutRecord): Promise<void> {
  await tx.query({
    name: 'agent-checkouts-update',
    text: `update agent_checkouts set (${movedColumns}) = ($2, $3, $4, $5, $6, $7, $8, $9, $10) where id = $1`,
    values: valuesOf(record, `id, ${movedColumns}`),
  });
}

/** Appends to what the user is shown. The checkout is locked. */
export async function insertProgress(
  tx: Tx,
  checkoutId: string,
  items: readonly ProgressItem[],
): Promise<void> {
  if (items.length === 0) return;
  await tx.query({
    name: 'agent-checkouts-progress',
    text: `insert into agent_checkout_progress (checkout_id, nr, type, title, message, created_at)
           select $1, (select coalesce(max(nr), 0) from agent_checkout_progress where checkout_id = $1) + i.nr, i.type, i.title, i.message, i.at
           from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) with ordinality as i(type, title, message, at, nr)`,
    values: [checkoutId, ...valueListsOf(items, 'type, title, message, created_at')],
  });
}

const progressShownMax = 500;

/** What the users of these checkouts are shown, by checkout, oldest first. */
export async function selectProgress(
  db: Db,
  checkoutIds: readonly string[],
): Promise<ReadonlyMap<string, ProgressItem[]>> {
  const { rows } = await db.query<RowOf<ProgressItem> & { checkout_id: string }>({
    name: 'agent-checkouts-progress-of',
    text: `select checkout_id, type, title, message, created_at from agent_checkout_progress
           where checkout_id = any($1::uuid[]) and nr <= $2 order by checkout_id, nr`,
    values: [checkoutIds, progressShownMax],
  });
  const items = new Map<string, ProgressItem[]>(checkoutIds.map((id) => [id, []]));
  for (const { checkout_id, ...row } of rows)
    items.get(checkout_id)!.push(readRow<ProgressItem>(row));
  return items;
}
