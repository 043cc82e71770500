import type {
  ChainType,
  SignatureType,
  SubmittedApproval,
  WalletType,
} from '../../chains/family.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { rowMacsOf, type SealedRow, type SealedTable } from '../../store/row-mac.ts';
import { fieldsOf, type RowOf, readRow, valueListsOf } from '../../store/rows.ts';
import type { Db } from '../../store/types.ts';
import type { Approvals } from '../approvals/index.ts';
import type { SignatureStatus } from './machine.ts';

/** Of the operations that signature requests send: they register signers. */
export const signatureSubject = 'signer-signature';

export interface SignatureRecord {
  readonly id: string;
  readonly projectId: string;
  readonly walletId: string;
  readonly chainType: ChainType;
  readonly walletType: WalletType;
  readonly chain: string;
  readonly type: SignatureType;
  readonly status: SignatureStatus;
  /**
   * True: the approvals send an operation to the chain (a signer's registration), and it ends with
   * that operation.
   */
  readonly isOperation: boolean;
  readonly params: JsonObject;
  /** Opaque value of the family: a signature request or an operation. */
  readonly signable: JsonObject;
  readonly approvals: Approvals;
  /** Approvals that the service gave itself; answers do not show them. */
  readonly given: readonly SubmittedApproval[];
  /** Of an operation there before it has succeeded: shown with `success` only. */
  readonly outputSignature?: string;
  readonly error?: SignatureError;
  readonly createdAt: Date;
  readonly completedAt?: Date;
  readonly validUntil: Date;
  /** When the worker assembles it, unless that has happened. */
  readonly assembleAt?: Date;
}

export interface SignatureError {
  readonly reason: string;
  readonly message: string;
  readonly [field: string]: JsonObject[string];
}

type SignatureRow = RowOf<SignatureRecord> & { readonly mac: string | null };

const newColumns =
  'id, project_id, wallet_id, chain_type, wallet_type, chain, type, status, is_operation, params, signable, approvals, given, output_signature, error, created_at, completed_at, valid_until, assemble_at';
const columns = `${newColumns}, mac`;

/**
 * What approvals are asked for, of whom, and what they are shown: sealed for as long as that is
 * open.
 */
function sealedSignature(record: SignatureRecord): SealedRow {
  const fields = fieldsOf(
    record,
    'projectId, walletId, chainType, walletType, chain, type, isOperation, params, signable, approvals, given, validUntil',
  );
  return { table: 'signatures', id: record.id, fields };
}

function isOpen({ status }: Pick<SignatureRecord, 'status'>): boolean {
  return status === 'awaiting-approval';
}

export const sealedSignatures: SealedTable = {
  table: 'signatures',
  columns,
  where: "status = 'awaiting-approval'",
  toSealed: (row: SignatureRow) => sealedSignature(recordOf(row)),
};

/** @throws internal-error when it awaits approvals and the row was changed behind the service */
function toRecord(db: Db, row: SignatureRow): SignatureRecord {
  const record = recordOf(row);
  if (isOpen(record)) rowMacsOf(db).check(sealedSignature(record), row.mac);
  return record;
}

const recordOf = (row: SignatureRow) => readRow<SignatureRecord>(row);

export async function insertSignatures(db: Db, items: readonly SignatureRecord[]): Promise<void> {
  await db.query({
    name: 'signatures-insert',
    text: `insert into signatures (${columns})
      select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[], $10::jsonb[], $11::jsonb[], $12::jsonb[], $13::jsonb[], $14::text[], $15::jsonb[], $16::timestamptz[], $17::timestamptz[], $18::timestamptz[], $19::timestamptz[], $20::text[])`,
    values: [
      ...valueListsOf(items, newColumns),
      items.map((item) => (isOpen(item) ? rowMacsOf(db).seal(sealedSignature(item)) : null)),
    ],
  });
}

export async function selectSignature(
  db: Db,
  key: { walletId: string; id: string },
): Promise<SignatureRecord | undefined> {
  const { rows } = await db.query<SignatureRow>({
    name: 'signatures-by-id',
    text: `select ${columns} from signatures where id = $1 and wallet_id = $2`,
    values: [key.id, key.walletId],
  });
  return rows[0] && toRecord(db, rows[0]);
}

/** By id, within one wallet; unknown ids are left out. */
export async function selectSignaturesById(
  db: Db,
  key: { walletId: string; ids: readonly string[] },
): Promise<SignatureRecord[]> {
  const { rows } = await db.query<SignatureRow>({
    name: 'signatures-by-ids',
    text: `select ${columns} from signatures where id = any($1::uuid[]) and wallet_id = $2`,
    values: [key.ids, key.walletId],
  });
  return rows.map((row) => toRecord(db, row));
}

/** Locks the row until the database transaction ends. */
export async function lockSignature(
  db: Db,
  key: { walletId: string; id: string },
): Promise<SignatureRecord | undefined> {
  const { rows } = await db.query<SignatureRow>({
    name: 'signatures-lock',
    text: `select ${columns} from signatures where id = $1 and wallet_id = $2 for update`,
    values: [key.id, key.walletId],
  });
  return rows[0] && toRecord(db, rows[0]);
}

export async function selectSignatures(
  db: Db,
  filter: { walletId: string; limit: number; offset: number },
): Promise<SignatureRecord[]> {
  const { rows } = await db.query<SignatureRow>({
    name: 'signatures-list',
    text: `select ${columns} from signatures where wallet_id = $1 order by created_at desc, id desc limit $2 offset $3`,
    values: [filter.walletId, filter.limit, filter.offset],
  });
  return rows.map((row) => toRecord(db, row));
}

/** Those of a wallet that ask somebody to sign this message now: the newest, 100 at most. */
export async function selectSignaturesAsking(
  db: Db,
  filter: { walletId: string; message: string; now: Date },
): Promise<SignatureRecord[]> {
  const { rows } = await db.query<SignatureRow>({
    name: 'signatures-asking',
    text: `select ${columns} from signatures
      where wallet_id = $1 and status = 'awaiting-approval' and valid_until > $3
        and jsonb_path_exists(approvals, '$.pending.**.message ? (@ == $message)', jsonb_build_object('message', $2::text))
      order by created_at desc limit 100`,
    values: [filter.walletId, filter.message, filter.now],
  });
  return rows.map((row) => toRecord(db, row));
}

/** Stores the approvals of a locked request and where they lead. */
export async function updateApprovals(
  db: Db,
  from: SignatureStatus,
  to: SignatureRecord,
): Promise<void> {
  const { rowCount } = await db.query({
    name: 'signatures-approve',
    text: 'update signatures set status = $3, approvals = $4, output_signature = $5, assemble_at = $6, mac = $7 where id = $1 and status = $2',
    values: [
      to.id,
      from,
      to.status,
      JSON.stringify(to.approvals),
      to.outputSignature ?? null,
      to.assembleAt ?? null,
      isOpen(to) ? rowMacsOf(db).seal(sealedSignature(to)) : null,
    ],
  });
  if (rowCount !== 1) throw new Error(`signature ${to.id} left "${from}" while it was locked`);
}
