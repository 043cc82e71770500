import { valuesOf } from '../../store/rows.ts';
import type { Db, Tx } from '../../store/types.ts';
import type { PayoutStatus } from './machine.ts';
import type { Payout } from './types.ts';

type Row = Omit<Payout, 'amountMinor'> & { amountMinor: string };

const columns = `id, project_id as "projectId", payment_method_id as "paymentMethodId", account_type as "accountType", object, provider, rail,
  amount_minor::text as "amountMinor", currency, statement, status, bank_key as "bankKey", counterparty, entity_type as "entityType",
  bank_reference as "bankReference", code, attention, calls, looks, first_sent_at as "firstSentAt", last_sent_at as "lastSentAt",
  submitted_at as "submittedAt", settled_at as "settledAt", final_at as "finalAt", ended_at as "endedAt", overdue_at as "overdueAt",
  needs_approval as "needsApproval", held_until as "heldUntil", created_at as "createdAt", updated_at as "updatedAt"`;
/** Above the amount that one person lets pass, and nobody else has approved it as it stands. */
const needsApproval = `(payouts.amount_minor > coalesce((select l.second_person_minor from payout_limits l where l.currency = payouts.currency), -1)
  and not exists (select from payout_approvals a where a.payout_id = payouts.id and a.amount_minor = payouts.amount_minor
    and a.payment_method_id = payouts.payment_method_id))`;
/** Until then its destination is new. */
const waitsUntil = (hours: string): string =>
  `(payouts.destination_since + make_interval(hours => coalesce((select r.new_destination_wait_hours from payout_rules r where r.id = 1), ${hours}::int)))`;
const read = (rows: Row[]): Payout[] =>
  rows.map((row) => ({ ...row, amountMinor: BigInt(row.amountMinor) }));

export type NewPayout = Pick<
  Payout,
  | 'id'
  | 'projectId'
  | 'paymentMethodId'
  | 'accountType'
  | 'object'
  | 'provider'
  | 'rail'
  | 'amountMinor'
  | 'currency'
  | 'statement'
  | 'status'
  | 'bankKey'
> & { readonly destination: Buffer; readonly destinationSince: Date; readonly now: Date };

const newColumns =
  'id, project_id, payment_method_id, account_type, object, provider, rail, amount_minor, currency, statement, status, bank_key, destination, destination_since';

/**
 * False when there is a payout of that id already. Key and id are one: of two inserts at once
 * either index may notice.
 */
export async function insertPayout(tx: Tx, payout: NewPayout): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'payout-insert',
    text: `insert into payouts (${newColumns}, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15) on conflict do nothing`,
    values: [...valuesOf(payout, newColumns), payout.now],
  });
  return rowCount === 1;
}

export async function findPayout(db: Db, id: string): Promise<Payout | undefined> {
  const { rows } = await db.query<Row>({
    name: 'payout-by-id',
    text: `select ${columns} from payouts where id = $1`,
    values: [id],
  });
  return read(rows)[0];
}

/** The payout, held until the transaction ends. */
export async function lockPayout(tx: Tx, id: string): Promise<Payout> {
  const { rows } = await tx.query<Row>({
    name: 'payout-lock',
    text: `select ${columns} from payouts where id = $1 for update`,
    values: [id],
  });
  const payout = read(rows)[0];
  if (payout === undefined) throw new Error(`There is no payout ${id}.`);
  return payout;
}

/** Whose a bank's event is: by our key, or by the bank's id. */
export async function findPayoutOfBank(
  db: Db,
  input: {
    readonly provider: string;
    readonly key: string | undefined;
    readonly bankReference: string;
  },
): Promise<Payout | undefined> {
  const { rows } = await db.query<Row>({
    name: 'payout-of-bank',
    text: `select ${columns} from payouts where provider = $1 and (bank_key = $2 or (bank_reference = $3 and $2::text is null)) limit 1`,
    values: [input.provider, input.key ?? null, input.bankReference],
  });
  return read(rows)[0];
}

/** What may change, each only when it is given. */
export interface PayoutChange {
  readonly bankReference?: string;
  readonly code?: string;
  readonly attention?: string | null;
  readonly looks?: number;
  readonly submittedAt?: Date;
  readonly settledAt?: Date;
  readonly finalAt?: Date;
  readonly endedAt?: Date;
  readonly overdueAt?: Date;
}

/**
 * Stores a move of the machine and what comes with it.
 * @throws when the payout has another status by now
 */
export async function updatePayout(
  tx: Tx,
  input: {
    readonly payout: Pick<Payout, 'id' | 'status'>;
    readonly status: PayoutStatus;
    readonly change?: PayoutChange;
    readonly now: Date;
  },
): Promise<Payout> {
  const { payout, status, change = {}, now } = input;
  const { rows } = await tx.query<Row>({
    name: 'payout-move',
    text: `update payouts set status = $3, bank_reference = coalesce($4, bank_reference), code = coalesce($5, code),
             attention = case when $6 then $7 else attention end, looks = coalesce($8, looks),
             submitted_at = coalesce(submitted_at, $9), settled_at = coalesce(settled_at, $10), final_at = coalesce($11, final_at),
             ended_at = coalesce($12, ended_at), overdue_at = coalesce($13, overdue_at), updated_at = $14
           where id = $1 and status = $2 returning ${columns}`,
    values: [
      payout.id,
      payout.status,
      status,
      change.bankReference ?? null,
      change.code ?? null,
      change.attention !== undefined,
      change.attention ?? null,
      change.looks ?? null,
      change.submittedAt ?? null,
      change.settledAt ?? null,
      change.finalAt ?? null,
      change.endedAt ?? null,
      change.overdueAt ?? null,
      now,
    ],
  });
  const updated = read(rows)[0];
  if (updated === undefined)
    throw new Error(`Payout ${payout.id} is not ${payout.status} any more.`);
  return updated;
}

/** Remembers how the bank calls the destination: every try then sends the same. */
export async function storeCounterparty(
  db: Db,
  input: {
    readonly id: string;
    readonly counterparty: string;
    readonly entityType: 'individual' | 'business';
  },
): Promise<void> {
  await db.query({
    name: 'payout-counterparty',
    text: 'update payouts set counterparty = coalesce(counterparty, $2), entity_type = coalesce(entity_type, $3) where id = $1',
    values: [input.id, input.counterparty, input.entityType],
  });
}

/**
 * Claims the right to make the one call that may move money. Undefined when somebody else has it,
 * the payout moved on, it is held, or payouts are stopped. Committed before the call: whoever finds
 * the status `submitting` knows that a call may have been made.
 */
export async function claimSend(
  db: Db,
  input: {
    readonly id: string;
    readonly from: PayoutStatus;
    readonly to: PayoutStatus;
    readonly waitHours: number;
    readonly now: Date;
  },
): Promise<Payout | undefined> {
  const { rows } = await db.query<Row>({
    name: 'payout-claim-send',
    text: `update payouts set status = $3, calls = calls + 1, looks = 0, first_sent_at = coalesce(first_sent_at, $4), last_sent_at = $4,
             needs_approval = false, held_until = null, updated_at = $4
           where id = $1 and status = $2 and counterparty is not null and not ${needsApproval} and ${waitsUntil('$5')} <= $4
             and exists (select from payout_switch where stopped_at is null for share) returning ${columns}`,
    values: [input.id, input.from, input.to, input.now, input.waitHours],
  });
  return read(rows)[0];
}

/** What keeps a payout from being handed in. */
export interface PayoutHold {
  readonly needsApproval: boolean;
  /** Null: its destination is not new. */
  readonly heldUntil: Date | null;
}

/** What a payout waits for by the limits as they are now; undefined when it may be handed in. */
export async function findHold(
  db: Db,
  input: { readonly id: string; readonly waitHours: number; readonly now: Date },
): Promise<PayoutHold | undefined> {
  const { rows } = await db.query<PayoutHold>({
    name: 'payout-hold',
    text: `select ${needsApproval} as "needsApproval", case when ${waitsUntil('$2')} > $3 then ${waitsUntil('$2')} end as "heldUntil"
           from payouts where id = $1`,
    values: [input.id, input.waitHours, input.now],
  });
  const hold = rows[0];
  return hold && (hold.needsApproval || hold.heldUntil !== null) ? hold : undefined;
}

/** Remembers what a payout waits for. */
export async function updateHold(
  tx: Tx,
  input: { readonly id: string; readonly hold: PayoutHold; readonly now: Date },
): Promise<Payout> {
  const { rows } = await tx.query<Row>({
    name: 'payout-hold-note',
    text: `update payouts set needs_approval = $2, held_until = $3, updated_at = $4 where id = $1 returning ${columns}`,
    values: [input.id, input.hold.needsApproval, input.hold.heldUntil, input.now],
  });
  return read(rows)[0]!;
}

/** Payouts that wait for a person or for their destination's time, the oldest first. */
export async function listHeld(db: Db, limit: number): Promise<Payout[]> {
  const { rows } = await db.query<Row>({
    text: `select ${columns} from payouts where status = 'accepted' and (needs_approval or held_until is not null)
           order by created_at, id limit $1`,
    values: [limit],
  });
  return read(rows);
}

/** False when this event of the bank was taken before. */
export async function insertBankEvent(
  tx: Tx,
  event: {
    readonly provider: string;
    readonly eventId: string;
    readonly payoutId: string;
    readonly now: Date;
  },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'payout-bank-event',
    text: `insert into payout_bank_events (provider, event_id, payout_id, received_at) values ($1, $2, $3, $4) on conflict do nothing`,
    values: [event.provider, event.eventId, event.payoutId, event.now],
  });
  return rowCount === 1;
}

/** Forgets events that no bank sends again. @returns how many */
export async function deleteBankEvents(db: Db, before: Date): Promise<number> {
  const { rowCount } = await db.query({
    text: `delete from payout_bank_events where (provider, event_id) in
             (select provider, event_id from payout_bank_events where received_at < $1 order by received_at limit 5000)`,
    values: [before],
  });
  return rowCount;
}

export type NoticeOutcome = 'corrected' | 'duplicate-method' | 'not-applicable' | 'method-gone';

export async function listNoticeIds(db: Db, payoutId: string): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>({
    name: 'payout-notices',
    text: 'select notice_id as id from payout_notices where payout_id = $1 limit 1000',
    values: [payoutId],
  });
  return new Set(rows.map(({ id }) => id));
}

/** False when the notice was dealt with before. */
export async function insertNotice(
  tx: Tx,
  notice: {
    readonly payoutId: string;
    readonly id: string;
    readonly code: string;
    readonly outcome: NoticeOutcome;
    readonly at: Date;
  },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'payout-notice-insert',
    text: 'insert into payout_notices (payout_id, notice_id, code, outcome, at) values ($1, $2, $3, $4, $5) on conflict do nothing',
    values: [notice.payoutId, notice.id, notice.code, notice.outcome, notice.at],
  });
  return rowCount === 1;
}

export interface PayoutFilter {
  readonly status?: PayoutStatus;
  readonly projectId?: string;
  readonly object?: string;
  /** At most 500; default 50. */
  readonly limit?: number;
}

/** Payouts by filter, the newest first. */
export async function listPayouts(db: Db, filter: PayoutFilter = {}): Promise<Payout[]> {
  const { rows } = await db.query<Row>({
    text: `select ${columns} from payouts
           where ($1::text is null or status = $1) and ($2::text is null or project_id = $2) and ($3::text is null or object = $3)
           order by created_at desc, id desc limit $4`,
    values: [
      filter.status ?? null,
      filter.projectId ?? null,
      filter.object ?? null,
      Math.min(filter.limit ?? 50, 500),
    ],
  });
  return read(rows);
}

/** Payouts of a project by id. */
export async function listByIds(
  db: Db,
  input: { readonly projectId: string; readonly ids: readonly string[] },
): Promise<Payout[]> {
  const { rows } = await db.query<Row>({
    name: 'payouts-by-ids',
    text: `select ${columns} from payouts where project_id = $1 and id = any($2::uuid[])`,
    values: [input.projectId, input.ids],
  });
  return read(rows);
}

/** Payouts of a project made after a moment, oldest first. */
export async function listMadeAfter(
  db: Db,
  input: {
    readonly projectId: string;
    readonly at: Date;
    readonly id: string;
    readonly limit: number;
  },
): Promise<Payout[]> {
  const { rows } = await db.query<Row>({
    name: 'payouts-made-after',
    text: `select ${columns} from payouts where project_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
    values: [input.projectId, input.at, input.id, input.limit],
  });
  return read(rows);
}

/**
 * Payouts under way whose flow has ended or is gone, those aside that wait for an operator or
 * ended.
 */
export async function listUnattended(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    text: `select p.id from payouts p left join flows f on f.kind = 'payout' and f.key = p.id::text
           where p.status in ('accepted', 'submitting', 'unknown', 'pending', 'settled') and (f.id is null or f.finished_at is not null)
           order by p.id limit $1`,
    values: [limit],
  });
  return rows.map(({ id }) => id);
}

const sentMax = 100_000;

/** Payouts whose first call to a provider was made in a period. */
export async function listSent(
  db: Db,
  input: { readonly provider: string; readonly from: Date; readonly until: Date },
): Promise<Payout[]> {
  const { rows } = await db.query<Row>({
    text: `select ${columns} from payouts where provider = $1 and first_sent_at >= $2 and first_sent_at < $3 order by first_sent_at limit ${sentMax}`,
    values: [input.provider, input.from, input.until],
  });
  return read(rows);
}

/** The work that looks after a payout. */
export async function findFlowId(db: Db, payoutId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    text: `select id from flows where kind = 'payout' and key = $1`,
    values: [payoutId],
  });
  return rows[0]?.id;
}
