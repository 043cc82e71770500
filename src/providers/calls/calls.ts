import type { Ctx } from '../../context.ts';
import { putBackCallCounts, takeCallCounts } from '../../lib/net/call-counts.ts';
import type { Db } from '../../store/types.ts';

const bucketMs = 600_000;
const hourMs = 3_600_000;
const keptMs = 48 * hourMs;
/** As many as one process tells apart, for some that were renamed or replaced within two days. */
const listedMax = 200;
/** Stored at once; what one process counts by name. */
const storedMax = 200;

/**
 * Stores what this process has counted since the last time; what cannot be stored now is kept for
 * the next.
 * @returns how many providers were called
 */
export async function storeCallCounts(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<number> {
  // In one order in every process: no two wait for each other.
  const counts = takeCallCounts()
    .toSorted((a, b) => (a.provider < b.provider ? -1 : 1))
    .slice(0, storedMax);
  if (counts.length === 0) return 0;
  const now = ctx.clock.now().getTime();
  try {
    await ctx.store.query({
      text: `insert into provider_calls (bucket_at, provider, calls, failures)
        select $1, * from unnest($2::text[], $3::bigint[], $4::bigint[])
        on conflict (bucket_at, provider) do update
          set calls = provider_calls.calls + excluded.calls, failures = provider_calls.failures + excluded.failures`,
      values: [
        new Date(now - (now % bucketMs)),
        counts.map(({ provider }) => provider),
        counts.map(({ calls }) => calls),
        counts.map(({ failures }) => failures),
      ],
    });
  } catch (error) {
    putBackCallCounts(counts);
    throw error;
  }
  return counts.length;
}

/** Forgets counts of more than two days ago. */
export async function pruneCallCounts(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<number> {
  const { rowCount } = await ctx.store.query({
    text: 'delete from provider_calls where bucket_at < $1',
    values: [new Date(ctx.clock.now().getTime() - keptMs)],
  });
  return rowCount ?? 0;
}

/** How calls to one company or node went. */
export interface ProviderCalls {
  readonly provider: string;
  readonly hour: { readonly calls: number; readonly failures: number };
  readonly twoDays: { readonly calls: number; readonly failures: number };
  /** Start of the last ten minutes in which one failed. */
  readonly lastFailureAt?: Date;
}

/** Those that were called within two days, the one with most failures in the last hour first. */
export async function listProviderCalls(db: Db, now: Date): Promise<readonly ProviderCalls[]> {
  const { rows } = await db.query<{
    provider: string;
    hour_calls: string;
    hour_failures: string;
    calls: string;
    failures: string;
    last_failure_at: Date | null;
  }>({
    text: `select provider,
        coalesce(sum(calls) filter (where bucket_at > $2), 0) as hour_calls,
        coalesce(sum(failures) filter (where bucket_at > $2), 0) as hour_failures,
        sum(calls) as calls, sum(failures) as failures,
        max(bucket_at) filter (where failures > 0) as last_failure_at
      from provider_calls where bucket_at >= $1
      group by provider order by hour_failures desc, failures desc, provider limit ${listedMax}`,
    values: [new Date(now.getTime() - keptMs), new Date(now.getTime() - hourMs)],
  });
  return rows.map((row) => ({
    provider: row.provider,
    hour: { calls: Number(row.hour_calls), failures: Number(row.hour_failures) },
    twoDays: { calls: Number(row.calls), failures: Number(row.failures) },
    ...(row.last_failure_at && { lastFailureAt: row.last_failure_at }),
  }));
}
