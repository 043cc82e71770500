import { rowMacsOf, type SealedRow, type SealedTable, sealAgain } from '../../../store/row-mac.ts';
import { fieldsOf, type RowOf, readRow } from '../../../store/rows.ts';
import type { Db, Tx } from '../../../store/types.ts';
import type { ActionRecord } from '../types.ts';

type ActionRow = RowOf<ActionRecord> & { readonly mac: string | null };

const columns =
  'id, checkout_id, request, message, response_schema, status, answer_hash, sealed_answer, answered_at, taken_at, taken_by, created_at, expires_at, mac';

/** What a user is asked, and whether it was answered: that decides what a card is charged. */
function sealedAction(action: ActionRecord): SealedRow {
  const fields = fieldsOf(
    action,
    'checkoutId, message, responseSchema, createdAt, expiresAt, status, answerHash',
  );
  const request = JSON.parse(stringify(action.request)) as unknown;
  return { table: 'agent_checkout_actions', id: action.id, fields: { ...fields, request } };
}

export const sealedActions: SealedTable = {
  table: 'agent_checkout_actions',
  columns,
  toSealed: (row: ActionRow) => sealedAction(actionOf(row)),
};

/** @throws internal-error when it was changed behind the service */
function toAction(db: Db, row: ActionRow): ActionRecord {
  const action = actionOf(row);
  rowMacsOf(db).check(sealedAction(action), row.mac);
  return action;
}

const actionOf = (row: ActionRow): ActionRecord => readRow(row, { takenBy: BigInt });

/**
 * `requestKey`: the run's own name of the question, by which {@link selectActionByKey} finds it
 * again.
 */
export async function insertAction(
  tx: Tx,
  action: ActionRecord,
  requestKey?: string,
): Promise<void> {
  await tx.query({
    name: 'agent-actions-insert',
    text: `insert into agent_checkout_actions (id, checkout_id, kind, request, message, response_schema, status, created_at, expires_at, request_key, mac)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      action.id,
      action.checkoutId,
      action.request.kind,
      stringify(action.request),
      action.message,
      JSON.stringify(action.responseSchema),
      action.status,
      action.createdAt,
      action.expiresAt,
      requestKey ?? null,
      rowMacsOf(tx).seal(sealedAction(action)),
    ],
  });
}

/** Big integers of amounts become text. */
const stringify = (value: unknown) =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));

export async function selectAction(
  db: Db,
  key: { readonly checkoutId: string; readonly id: string },
): Promise<ActionRecord | undefined> {
  const { rows } = await db.query<ActionRow>({
    name: 'agent-actions-by-id',
    text: `select ${columns} from agent_checkout_actions where checkout_id = $1 and id = $2`,
    values: [key.checkoutId, key.id],
  });
  return rows[0] && toAction(db, rows[0]);
}

/** The question that a run has asked under this name already. */
export async function selectActionByKey(
  db: Db,
  key: { readonly checkoutId: string; readonly requestKey: string },
): Promise<ActionRecord | undefined> {
  const { rows } = await db.query<ActionRow>({
    name: 'agent-actions-by-key',
    text: `select ${columns} from agent_checkout_actions where checkout_id = $1 and request_key = $2`,
    values: [key.checkoutId, key.requestKey],
  });
  return rows[0] && toAction(db, rows[0]);
}

/**
 * Which of these questions a run need not wait for any longer: they are closed, or their checkout
 * is over or to be cancelled.
 */
export async function selectSettledActions(
  db: Db,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'agent-actions-settled',
    text: `select a.id from agent_checkout_actions a join agent_checkouts c on c.id = a.checkout_id
           where a.id = any($1::uuid[])
             and (a.status <> 'open' or c.ended_at is not null or (c.cancel_asked_at is not null and c.armed_at is null))`,
    values: [ids],
  });
  return rows.map(({ id }) => id);
}

/** What these checkouts wait for. */
export async function selectOpenActions(
  db: Db,
  checkoutIds: readonly string[],
): Promise<ReadonlyMap<string, ActionRecord>> {
  const { rows } = await db.query<ActionRow>({
    name: 'agent-actions-open',
    text: `select ${columns} from agent_checkout_actions where checkout_id = any($1::uuid[]) and status = 'open'`,
    values: [checkoutIds],
  });
  return new Map(rows.map((row) => [row.checkout_id, toAction(db, row)]));
}

/**
 * Ends an open action. False when it was not open any more.
 * @throws internal-error for an answer to one that was changed behind the service; it can end
 * otherwise, and is not sealed again then
 */
export async function closeAction(
  tx: Tx,
  input: {
    readonly id: string;
    readonly status: Exclude<ActionRecord['status'], 'open'>;
    readonly at: Date;
    readonly answerHash?: Buffer;
    readonly sealedAnswer?: Buffer;
  },
): Promise<boolean> {
  const { id, status, at, answerHash, sealedAnswer } = input;
  const { rows } = await tx.query<ActionRow>({
    name: 'agent-actions-lock-open',
    text: `select ${columns} from agent_checkout_actions where id = $1 and status = 'open' for update`,
    values: [id],
  });
  if (!rows[0]) return false;
  const action = actionOf(rows[0]);
  const macs = rowMacsOf(tx);
  if (status === 'submitted') macs.check(sealedAction(action), rows[0].mac);
  const closed = { ...action, status, ...(answerHash && { answerHash }) };
  const mac = sealAgain(
    macs,
    { row: sealedAction(action), mac: rows[0].mac },
    sealedAction(closed),
  );
  await tx.query({
    name: 'agent-actions-close',
    text: 'update agent_checkout_actions set status = $2, answered_at = $3, answer_hash = $4, sealed_answer = $5, mac = $6 where id = $1',
    values: [id, status, at, answerHash ?? null, sealedAnswer ?? null, mac],
  });
  return true;
}

/**
 * The purchase that the user has approved last.
 * @throws internal-error when that was changed behind the service
 */
export async function selectApproval(
  db: Db,
  checkoutId: string,
): Promise<
  { readonly amountMinor: bigint; readonly currency: string; readonly origin: string } | undefined
> {
  const { rows } = await db.query<ActionRow>({
    name: 'agent-actions-approval',
    text: `select ${columns} from agent_checkout_actions where checkout_id = $1 and kind = 'approve-purchase' and status = 'submitted'
           order by answered_at desc limit 1`,
    values: [checkoutId],
  });
  const { request } = rows[0] ? toAction(db, rows[0]) : {};
  if (request?.kind !== 'approve-purchase') return undefined;
  // Amounts of a stored request are text.
  return {
    amountMinor: BigInt(request.total.amountMinor),
    currency: request.total.currency,
    origin: request.origin,
  };
}

/** A run has the answer; the first time counts. */
export async function noteTaken(
  db: Db,
  input: { readonly id: string; readonly at: Date; readonly by: bigint },
): Promise<void> {
  await db.query({
    name: 'agent-actions-taken',
    text: 'update agent_checkout_actions set taken_at = $2, taken_by = $3 where id = $1 and taken_at is null',
    values: [input.id, input.at, input.by.toString()],
  });
}

/** The run goes on, so it has its answers: they are kept no longer. */
export async function forgetTakenAnswers(db: Db, checkoutId: string): Promise<void> {
  await db.query({
    name: 'agent-actions-forget-taken',
    text: `update agent_checkout_actions set sealed_answer = null
           where checkout_id = $1 and sealed_answer is not null and taken_at is not null`,
    values: [checkoutId],
  });
}

/**
 * Answers that a run has taken by `taken`, or that nobody has fetched since `answered`, are
 * forgotten all the same.
 * @returns how many
 */
export async function forgetOldAnswers(
  db: Db,
  before: { readonly taken: Date; readonly answered: Date },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'agent-actions-forget-old',
    text: `update agent_checkout_actions set sealed_answer = null
           where sealed_answer is not null and (taken_at < $1 or answered_at < $2)`,
    values: [before.taken, before.answered],
  });
  return rowCount;
}

/** Checkouts whose open action is past its time, oldest first. */
export async function selectExpiredActions(
  db: Db,
  input: { readonly now: Date; readonly limit: number },
): Promise<readonly { readonly checkoutId: string; readonly id: string }[]> {
  const { rows } = await db.query<{ checkoutId: string; id: string }>({
    name: 'agent-actions-expired',
    text: `select checkout_id as "checkoutId", id from agent_checkout_actions where status = 'open' and expires_at <= $1 order by expires_at limit $2`,
    values: [input.now, input.limit],
  });
  return [...rows];
}
