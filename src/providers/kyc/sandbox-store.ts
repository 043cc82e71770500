import { type RowOf, readRow } from '../../store/rows.ts';
import type { Db } from '../../store/types.ts';
import type { InquiryGap } from './kyc.ts';

export interface SandboxInquiryRow {
  readonly id: string;
  readonly outcome: string;
  readonly asks: readonly InquiryGap[];
  readonly decided?: 'passed' | 'refused';
  readonly pageHash?: Buffer;
  readonly createdAt: Date;
  readonly submittedAt?: Date;
  readonly redactedAt?: Date;
}

type RawRow = RowOf<SandboxInquiryRow>;

const columns = 'id, outcome, asks, decided, page_hash, created_at, submitted_at, redacted_at';

const toRow = (row: RawRow) => readRow<SandboxInquiryRow>(row);

/** Does nothing when there is one of that reference already. */
export async function insertSandboxInquiry(
  db: Db,
  row: {
    readonly id: string;
    readonly reference: string;
    readonly outcome: string;
    readonly asks: readonly InquiryGap[];
    readonly createdAt: Date;
  },
): Promise<void> {
  await db.query({
    text: `insert into kyc_sandbox_inquiries (id, reference, outcome, asks, created_at) values ($1, $2, $3, $4, $5)
      on conflict (reference) do nothing`,
    values: [row.id, row.reference, row.outcome, row.asks, row.createdAt],
  });
}

export async function selectSandboxInquiry(
  db: Db,
  id: string,
): Promise<SandboxInquiryRow | undefined> {
  const { rows } = await db.query<RawRow>({
    text: `select ${columns} from kyc_sandbox_inquiries where id = $1`,
    values: [id],
  });
  return rows[0] && toRow(rows[0]);
}

export async function selectSandboxInquiryByReference(
  db: Db,
  reference: string,
): Promise<SandboxInquiryRow | undefined> {
  const { rows } = await db.query<RawRow>({
    text: `select ${columns} from kyc_sandbox_inquiries where reference = $1`,
    values: [reference],
  });
  return rows[0] && toRow(rows[0]);
}

export async function updateSandboxSession(
  db: Db,
  input: { readonly id: string; readonly sessionHash: Buffer; readonly expiresAt: Date },
): Promise<void> {
  await db.query({
    text: 'update kyc_sandbox_inquiries set session_hash = $2, session_expires_at = $3 where id = $1',
    values: [input.id, input.sessionHash, input.expiresAt],
  });
}

/** Uses the session token up. False: wrong, used or expired. */
export async function redeemSandboxSession(
  db: Db,
  input: {
    readonly id: string;
    readonly sessionHash: Buffer;
    readonly pageHash: Buffer;
    readonly now: Date;
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `update kyc_sandbox_inquiries set session_hash = null, page_hash = $3
      where id = $1 and session_hash = $2 and session_expires_at > $4`,
    values: [input.id, input.sessionHash, input.pageHash, input.now],
  });
  return rowCount === 1;
}

/** False when something was entered already. */
export async function updateSandboxOutcome(
  db: Db,
  input: { readonly id: string; readonly outcome: string; readonly now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `update kyc_sandbox_inquiries set outcome = $2, submitted_at = $3 where id = $1 and submitted_at is null and redacted_at is null`,
    values: [input.id, input.outcome, input.now],
  });
  return rowCount === 1;
}

/** False when it was decided already. */
export async function updateSandboxDecision(
  db: Db,
  input: { readonly id: string; readonly decision: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    text: 'update kyc_sandbox_inquiries set decided = $2 where id = $1 and decided is null and redacted_at is null',
    values: [input.id, input.decision],
  });
  return rowCount === 1;
}

export async function redactSandboxInquiry(
  db: Db,
  input: { readonly id: string; readonly now: Date },
): Promise<void> {
  await db.query({
    text: `update kyc_sandbox_inquiries set redacted_at = $2, session_hash = null, page_hash = null where id = $1 and redacted_at is null`,
    values: [input.id, input.now],
  });
}
