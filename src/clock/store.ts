import { sqlStateOf } from '../store/pg-errors.ts';
import type { Db, Store, Tx } from '../store/types.ts';

/** Channel of NOTIFY: the clock was moved. */
export const clockChannel = 'purser_clock';
/**
 * A part that was not seen for this long is gone, and nobody waits for it. By the database's clock.
 */
const goneAfterMs = 5_000;
const undefinedTable = '42P01';

/**
 * How far the service's time is ahead; 0 in a database without the table, which is older than this.
 */
export async function readAheadMs(db: Db): Promise<number> {
  try {
    const { rows } = await db.query<{ ahead: string }>({
      name: 'clock-ahead',
      text: 'select ahead_ms as ahead from service_clock where id = 1',
    });
    return Number(rows[0]?.ahead ?? 0);
  } catch (error) {
    if (sqlStateOf(error) === undefinedTable) return 0;
    throw error;
  }
}

/**
 * Moves the time on by `byMs`, tells every part, and answers how far it is ahead then. Two who do
 * so at once both count.
 */
export async function advanceClock(
  store: Store,
  byMs: number,
  /** What is written down with it, last in the same transaction. */
  afterwards: (tx: Tx, aheadMs: number) => Promise<void> = async () => undefined,
): Promise<number> {
  return store.transaction(async (tx) => {
    const aheadMs = await addAheadMs(tx, byMs);
    await announceClock(tx);
    await afterwards(tx, aheadMs);
    return aheadMs;
  });
}

export async function addAheadMs(db: Db, byMs: number): Promise<number> {
  const { rows } = await db.query<{ ahead: string }>({
    text: 'update service_clock set ahead_ms = ahead_ms + $1 where id = 1 returning ahead_ms as ahead',
    values: [byMs],
  });
  return Number(rows[0]!.ahead);
}

/** Moves the time on to `aheadMs`; a database that is there already stays. */
export async function raiseAheadMs(db: Db, aheadMs: number): Promise<void> {
  await db.query({
    text: 'update service_clock set ahead_ms = greatest(ahead_ms, $1) where id = 1',
    values: [aheadMs],
  });
}

/** Tells everybody to look. What is lost here, their poll finds. */
export async function announceClock(db: Db): Promise<void> {
  await db.query({ text: 'select pg_notify($1, $2)', values: [clockChannel, ''] });
}

/** Says that a part runs and which time it keeps. */
export async function savePart(
  db: Db,
  part: { readonly name: string; readonly aheadMs: number },
): Promise<void> {
  await db.query({
    name: 'clock-part',
    text: `insert into service_clock_parts (name, ahead_ms, seen_at) values ($1, $2, now())
           on conflict (name) do update set ahead_ms = excluded.ahead_ms, seen_at = excluded.seen_at`,
    values: [part.name, part.aheadMs],
  });
}

/** Takes a part that ends off the list, with those that ended without a word. */
export async function removePart(db: Db, name: string): Promise<void> {
  await db.query({
    text: `delete from service_clock_parts where name = $1 or seen_at < now() - interval '1 day'`,
    values: [name],
  });
}

/** The parts that run. */
export async function selectParts(
  db: Db,
): Promise<{ readonly name: string; readonly aheadMs: number }[]> {
  const { rows } = await db.query<{ name: string; ahead: string }>({
    text: `select name, ahead_ms as ahead from service_clock_parts where seen_at > now() - $1 * interval '1 millisecond' order by name limit 1000`,
    values: [goneAfterMs],
  });
  return rows.map(({ name, ahead }) => ({ name, aheadMs: Number(ahead) }));
}

/**
 * The service's time as the database keeps it: how far it is ahead of the machine's, and which
 * running parts keep which.
 */
export async function readClock(db: Db): Promise<{
  readonly aheadMs: number;
  readonly parts: readonly { readonly name: string; readonly aheadMs: number }[];
}> {
  const [aheadMs, parts] = await Promise.all([readAheadMs(db), selectParts(db)]);
  return { aheadMs, parts };
}
