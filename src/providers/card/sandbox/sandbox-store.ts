import { valuesOf } from '../../../store/rows.ts';
import type { Db } from '../../../store/types.ts';
import type { CardDetails, CardPaymentStatus, CardRefund } from '../card.ts';

/** What happens to a payment by itself. */
export type SandboxStep = 'finish-processing' | 'end-challenge' | 'end-authorization' | 'dispute';

/** A row of `sandbox_card_payments`. */
export interface SandboxPayment {
  readonly reference: string;
  readonly paymentId: string;
  readonly orderReference: string;
  readonly description: string | null;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: CardPaymentStatus;
  readonly script: string | null;
  readonly tries: number;
  readonly declineCode: string | null;
  readonly card: CardDetails | null;
  readonly capturedMinor: bigint;
  readonly disputeId: string | null;
  readonly disputeStatus: 'open' | 'won' | 'lost' | null;
  readonly disputedMinor: bigint;
  readonly nextStep: SandboxStep | null;
  readonly nextAt: Date | null;
  readonly createdAt: Date;
}

const amounts = ['amountMinor', 'capturedMinor', 'disputedMinor'] as const;
type Raw<R, K extends keyof R> = Omit<R, K> & Record<K, string>;
type PaymentRow = Raw<SandboxPayment, (typeof amounts)[number]>;

const paymentColumns = `reference, payment_id as "paymentId", order_reference as "orderReference", description, amount_minor::text as "amountMinor",
  currency, status, script, tries, decline_code as "declineCode", card, captured_minor::text as "capturedMinor", dispute_id as "disputeId",
  dispute_status as "disputeStatus", disputed_minor::text as "disputedMinor", next_step as "nextStep", next_at as "nextAt", created_at as "createdAt"`;

const toPayment = (row: PaymentRow): SandboxPayment => ({
  ...row,
  amountMinor: BigInt(row.amountMinor),
  capturedMinor: BigInt(row.capturedMinor),
  disputedMinor: BigInt(row.disputedMinor),
});

const newColumns =
  'reference, payment_id, order_reference, description, amount_minor, currency, status, created_at';

/** Does nothing when there is one of that payment id already. */
export async function insertPayment(
  db: Db,
  row: Pick<
    SandboxPayment,
    | 'reference'
    | 'paymentId'
    | 'orderReference'
    | 'amountMinor'
    | 'currency'
    | 'status'
    | 'createdAt'
  > & {
    readonly description?: string;
  },
): Promise<void> {
  await db.query({
    text: `insert into sandbox_card_payments (${newColumns})
      values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (payment_id) do nothing`,
    values: valuesOf(row, newColumns),
  });
}

export async function selectPaymentById(
  db: Db,
  paymentId: string,
): Promise<SandboxPayment | undefined> {
  const { rows } = await db.query<PaymentRow>({
    text: `select ${paymentColumns} from sandbox_card_payments where payment_id = $1`,
    values: [paymentId],
  });
  return rows[0] && toPayment(rows[0]);
}

/** Locked to the end of the transaction. */
export async function lockPayment(tx: Db, reference: string): Promise<SandboxPayment | undefined> {
  const { rows } = await tx.query<PaymentRow>({
    text: `select ${paymentColumns} from sandbox_card_payments where reference = $1 for update`,
    values: [reference],
  });
  return rows[0] && toPayment(rows[0]);
}

const changingColumns =
  'status, script, tries, decline_code, card, captured_minor, dispute_id, dispute_status, disputed_minor, next_step, next_at';

/** Writes what may change. */
export async function updatePayment(db: Db, row: SandboxPayment): Promise<void> {
  await db.query({
    text: `update sandbox_card_payments set (${changingColumns}) = ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      where reference = $1`,
    values: valuesOf(row, `reference, ${changingColumns}`),
  });
}

/** References of payments with a step or a refund that is due, the longest due first. */
export async function listDuePayments(
  db: Db,
  input: { readonly now: Date; readonly limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ reference: string }>({
    text: `select reference from (
        (select reference, next_at from sandbox_card_payments where next_at <= $1 order by next_at limit $2)
        union all
        (select payment_reference, next_at from sandbox_card_refunds where next_at <= $1 order by next_at limit $2)
      ) due order by next_at limit $2`,
    values: [input.now, input.limit],
  });
  return [...new Set(rows.map((row) => row.reference))];
}

/** A row of `sandbox_card_refunds`. */
export interface SandboxRefund extends CardRefund {
  readonly paymentReference: string;
  readonly nextAt: Date | null;
}

const refundColumns = `reference, refund_id as "refundId", payment_reference as "paymentReference", amount_minor::text as "amountMinor", status,
  next_at as "nextAt"`;
type RefundRow = Raw<SandboxRefund, 'amountMinor'>;
const toRefund = (row: RefundRow): SandboxRefund => ({
  ...row,
  amountMinor: BigInt(row.amountMinor),
});

const newRefundColumns =
  'reference, refund_id, payment_reference, amount_minor, status, next_at, created_at';

export async function insertRefund(
  db: Db,
  row: SandboxRefund & { readonly createdAt: Date },
): Promise<void> {
  await db.query({
    text: `insert into sandbox_card_refunds (${newRefundColumns})
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: valuesOf(row, newRefundColumns),
  });
}

export async function selectRefund(db: Db, refundId: string): Promise<SandboxRefund | undefined> {
  const { rows } = await db.query<RefundRow>({
    text: `select ${refundColumns} from sandbox_card_refunds where refund_id = $1`,
    values: [refundId],
  });
  return rows[0] && toRefund(rows[0]);
}

export async function endRefund(
  db: Db,
  input: { readonly reference: string; readonly status: 'succeeded' | 'failed' },
): Promise<void> {
  await db.query({
    text: 'update sandbox_card_refunds set status = $2, next_at = null where reference = $1',
    values: [input.reference, input.status],
  });
}

export async function listDueRefunds(
  db: Db,
  input: { readonly paymentReference: string; readonly now: Date },
): Promise<SandboxRefund[]> {
  const { rows } = await db.query<RefundRow>({
    text: `select ${refundColumns} from sandbox_card_refunds where payment_reference = $1 and next_at <= $2 order by next_at limit 1000`,
    values: [input.paymentReference, input.now],
  });
  return rows.map(toRefund);
}

/** Refunds that are done or may still be: smallest units. */
export async function sumRefunds(db: Db, paymentReference: string): Promise<bigint> {
  const { rows } = await db.query<{ sum: string }>({
    text: `select coalesce(sum(amount_minor), 0)::text as sum from sandbox_card_refunds where payment_reference = $1 and status <> 'failed'`,
    values: [paymentReference],
  });
  return BigInt(rows[0]!.sum);
}

export interface SandboxCall {
  readonly kind: string;
  readonly paymentReference: string;
  readonly amountMinor: bigint;
  readonly calls: number;
}

/** Counts a call under a key; the first one stores what it asks for. */
export async function countCall(
  db: Db,
  input: Omit<SandboxCall, 'calls'> & { readonly key: string },
): Promise<SandboxCall> {
  const { rows } = await db.query<Raw<SandboxCall, 'amountMinor'>>({
    text: `insert into sandbox_card_calls as c (key, kind, payment_reference, amount_minor, calls) values ($1, $2, $3, $4, 1)
      on conflict (key) do update set calls = c.calls + 1
      returning kind, payment_reference as "paymentReference", amount_minor::text as "amountMinor", calls`,
    values: [input.key, input.kind, input.paymentReference, input.amountMinor.toString()],
  });
  return { ...rows[0]!, amountMinor: BigInt(rows[0]!.amountMinor) };
}

export async function insertEvent(
  db: Db,
  input: { readonly id: string; readonly body: unknown; readonly now: Date },
): Promise<void> {
  await db.query({
    text: 'insert into sandbox_card_events (id, body, due_at) values ($1, $2, $3)',
    values: [input.id, JSON.stringify(input.body), input.now],
  });
}

export interface SandboxEventRow {
  readonly id: string;
  readonly body: unknown;
  readonly tries: number;
}

export async function listDueEvents(
  db: Db,
  input: { readonly now: Date; readonly limit: number },
): Promise<SandboxEventRow[]> {
  const { rows } = await db.query<SandboxEventRow>({
    text: `select id, body, tries from sandbox_card_events where delivered_at is null and due_at <= $1 order by due_at, number limit $2`,
    values: [input.now, input.limit],
  });
  return rows;
}

/** `dueAt` undefined: it is given up. */
export async function postponeEvent(
  db: Db,
  input: { readonly id: string; readonly dueAt: Date | undefined; readonly now: Date },
): Promise<void> {
  await db.query({
    text: `update sandbox_card_events set tries = tries + 1, due_at = coalesce($2, due_at), delivered_at = case when $2::timestamptz is null then $3::timestamptz end
      where id = $1 and delivered_at is null`,
    values: [input.id, input.dueAt ?? null, input.now],
  });
}

export async function storeDelivered(
  db: Db,
  input: { readonly id: string; readonly now: Date },
): Promise<void> {
  await db.query({
    text: 'update sandbox_card_events set tries = tries + 1, delivered_at = $2 where id = $1 and delivered_at is null',
    values: [input.id, input.now],
  });
}
