import { createHash, randomBytes } from 'node:crypto';
import type { Ctx } from '../../../context.ts';
import { rowMacsOf, type SealedRow, type SealedTable, sealAgain } from '../../../store/row-mac.ts';
import { fieldsOf } from '../../../store/rows.ts';
import type { Db, Tx } from '../../../store/types.ts';
import { type Operator, selectOperator } from './store.ts';

type SessionCtx = Pick<Ctx, 'store' | 'clock' | 'ids'>;

export interface Session {
  readonly id: string;
  readonly operator: Operator;
  readonly expiresAt: Date;
}

interface Row {
  id: string;
  operator_id: string;
  token_hash: Buffer;
  challenge: string;
  created_at: Date;
  expires_at: Date;
  seen_at: Date;
  ended_at: Date | null;
  mac: string | null;
}

const columns =
  'id, operator_id, token_hash, challenge, created_at, expires_at, seen_at, ended_at, mac';
/** A working day at most, and half an hour without a sign of life. */
export const sessionMs = 8 * 3_600_000;
const idleMs = 30 * 60_000;
/** How exact that is. */
const seenEveryMs = 60_000;
const keptMs = 30 * 24 * 3_600_000;

function sealedSession(row: Row): SealedRow {
  const fields = fieldsOf(row, 'operator_id, token_hash, challenge, created_at, expires_at');
  // Absent while it is open: so it was before its end was sealed too.
  const ended_at = row.ended_at ?? undefined;
  return { table: 'operator_sessions', id: row.id, fields: { ...fields, ended_at } };
}

export const sealedSessions: SealedTable = {
  table: 'operator_sessions',
  columns,
  toSealed: sealedSession,
};

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/**
 * Begins a session. The token is always a new one: none that somebody brings along becomes his.
 * @returns undefined when the challenge has made one already
 */
export async function beginSession(
  ctx: SessionCtx,
  { operator, challenge }: { readonly operator: Operator; readonly challenge: string },
): Promise<{ readonly token: string; readonly expiresAt: Date } | undefined> {
  const token = randomBytes(32).toString('base64url');
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + sessionMs);
  const row = {
    id: ctx.ids.uuid(),
    operator_id: operator.id,
    token_hash: hashOf(token),
    challenge,
    created_at: now,
    expires_at: expiresAt,
    seen_at: now,
    ended_at: null,
    mac: null,
  };
  const { rowCount } = await ctx.store.query({
    text: `insert into operator_sessions (${columns}) values ($1, $2, $3, $4, $5, $6, $7, null, $8) on conflict (challenge) do nothing`,
    values: [
      row.id,
      operator.id,
      row.token_hash,
      challenge,
      now,
      expiresAt,
      now,
      rowMacsOf(ctx.store).seal(sealedSession(row)),
    ],
  });
  return rowCount === 1 ? { token, expiresAt } : undefined;
}

/**
 * The session of a token, and who it is; undefined when there is none any more.
 * @throws internal-error when a row was changed
 */
export async function findSession(ctx: SessionCtx, token: string): Promise<Session | undefined> {
  const { rows } = await ctx.store.query<Row>({
    text: `select ${columns} from operator_sessions where token_hash = $1`,
    values: [hashOf(token)],
  });
  const [row] = rows;
  const now = ctx.clock.now();
  if (
    !row ||
    row.ended_at !== null ||
    row.expires_at <= now ||
    now.getTime() - row.seen_at.getTime() > idleMs
  )
    return undefined;
  rowMacsOf(ctx.store).check(sealedSession(row), row.mac);
  const operator = await selectOperator(ctx.store, row.operator_id);
  if (operator?.status !== 'active') return undefined;
  if (now.getTime() - row.seen_at.getTime() > seenEveryMs)
    await ctx.store.query({
      text: 'update operator_sessions set seen_at = $2 where id = $1',
      values: [row.id, now],
    });
  return { id: row.id, operator, expiresAt: row.expires_at };
}

export async function endSession(ctx: SessionCtx, id: string): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    const { rows } = await tx.query<Row>({
      text: `select ${columns} from operator_sessions where id = $1 and ended_at is null for update`,
      values: [id],
    });
    if (rows[0]) await saveEnd(tx, rows[0], ctx.clock.now());
  });
}

/** Ends every session of an operator. @returns how many there were */
export async function endSessionsOf(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  operatorId: string,
): Promise<number> {
  const now = ctx.clock.now();
  const { rows } = await tx.query<Row>({
    text: `select ${columns} from operator_sessions where operator_id = $1 and ended_at is null and expires_at > $2 order by id limit 1000 for update`,
    values: [operatorId, now],
  });
  for (const row of rows) await saveEnd(tx, row, now);
  return rows.length;
}

async function saveEnd(tx: Tx, row: Row, now: Date): Promise<void> {
  const ended = { ...row, ended_at: now };
  const mac = sealAgain(
    rowMacsOf(tx),
    { row: sealedSession(row), mac: row.mac },
    sealedSession(ended),
  );
  await tx.query({
    text: 'update operator_sessions set ended_at = $2, mac = $3 where id = $1',
    values: [row.id, now, mac],
  });
}

/** How many sessions are open, by operator. */
export async function countSessions(db: Db, now: Date): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ operator_id: string; count: number }>({
    text: `select operator_id, count(*)::int as count from operator_sessions where ended_at is null and expires_at > $1 and seen_at > $2
      group by operator_id limit 1000`,
    values: [now, new Date(now.getTime() - idleMs)],
  });
  return new Map(rows.map(({ operator_id, count }) => [operator_id, count]));
}

/** Sessions that ended a month ago. They are kept that long so that no sign-in counts twice. */
export async function pruneSessions(ctx: SessionCtx): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - keptMs);
  await ctx.store.query({
    text: 'delete from operator_sessions where expires_at < $1',
    values: [before],
  });
}
