import type { JsonObject } from '../../../lib/json.ts';
import type { Db, Tx } from '../../../store/types.ts';

/** Something that an operator asks for. What it says counts for nothing before the signature was looked at. */
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
  readonly status: 'asked' | 'done' | 'refused';
  readonly operatorId: string;
  readonly result?: JsonObject;
}

/** @returns false when there is one of this id already */
export async function insertAction(db: Db, action: AskedAction): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `insert into operator_actions (id, kind, operator_id, signed, proof, created_at) values ($1, $2, $3, $4, $5, $6)
      on conflict (id) do nothing`,
    values: [action.id, action.kind, action.operatorId, action.signed, JSON.stringify(action.proof), action.createdAt],
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

export async function selectOutcome(db: Db, id: string, kind: AskedAction['kind']): Promise<ActionOutcome | undefined> {
  const { rows } = await db.query<{ status: ActionOutcome['status']; operator_id: string; result: JsonObject | null }>({
    text: 'select status, operator_id, result from operator_actions where id = $1 and kind = $2',
    values: [id, kind],
  });
  const [row] = rows;
  return row && { status: row.status, operatorId: row.operator_id, ...(row.result !== null && { result: row.result }) };
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
  input: { readonly id: string; readonly status: 'done' | 'refused'; readonly result?: JsonObject | undefined; readonly at: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `update operator_actions set status = $2, result = $3, done_at = $4 where id = $1 and status = 'asked'`,
    values: [input.id, input.status, input.result === undefined ? null : JSON.stringify(input.result), input.at],
  });
  return rowCount === 1;
}

/** Says what became of one that is done. */
export async function saveResult(db: Db, id: string, result: JsonObject): Promise<void> {
  await db.query({ text: 'update operator_actions set result = $2 where id = $1', values: [id, JSON.stringify(result)] });
}
