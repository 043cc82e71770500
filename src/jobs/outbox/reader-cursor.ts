import type { Tx } from '../../store/types.ts';
import { type JobsCtx, type RetryRule, retryDelayMs } from '../flows/flow.ts';
import { count } from '../metrics.ts';
import type { StoredEvent } from './outbox.ts';

/** Up to where a reader has handled the outbox, and how often it has tried what comes next. */

export interface Cursor {
  readonly position: bigint;
  /** Failed tries of the next event. */
  readonly attempts: number;
  readonly retryAt: Date | null;
}

/** Where a new reader begins: with the oldest event there is, or with what comes next. */
export type StartAt = 'oldest' | 'next';

export async function addReader(
  ctx: Pick<JobsCtx, 'store' | 'clock'>,
  { name, startAt }: { readonly name: string; readonly startAt: StartAt },
): Promise<void> {
  const start =
    startAt === 'next' ? 'select position from outbox_sequence where id = 1' : 'select 0';
  await ctx.store.query({
    text: `insert into outbox_readers (name, position, updated_at) values ($1, (${start}), $2) on conflict do nothing`,
    values: [name, ctx.clock.now()],
  });
}

/** Undefined while another process has its turn. */
export async function claimCursor(tx: Tx, name: string): Promise<Cursor | undefined> {
  const { rows } = await tx.query<{ position: string; attempts: number; retryAt: Date | null }>({
    name: 'outbox-cursor',
    text: 'select position, attempts, retry_at as "retryAt" from outbox_readers where name = $1 for update skip locked',
    values: [name],
  });
  return rows[0] && { ...rows[0], position: BigInt(rows[0].position) };
}

export async function moveCursor(
  tx: Tx,
  name: string,
  { position, now }: { readonly position: bigint; readonly now: Date },
): Promise<void> {
  await tx.query({
    name: 'outbox-move',
    text: 'update outbox_readers set position = $2, attempts = 0, retry_at = null, last_error = null, updated_at = $3 where name = $1',
    values: [name, position.toString(), now],
  });
}

/**
 * Notes that the next event could not be handled: it is tried again after a pause, and parked after
 * its last try.
 * @returns true when it was parked
 */
export async function recordFailure(
  ctx: Pick<JobsCtx, 'store' | 'clock'>,
  reader: { readonly name: string; readonly retry: RetryRule; readonly random: () => number },
  { event, text }: { readonly event: StoredEvent; readonly text: string },
): Promise<boolean> {
  const { name, retry } = reader;
  return ctx.store.transaction(async (tx) => {
    const { rows } = await tx.query<{ position: string; attempts: number }>({
      text: 'select position, attempts from outbox_readers where name = $1 for update',
      values: [name],
    });
    const row = rows[0];
    // Somebody else has moved on meanwhile.
    if (row === undefined || BigInt(row.position) >= event.position) return false;
    const now = ctx.clock.now();
    const attempts = row.attempts + 1;
    if (attempts >= retry.attemptsMax) {
      await park(tx, name, { event, text, now });
      return true;
    }
    const retryAt = new Date(now.getTime() + retryDelayMs(retry, attempts, reader.random));
    await tx.query({
      text: 'update outbox_readers set attempts = $2, retry_at = $3, last_error = $4, updated_at = $5 where name = $1',
      values: [name, attempts, retryAt, text, now],
    });
    return false;
  });
}

async function park(
  tx: Tx,
  name: string,
  { event, text, now }: { readonly event: StoredEvent; readonly text: string; readonly now: Date },
): Promise<void> {
  const { mac, ...written } = event;
  const stored = JSON.stringify({ ...written, position: event.position.toString() });
  await tx.query({
    text: `insert into outbox_parked (reader, event_id, event, last_error, parked_at, mac) values ($1, $2, $3, $4, $5, $6)
           on conflict (reader, event_id) do update set last_error = excluded.last_error, parked_at = excluded.parked_at`,
    values: [name, event.id, stored, text, now, mac],
  });
  await moveCursor(tx, name, { position: event.position, now });
  tx.afterCommit(() => count('eventsParked'));
}
