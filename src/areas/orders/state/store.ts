import type { ServiceError } from '../../../lib/errors.ts';
import { brokenSeal, rowMacsOf, type SealedRow, type SealedTable } from '../../../store/row-mac.ts';
import { fieldsOf, type RowOf, readRow, valuesOf } from '../../../store/rows.ts';
import type { Db, Tx } from '../../../store/types.ts';
import { parkedSql } from './states.ts';
import type { OrderAmount, OrderFee, OrderRecord, OrderTerms } from './types.ts';

type PlainOrder = Omit<OrderRecord, 'publicStatus' | 'terms' | 'sealProblem'>;

export interface OrderRow extends RowOf<PlainOrder> {
  readonly phase: OrderRecord['publicStatus']['phase'];
  readonly quote_status: OrderRecord['publicStatus']['quote'];
  readonly payment_status: OrderRecord['publicStatus']['payment'];
  readonly delivery_status: OrderRecord['publicStatus']['delivery'];
  readonly terms: StoredTerms | null;
  readonly mac: string | null;
}

const plainColumns =
  'id, project_id, kind, state, resume_state, attention, user_id, user_locator, payer_key, recipient_key, memo, paid_currency, card_reference, payout_id, client_secret_hash, request, facts, quoted_at, quote_expires_at, deadline_at, version, created_at, updated_at';
export const orderColumns = `${plainColumns}, phase, quote_status, payment_status, delivery_status, terms, mac`;
const columns = orderColumns.split(', ');

/**
 * Whom it pays and what, how far it is, and who may say more: everything but its times and what
 * callers are shown.
 */
function sealedOrder(order: OrderRecord): SealedRow {
  const fields = fieldsOf(
    order,
    'projectId, kind, state, resumeState, userId, userLocator, payerKey, recipientKey, memo, cardReference, payoutId, clientSecretHash, request, facts, quotedAt, quoteExpiresAt, createdAt, version',
  );
  const terms = order.terms && encodeTerms(order.terms);
  return { table: 'orders', id: order.id, fields: { ...fields, terms } };
}

export const sealedOrders: SealedTable = {
  table: 'orders',
  columns: orderColumns,
  toSealed: (row: OrderRow) => sealedOrder(toOrder(row)),
};

/**
 * One that was changed behind the service never gets a seal again, whatever is noted of it later.
 */
function sealOf(db: Db, order: OrderRecord): string | null {
  return order.sealProblem ? brokenSeal : rowMacsOf(db).seal(sealedOrder(order));
}

function storedOrder(db: Db, order: OrderRecord): unknown[] {
  const { phase, quote, payment, delivery } = order.publicStatus;
  return [
    ...valuesOf(order, plainColumns),
    phase,
    quote,
    payment,
    delivery,
    order.terms ? JSON.stringify(encodeTerms(order.terms)) : null,
    sealOf(db, order),
  ];
}

/** A row of {@link orderColumns} as a record, for whoever only shows it. */
export function toOrder(row: OrderRow): OrderRecord {
  const { phase, quote_status, payment_status, delivery_status, terms, ...plain } = row;
  return {
    ...readRow<PlainOrder>(plain),
    publicStatus: {
      phase,
      quote: quote_status,
      payment: payment_status,
      delivery: delivery_status,
    },
    ...(terms !== null && { terms: decodeTerms(terms) }),
  };
}

function checkedOrder(db: Db, row: OrderRow): OrderRecord {
  const order = toOrder(row);
  const sealProblem = rowMacsOf(db).problemOf(sealedOrder(order), row.mac);
  return sealProblem ? { ...order, sealProblem } : order;
}

/** @throws internal-error when it was changed behind the service, after an alarm */
export function requireUnchanged(db: Db, order: OrderRecord): void {
  if (order.sealProblem) throw refuseChanged(db, order);
}

/** Raises the alarm, and answers the error to throw. */
export function refuseChanged(
  db: Db,
  { id, sealProblem }: Pick<OrderRecord, 'id' | 'sealProblem'>,
): ServiceError {
  return rowMacsOf(db).refuse(
    { table: 'orders', id },
    sealProblem ?? 'whom it pays, what, or how far it is, is not as it was sealed',
  );
}

export async function insertOrder(tx: Tx, order: OrderRecord): Promise<void> {
  await tx.query({
    name: 'orders-insert',
    text: `insert into orders (${orderColumns}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    values: storedOrder(tx, order),
  });
}

/**
 * Stores a changed order over the version it came from.
 * @returns false when somebody else was faster.
 */
export async function updateOrder(
  tx: Tx,
  order: OrderRecord,
  from: { readonly state: string; readonly version: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'orders-update',
    text: `update orders set ${columns.map((column, index) => `${column} = $${index + 1}`).join(', ')}
           where id = $1 and state = $${columns.length + 1} and version = $${columns.length + 2}`,
    values: [...storedOrder(tx, order), from.state, from.version],
  });
  return rowCount === 1;
}

export type OrderKey =
  | { readonly by: 'id'; readonly id: string }
  | { readonly by: 'memo'; readonly memo: string }
  | { readonly by: 'card_reference'; readonly cardReference: string }
  | { readonly by: 'payout_id'; readonly payoutId: string };

function valueOf(key: OrderKey): string {
  switch (key.by) {
    case 'id':
      return key.id;
    case 'memo':
      return key.memo;
    case 'card_reference':
      return key.cardReference;
    case 'payout_id':
      return key.payoutId;
  }
}

/** One order of any project; routes compare the project themselves. */
export async function selectOrder(db: Db, key: OrderKey): Promise<OrderRecord | undefined> {
  const { rows } = await db.query<OrderRow>({
    name: `orders-by-${key.by}`,
    text: `select ${orderColumns} from orders where ${key.by} = $1`,
    values: [valueOf(key)],
  });
  return rows[0] && checkedOrder(db, rows[0]);
}

/**
 * Orders of a project that wait for its operator, or but ask for attention: since when they have,
 * oldest first.
 */
export async function selectAskingOrders(
  db: Db,
  input: {
    readonly projectId: string;
    readonly after?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
    /** Only those that go no further by themselves. */
    readonly parkedOnly?: boolean;
  },
): Promise<OrderRecord[]> {
  const { rows } = await db.query<OrderRow>({
    name: 'orders-asking',
    text: `select ${orderColumns} from orders where project_id = $1
        and (${parkedSql} or attention is not null)
        and ($2::timestamptz is null or (updated_at, id) > ($2, $3::uuid))
        and (not $5::boolean or ${parkedSql}) order by updated_at, id limit $4`,
    values: [
      input.projectId,
      input.after?.at ?? null,
      input.after?.id ?? null,
      input.limit,
      input.parkedOnly === true,
    ],
  });
  return rows.map((row) => checkedOrder(db, row));
}

/**
 * As {@link selectOrder}, locked until the transaction ends: whatever changes an order begins here.
 */
export async function lockOrder(tx: Tx, key: OrderKey): Promise<OrderRecord | undefined> {
  const { rows } = await tx.query<OrderRow>({
    name: `orders-lock-by-${key.by}`,
    text: `select ${orderColumns} from orders where ${key.by} = $1 for update`,
    values: [valueOf(key)],
  });
  return rows[0] && checkedOrder(tx, rows[0]);
}

/** Every order of these users, locked in one order for everybody. */
export async function lockOrdersOf(
  tx: Tx,
  {
    projectId,
    userIds,
    locators,
  }: {
    readonly projectId: string;
    readonly userIds: readonly string[];
    readonly locators: readonly string[];
  },
): Promise<OrderRecord[]> {
  const emails = locators.flatMap((locator) =>
    locator.startsWith('email:') ? [locator.slice('email:'.length).toLowerCase()] : [],
  );
  const { rows } = await tx.query<OrderRow>({
    // An order that never came so far has no user yet, and names somebody all the same.
    text: `select ${orderColumns} from orders where project_id = $1 and (user_id = any($2::uuid[]) or (user_id is null and (
             user_locator = any($3) or lower(substring(user_locator from '^email:(.*)$')) = any($4)
             or lower(request->'payment'->>'receiptEmail') = any($4) or lower(request->'recipient'->>'email') = any($4))))
           order by id for update`,
    values: [projectId, userIds, locators, emails],
  });
  return rows.map((row) => checkedOrder(tx, row));
}

/**
 * Orders whose owner should have moved by now, oldest first; those that somebody works on are left
 * out.
 */
export async function lockOverdueOrders(
  tx: Tx,
  input: { readonly now: Date; readonly limit: number },
): Promise<OrderRecord[]> {
  const { rows } = await tx.query<OrderRow>({
    name: 'orders-overdue',
    text: `select ${orderColumns} from orders where deadline_at <= $1 order by deadline_at limit $2 for update skip locked`,
    values: [input.now, input.limit],
  });
  return rows.map(toOrder);
}

export interface OrderMove {
  readonly orderId: string;
  readonly nr: number;
  readonly from?: string;
  readonly event: string;
  readonly to: string;
  readonly note?: string;
  readonly at: Date;
}

const moveColumns = 'order_id, nr, from_state, event, to_state, note, at';

export async function insertMove(tx: Tx, move: OrderMove): Promise<void> {
  await tx.query({
    name: 'order-moves-insert',
    text: `insert into order_moves (${moveColumns}) values ($1, $2, $3, $4, $5, $6, $7)`,
    values: valuesOf({ ...move, fromState: move.from, toState: move.to }, moveColumns),
  });
}

/** The history of an order, oldest first; at most 500 moves. */
export async function selectMoves(db: Db, orderId: string): Promise<OrderMove[]> {
  const { rows } = await db.query<RowOf<OrderMove>>({
    text: 'select order_id, nr, from_state as "from", event, to_state as "to", note, at from order_moves where order_id = $1 order by nr limit 500',
    values: [orderId],
  });
  return rows.map((row) => readRow<OrderMove>(row));
}

/** Terms as they are stored: JSON has no big integers, so amounts are text. */
type Stored<T> = T extends bigint
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Stored<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Stored<T[Key]> }
      : T;
export type StoredTerms = Stored<OrderTerms>;

function encodeTerms({ pay, receive, value, unit, fees, items, ...rest }: OrderTerms): StoredTerms {
  return {
    ...rest,
    pay: encodeAmount(pay),
    receive: encodeAmount(receive),
    value: encodeAmount(value),
    unit: encodeAmount(unit),
    fees: fees.map(encodeAmount),
    ...(items && { items: items.map(encodeTerms) }),
  };
}

function decodeTerms({ pay, receive, value, unit, fees, items, ...rest }: StoredTerms): OrderTerms {
  return {
    ...rest,
    pay: decodeAmount<OrderAmount>(pay),
    receive: decodeAmount<OrderAmount>(receive),
    value: decodeAmount<OrderAmount>(value),
    unit: decodeAmount<OrderAmount>(unit),
    fees: fees.map(decodeAmount<OrderFee>),
    ...(items && { items: items.map(decodeTerms) }),
  };
}

function encodeAmount<A extends OrderAmount>(amount: A): Stored<A> {
  return { ...amount, amountMinor: amount.amountMinor.toString() } as Stored<A>;
}

function decodeAmount<A extends OrderAmount>(stored: Stored<A>): A {
  const { amountMinor } = stored as { readonly amountMinor: string };
  return { ...stored, amountMinor: BigInt(amountMinor) } as unknown as A;
}
