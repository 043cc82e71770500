import { canonical, rowMacsOf, type SealedRow, type SealedTable } from '../../../store/row-mac.ts';
import type { Db, Tx } from '../../../store/types.ts';
import { type OperatorRole, readAuditTrail } from '../../operations/index.ts';

/** A passkey of an operator; bytes are base64url, as browsers say them. */
export interface Passkey {
  readonly id: string;
  /** COSE. */
  readonly publicKey: string;
  readonly transports: readonly string[];
  readonly addedAt: string;
}

/** Somebody who may look at and decide what waits. */
export interface Operator {
  readonly id: string;
  /** As the audit log says it; unique. */
  readonly name: string;
  /** Role by id of a project; `*` is every project that has no own one. */
  readonly roles: Readonly<Record<string, OperatorRole>>;
  readonly status: 'invited' | 'active' | 'revoked';
  /** The link that is open: what makes it this one, and until when it can be used. */
  readonly invitation?: { readonly nonce: string; readonly expiresAt: Date } | undefined;
  readonly passkeys: readonly Passkey[];
  readonly createdAt: Date;
  readonly revokedAt?: Date | undefined;
}

interface Row {
  id: string;
  name: string;
  roles: Record<string, OperatorRole>;
  status: Operator['status'];
  invite_nonce: string | null;
  invite_expires_at: Date | null;
  passkeys: Passkey[];
  created_at: Date;
  revoked_at: Date | null;
  mac: string | null;
}

const columns =
  'id, name, roles, status, invite_nonce, invite_expires_at, passkeys, created_at, revoked_at, mac';

/** Everything of it decides something. */
function sealedOperator({ id, created_at: _, ...row }: Omit<Row, 'mac'>): SealedRow {
  const { name, roles, status, invite_nonce, invite_expires_at, passkeys, revoked_at } = row;
  return {
    table: 'operators',
    id,
    fields: { name, roles, status, invite_nonce, invite_expires_at, passkeys, revoked_at },
  };
}

export const sealedOperators: SealedTable = {
  table: 'operators',
  columns,
  toSealed: sealedOperator,
};

const toRow = (one: Operator): Omit<Row, 'mac'> => ({
  id: one.id,
  name: one.name,
  roles: { ...one.roles },
  status: one.status,
  invite_nonce: one.invitation?.nonce ?? null,
  invite_expires_at: one.invitation?.expiresAt ?? null,
  passkeys: one.passkeys.map((passkey) => ({ ...passkey })),
  created_at: one.createdAt,
  revoked_at: one.revokedAt ?? null,
});

/**
 * @throws internal-error when the row was changed behind the service, or put back as it once was
 */
async function readSealed(db: Db, row: Row): Promise<Operator> {
  rowMacsOf(db).check(sealedOperator(row), row.mac);
  const operator = toOperator(row);
  const why = contradiction((await readAuditTrail(db)).lastOf(`operator:${row.id}`), operator);
  if (why !== undefined) throw rowMacsOf(db).refuse({ table: 'operators', id: row.id }, why);
  return operator;
}

/**
 * Each change of an operator is an entry of the audit log, and what it said last holds, whatever
 * earlier row comes with its seal.
 */
function contradiction(
  logged: Readonly<Record<string, unknown>> | undefined,
  { status, roles, passkeys }: Operator,
): string | undefined {
  if (!logged) return 'the audit log knows no such operator: he was added, or the log was emptied';
  if (status !== logged.status)
    return `the audit log says last that the operator is ${String(logged.status)}, and the row ${status}`;
  if (canonical(roles) !== canonical(logged.roles))
    return 'the audit log says last that the operator has other roles';
  // Revocations were once written down without what became of the passkeys.
  if (status === 'active' && passkeys.length !== logged.passkeys)
    return 'the audit log says last that the operator has more or fewer passkeys';
  return undefined;
}

function toOperator(row: Row): Operator {
  return {
    id: row.id,
    name: row.name,
    roles: row.roles,
    status: row.status,
    ...(row.invite_nonce !== null &&
      row.invite_expires_at !== null && {
        invitation: { nonce: row.invite_nonce, expiresAt: row.invite_expires_at },
      }),
    passkeys: row.passkeys,
    createdAt: row.created_at,
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
  };
}

/** Stores an operator as he is now, whether he was there or not. */
export async function saveOperator(tx: Tx, operator: Operator): Promise<Operator> {
  const row = toRow(operator);
  await tx.query({
    text: `insert into operators (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (id) do update set roles = excluded.roles, status = excluded.status, invite_nonce = excluded.invite_nonce,
        invite_expires_at = excluded.invite_expires_at, passkeys = excluded.passkeys, revoked_at = excluded.revoked_at, mac = excluded.mac`,
    values: [
      row.id,
      row.name,
      JSON.stringify(row.roles),
      row.status,
      row.invite_nonce,
      row.invite_expires_at,
      JSON.stringify(row.passkeys),
      row.created_at,
      row.revoked_at,
      rowMacsOf(tx).seal(sealedOperator(row)),
    ],
  });
  return operator;
}

export async function selectOperator(db: Db, id: string): Promise<Operator | undefined> {
  const { rows } = await db.query<Row>({
    text: `select ${columns} from operators where id = $1`,
    values: [id],
  });
  return rows[0] && readSealed(db, rows[0]);
}

export async function lockOperator(tx: Tx, id: string): Promise<Operator | undefined> {
  const { rows } = await tx.query<Row>({
    text: `select ${columns} from operators where id = $1 for update`,
    values: [id],
  });
  return rows[0] && readSealed(tx, rows[0]);
}

export async function lockOperatorNamed(tx: Tx, name: string): Promise<Operator | undefined> {
  const { rows } = await tx.query<Row>({
    text: `select ${columns} from operators where name = $1 for update`,
    values: [name],
  });
  return rows[0] && readSealed(tx, rows[0]);
}

export async function selectOperatorOfPasskey(
  db: Db,
  credentialId: string,
): Promise<Operator | undefined> {
  const { rows } = await db.query<Row>({
    text: `select ${columns} from operators where status = 'active' and passkeys @> $1::jsonb limit 1`,
    values: [JSON.stringify([{ id: credentialId }])],
  });
  return rows[0] && readSealed(db, rows[0]);
}

const shownMax = 500;

/** By name; at most 500. */
export async function selectOperators(db: Db): Promise<Operator[]> {
  const { rows } = await db.query<Row>({
    text: `select ${columns} from operators order by name limit ${shownMax}`,
  });
  const operators: Operator[] = [];
  for (const row of rows) operators.push(await readSealed(db, row));
  return operators;
}

export async function hasOperators(db: Db): Promise<boolean> {
  const { rows } = await db.query({ text: 'select 1 from operators limit 1' });
  return rows.length > 0;
}

/** Makes a passkey somebody's. @returns false when it is somebody's already */
export async function claimPasskey(
  tx: Tx,
  { credentialId, operatorId }: { readonly credentialId: string; readonly operatorId: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: 'insert into operator_passkeys (credential_id, operator_id) values ($1, $2) on conflict do nothing',
    values: [credentialId, operatorId],
  });
  return rowCount === 1;
}
