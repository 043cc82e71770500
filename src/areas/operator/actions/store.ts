import type { JsonObject } from '../../../lib/json/json.ts';
import type { Db, Tx } from '../../../store/types.ts';

/**
 * Something that an operator asks for. What it says counts for nothing before the signature was
 * looked at.
 */
export interface AskedAction {
  readonly id: string;
  readonly kind: 'action' | 'enrolment';
  readonly operatorId: string;
  /** The exact text whose hash was signed. */
  readonly signed: string;
  readonly proof: JsonObject;
  readonly createdAt: Date;
}

export interface ActionOutcome {
  readonly status: 'asked' | 'waiting' | 'done' | 'refused';
  readonly operatorId: string;
  readonly result?: JsonObject;
}

/** @returns false when there is one of this id already */
export async function insertAction(db: Db, action: AskedAction): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `insert into operator_actions (id, kind, operator_id, signed, proof, created_at) values ($1, $2, $3, $4, $5, $6)
      on conflict (id) do nothing`,
    values: [
      action.id,
      action.kind,
      action.operatorId,
      action.signed,
      JSON.stringify(action.proof),
      action.createdAt,
    ],
  });
  return rowCount === 1;
}

/** Those that wait, the oldest first. */
export async function selectAsked(db: Db, limit: number): Promise<AskedAction[]> {
  const { rows } = await db.query<AskedAction>({
    name: 'operator-actions-asked',
    text: `select id, kind, operator_id as "operatorId", signed, proof, created_at as "createdAt" from operator_actions
      where status = 'asked' order by created_at, id limit $1`,
    values: [limit],
  });
  return rows;
}

export async function selectOutcome(
  db: Db,
  id: string,
  kind: AskedAction['kind'],
): Promise<ActionOutcome | undefined> {
  const { rows } = await db.query<{
    status: ActionOutcome['status'];
    operator_id: string;
    result: JsonObject | null;
  }>({
    text: 'select status, operator_id, result from operator_actions where id = $1 and kind = $2',
    values: [id, kind],
  });
  const [row] = rows;
  return (
    row && {
      status: row.status,
      operatorId: row.operator_id,
      ...(row.result !== null && { result: row.result }),
    }
  );
}

/** How many of an operator wait. */
export async function countAsked(db: Db, operatorId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    text: `select count(*)::int as count from operator_actions where status = 'asked' and operator_id = $1`,
    values: [operatorId],
  });
  return rows[0]!.count;
}

/** Ends one that waits. @returns false when it has ended already */
export async function settleAction(
  tx: Tx,
  input: {
    readonly id: string;
    /** How it stood before: asked for, or waiting for a second person. */
    readonly from?: 'asked' | 'waiting';
    readonly status: 'done' | 'refused';
    readonly result?: JsonObject | undefined;
    readonly at: Date;
    /** It names a person: what was signed is not kept. */
    readonly isForgotten?: boolean | undefined;
  },
): Promise<boolean> {
  const { id, status, result, at, from = 'asked', isForgotten = false } = input;
  const { rowCount } = await tx.query({
    text: `update operator_actions set status = $2, result = $3, done_at = $4,
        signed = case when $6 then '{}' else signed end, proof = case when $6 then '{}' else proof end
      where id = $1 and status = $5`,
    values: [
      id,
      status,
      result === undefined ? null : JSON.stringify(result),
      at,
      from,
      isForgotten,
    ],
  });
  return rowCount === 1;
}

/** Has one that was asked for wait for a second person. @returns false when it has ended already */
export async function suspendAction(
  tx: Tx,
  input: { readonly id: string; readonly result: JsonObject },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `update operator_actions set status = 'waiting', result = $2 where id = $1 and status = 'asked'`,
    values: [input.id, JSON.stringify(input.result)],
  });
  return rowCount === 1;
}

const askedColumns = `id, kind, operator_id as "operatorId", signed, proof, created_at as "createdAt"`;

export async function selectAction(
  db: Db,
  id: string,
): Promise<(AskedAction & { readonly status: string }) | undefined> {
  const { rows } = await db.query<AskedAction & { readonly status: string }>({
    text: `select ${askedColumns}, status from operator_actions where id = $1 and kind = 'action'`,
    values: [id],
  });
  return rows[0];
}

/** Those of a project that wait for a second person, the oldest first, behind a place. */
export async function selectWaiting(
  db: Db,
  input: {
    readonly projectId: string;
    readonly since: Date;
    readonly after?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<AskedAction[]> {
  const { projectId, since, after, limit } = input;
  const { rows } = await db.query<AskedAction>({
    text: `select ${askedColumns} from operator_actions where status = 'waiting' and created_at > $2 and signed::jsonb->>'projectId' = $1
        and ($3::timestamptz is null or (created_at, id) > ($3, $4::uuid))
      order by created_at, id limit $5`,
    values: [projectId, since, after?.at ?? null, after?.id ?? null, limit],
  });
  return rows;
}

/** Says what became of one that is done. */
export async function saveResult(db: Db, id: string, result: JsonObject): Promise<void> {
  await db.query({
    text: 'update operator_actions set result = $2 where id = $1',
    values: [id, JSON.stringify(result)],
  });
}
