import type { Db } from '../../store/types.ts';
import type { SignatureStatus } from './machine.ts';
import type { SignatureError } from './store.ts';

/** How requests end, or are tried again. */

export interface SignatureEnd {
  readonly id: string;
  readonly status: SignatureStatus;
  /** Absent: what is stored stays. */
  readonly outputSignature?: string;
  readonly error?: SignatureError;
  readonly at: Date;
}

/**
 * Ends every request that is in one of `from`; answers the ids that this call changed. The first
 * time of ending stays.
 */
export async function endSignatures(
  db: Db,
  input: { from: readonly SignatureStatus[]; isOperation?: boolean; ends: readonly SignatureEnd[] },
): Promise<string[]> {
  const { from, isOperation, ends } = input;
  const { rows } = await db.query<{ id: string }>({
    name: 'signatures-end',
    text: `update signatures g set status = e.status, output_signature = coalesce(e.output_signature, g.output_signature), error = e.error,
        completed_at = coalesce(g.completed_at, e.at), assemble_at = null
      from unnest($3::uuid[], $4::text[], $5::text[], $6::jsonb[], $7::timestamptz[]) as e (id, status, output_signature, error, at)
      where g.id = e.id and g.status = any($1::text[]) and ($2::boolean is null or g.is_operation = $2)
      returning g.id`,
    values: [
      from,
      isOperation ?? null,
      ends.map((end) => end.id),
      ends.map((end) => end.status),
      ends.map((end) => end.outputSignature ?? null),
      ends.map((end) => (end.error === undefined ? null : JSON.stringify(end.error))),
      ends.map((end) => end.at),
    ],
  });
  return rows.map((row) => row.id);
}

/** Ids of requests whose approval window has passed, oldest first; locked. */
export async function lockOverdue(db: Db, input: { now: Date; limit: number }): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'signatures-overdue',
    text: `select id from signatures where status = 'awaiting-approval' and valid_until <= $1 order by valid_until limit $2 for update skip locked`,
    values: [input.now, input.limit],
  });
  return rows.map((row) => row.id);
}

export interface UnassembledSignature {
  readonly id: string;
  readonly walletId: string;
  /** Tries, with the one that begins now. */
  readonly attempts: number;
}

/**
 * Approved requests that wait for their assembly, each taken for `leaseMs`: another worker looks at
 * it again after that.
 */
export async function claimUnassembled(
  db: Db,
  input: { now: Date; leaseMs: number; limit: number },
): Promise<UnassembledSignature[]> {
  const { rows } = await db.query<{ id: string; wallet_id: string; attempts: number }>({
    name: 'signatures-take',
    text: `update signatures set attempts = attempts + 1, assemble_at = $2
      where id in (select id from signatures where status = 'pending' and assemble_at <= $1 order by assemble_at limit $3 for update skip locked)
      returning id, wallet_id, attempts`,
    values: [input.now, new Date(input.now.getTime() + input.leaseMs), input.limit],
  });
  return rows.map((row) => ({ id: row.id, walletId: row.wallet_id, attempts: row.attempts }));
}

export async function postponeAssembly(db: Db, input: { id: string; until: Date }): Promise<void> {
  await db.query({
    name: 'signatures-postpone',
    text: `update signatures set assemble_at = $2 where id = $1 and status = 'pending'`,
    values: [input.id, input.until],
  });
}
