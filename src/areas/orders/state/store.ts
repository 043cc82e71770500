import type { ServiceError } from '../../../lib/errors.ts';
import { brokenSeal, rowMacsOf, type SealedRow, type SealedTable } from '../../../store/row-mac.ts';
import type { Db, Tx } from '../../../store/types.ts';
import { parkedSql } from './states.ts';
import type {
  OrderAmount,
  OrderFacts,
  OrderFee,
  OrderRecord,
  OrderRequest,
  OrderTerms,
} from './types.ts';

export interface OrderRow {
  id: string;
  project_id: string;
  kind: OrderRecord['kind'];
  state: OrderRecord['state'];
  resume_state: OrderRecord['state'] | null;
  attention: string | null;
  phase: OrderRecord['publicStatus']['phase'];
  quote_status: OrderRecord['publicStatus']['quote'];
  payment_status: OrderRecord['publicStatus']['payment'];
  delivery_status: OrderRecord['publicStatus']['delivery'];
  user_id: string | null;
  user_locator: string | null;
  payer_key: string | null;
  recipient_key: string | null;
  memo: string | null;
  paid_currency: string | null;
  card_reference: string | null;
  payout_id: string | null;
  client_secret_hash: Buffer;
  request: OrderRequest;
  terms: StoredTerms | null;
  facts: OrderFacts;
  quoted_at: Date | null;
  quote_expires_at: Date | null;
  deadline_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
  mac: string | null;
}

/** In the order of {@link valuesOf}. */
const columns = [
  'id',
  'project_id',
  'kind',
  'state',
  'resume_state',
  'attention',
  'phase',
  'quote_status',
  'payment_status',
  'delivery_status',
  'user_id',
  'user_locator',
  'payer_key',
  'recipient_key',
  'memo',
  'paid_currency',
  'card_reference',
  'payout_id',
  'client_secret_hash',
  'request',
  'terms',
  'facts',
  'quoted_at',
  'quote_expires_at',
  'deadline_at',
  'version',
  'created_at',
  'updated_at',
  'mac',
] as const;
export const orderColumns = columns.join(', ');

/**
 * Whom it pays and what, how far it is, and who may say more: everything but its times and what
 * callers are shown.
 */
function sealedOrder(order: OrderRecord): SealedRow {
  const {
    id,
    projectId,
    kind,
    state,
    resumeState,
    userId,
    userLocator,
    payerKey,
    recipientKey,
    memo,
    cardReference,
    payoutId,
  } = order;
  const parties = {
    userId,
    userLocator,
    payerKey,
    recipientKey,
    memo,
    cardReference,
    payoutId,
    clientSecretHash: order.clientSecretHash,
  };
  const agreed = {
    request: order.request,
    terms: order.terms && encodeTerms(order.terms),
    facts: order.facts,
  };
  const times = {
    quotedAt: order.quotedAt,
    quoteExpiresAt: order.quoteExpiresAt,
    createdAt: order.createdAt,
  };
  return {
    table: 'orders',
    id,
    fields: {
      projectId,
      kind,
      state,
      resumeState,
      ...parties,
      ...agreed,
      ...times,
      version: order.version,
    },
  };
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

function valuesOf(db: Db, order: OrderRecord): unknown[] {
  return [
    order.id,
    order.projectId,
    order.kind,
    order.state,
    order.resumeState ?? null,
    order.attention ?? null,
    order.publicStatus.phase,
    order.publicStatus.quote,
    order.publicStatus.payment,
    order.publicStatus.delivery,
    order.userId ?? null,
    order.userLocator ?? null,
    order.payerKey ?? null,
    order.recipientKey ?? null,
    order.memo ?? null,
    order.paidCurrency ?? null,
    order.cardReference ?? null,
    order.payoutId ?? null,
    order.clientSecretHash,
    JSON.stringify(order.request),
    order.terms ? JSON.stringify(encodeTerms(order.terms)) : null,
    JSON.stringify(order.facts),
    order.quotedAt ?? null,
    order.quoteExpiresAt ?? null,
    order.deadlineAt ?? null,
    order.version,
    order.createdAt,
    order.updatedAt,
    sealOf(db, order),
  ];
}

/** A row of {@link orderColumns} as a record, for whoever only shows it. */
export function toOrder(row: OrderRow): OrderRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    state: row.state,
    ...(row.resume_state !== null && { resumeState: row.resume_state }),
    ...(row.attention !== null && { attention: row.attention }),
    publicStatus: {
      phase: row.phase,
      quote: row.quote_status,
      payment: row.payment_status,
      delivery: row.delivery_status,
    },
    ...(row.user_id !== null && { userId: row.user_id }),
    ...(row.user_locator !== null && { userLocator: row.user_locator }),
    ...(row.payer_key !== null && { payerKey: row.payer_key }),
    ...(row.recipient_key !== null && { recipientKey: row.recipient_key }),
    ...(row.memo !== null && { memo: row.memo }),
    ...(row.paid_currency !== null && { paidCurrency: row.paid_currency }),
    ...(row.card_reference !== null && { cardReference: row.card_reference }),
    ...(row.payout_id !== null && { payoutId: row.payout_id }),
    clientSecretHash: row.client_secret_hash,
    request: row.request,
    ...(row.terms !== null && { terms: decodeTerms(row.terms) }),
    facts: row.facts,
    ...(row.quoted_at !== null && { quotedAt: row.quoted_at }),
    ...(row.quote_expires_at !== null && { quoteExpiresAt: row.quote_expires_at }),
    ...(row.deadline_at !== null && { deadlineAt: row.deadline_at }),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
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
    values: valuesOf(tx, order),
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
    values: [...valuesOf(tx, order), from.state, from.version],
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

export async function insertMove(tx: Tx, move: OrderMove): Promise<void> {
  await tx.query({
    name: 'order-moves-insert',
    text: 'insert into order_moves (order_id, nr, from_state, event, to_state, note, at) values ($1, $2, $3, $4, $5, $6, $7)',
    values: [
      move.orderId,
      move.nr,
      move.from ?? null,
      move.event,
      move.to,
      move.note ?? null,
      move.at,
    ],
  });
}

/** The history of an order, oldest first; at most 500 moves. */
export async function selectMoves(db: Db, orderId: string): Promise<OrderMove[]> {
  const { rows } = await db.query<{
    nr: number;
    from_state: string | null;
    event: string;
    to_state: string;
    note: string | null;
    at: Date;
  }>({
    text: 'select nr, from_state, event, to_state, note, at from order_moves where order_id = $1 order by nr limit 500',
    values: [orderId],
  });
  return rows.map((row) => ({
    orderId,
    nr: row.nr,
    ...(row.from_state !== null && { from: row.from_state }),
    event: row.event,
    to: row.to_state,
    ...(row.note !== null && { note: row.note }),
    at: row.at,
  }));
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
