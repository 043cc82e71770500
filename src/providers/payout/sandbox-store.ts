import { valuesOf } from '../../store/rows.ts';
import type { Db } from '../../store/types.ts';
import type { PayoutAccountType, PayoutRail } from './rails.ts';

/** A row of `sandbox_bank_transfers`. */
export interface SandboxTransfer {
  readonly id: string;
  readonly key: string;
  readonly counterparty: string;
  readonly script: string;
  readonly accountType: PayoutAccountType;
  readonly rail: PayoutRail;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly statement: string;
  readonly takenAt: Date | null;
  readonly calls: number;
  readonly eventsSent: number;
  readonly createdAt: Date;
}

type Row = Omit<SandboxTransfer, 'amountMinor'> & { amountMinor: string };

const columns = `id, key, counterparty, script, account_type as "accountType", rail, amount_minor::text as "amountMinor", currency, statement,
  taken_at as "takenAt", calls, events_sent as "eventsSent", created_at as "createdAt"`;
const read = (rows: Row[]): SandboxTransfer[] =>
  rows.map((row) => ({ ...row, amountMinor: BigInt(row.amountMinor) }));

/** Stores who may be paid, once per key. @returns the counterparty's id */
export async function insertCounterparty(
  db: Db,
  input: {
    readonly id: string;
    readonly key: string;
    readonly script: string;
    readonly suffix: string;
    readonly now: Date;
  },
): Promise<string> {
  const { rows } = await db.query<{ id: string }>({
    name: 'sandbox-bank-introduce',
    text: `insert into sandbox_bank_counterparties (id, introduced_by, script, suffix, created_at) values ($1, $2, $3, $4, $5)
           on conflict (introduced_by) do update set introduced_by = excluded.introduced_by returning id`,
    values: [input.id, input.key, input.script, input.suffix, input.now],
  });
  return rows[0]!.id;
}

export async function findCounterpartyScript(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ script: string }>({
    name: 'sandbox-bank-counterparty',
    text: 'select script from sandbox_bank_counterparties where id = $1',
    values: [id],
  });
  return rows[0]?.script;
}

const callColumns =
  'id, key, counterparty, script, account_type, rail, amount_minor, currency, statement';

/**
 * Counts a call under a key; the first one stores it. The row stays locked to the end of the
 * transaction.
 */
export async function countCall(
  db: Db,
  input: Omit<SandboxTransfer, 'takenAt' | 'calls' | 'eventsSent' | 'createdAt'> & {
    readonly now: Date;
  },
): Promise<SandboxTransfer> {
  const { rows } = await db.query<Row>({
    name: 'sandbox-bank-call',
    text: `insert into sandbox_bank_transfers as t
             (${callColumns}, calls, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, $10)
           on conflict (key) do update set calls = t.calls + 1 returning ${columns}`,
    values: [...valuesOf(input, callColumns), input.now],
  });
  return read(rows)[0]!;
}

/** The money moves: once. */
export async function acceptTransfer(
  db: Db,
  input: { readonly id: string; readonly now: Date },
): Promise<void> {
  await db.query({
    name: 'sandbox-bank-take',
    text: 'update sandbox_bank_transfers set taken_at = $2, next_event_at = $2 where id = $1 and taken_at is null',
    values: [input.id, input.now],
  });
}

export async function findByKey(db: Db, key: string): Promise<SandboxTransfer | undefined> {
  const { rows } = await db.query<Row>({
    name: 'sandbox-bank-find',
    text: `select ${columns} from sandbox_bank_transfers where key = $1`,
    values: [key],
  });
  return read(rows)[0];
}

/** Transfers with an event to hand over, the longest due first. */
export async function listDue(
  db: Db,
  input: { readonly now: Date; readonly limit: number },
): Promise<SandboxTransfer[]> {
  const { rows } = await db.query<Row>({
    name: 'sandbox-bank-due',
    text: `select ${columns} from sandbox_bank_transfers where next_event_at <= $1 order by next_event_at limit $2`,
    values: [input.now, input.limit],
  });
  return read(rows);
}

export async function storeEventsSent(
  db: Db,
  input: {
    readonly id: string;
    readonly eventsSent: number;
    readonly nextEventAt: Date | undefined;
  },
): Promise<void> {
  await db.query({
    name: 'sandbox-bank-sent',
    text: `update sandbox_bank_transfers set events_sent = $2, next_event_at = $3 where id = $1 and events_sent <= $2`,
    values: [input.id, input.eventsSent, input.nextEventAt ?? null],
  });
}

/** Taken transfers of a rail in the order in which they were taken. */
export async function listTaken(
  db: Db,
  input: {
    readonly rail: PayoutRail;
    readonly from: Date;
    readonly until: Date;
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<SandboxTransfer[]> {
  const { rows } = await db.query<Row>({
    name: 'sandbox-bank-list',
    text: `select ${columns} from sandbox_bank_transfers
           where rail = $1 and taken_at >= $2 and taken_at < $3
             and ($4::text is null or (taken_at, id) > (select taken_at, id from sandbox_bank_transfers where id = $4))
           order by taken_at, id limit $5`,
    values: [input.rail, input.from, input.until, input.after ?? null, input.limit],
  });
  return read(rows);
}
