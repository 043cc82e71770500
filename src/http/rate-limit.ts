import { createHash } from 'node:crypto';
import type { Caller, Ctx } from '../context.ts';
import { ServiceError } from '../lib/errors.ts';

export type Bucket = 'reads' | 'writes';

export interface RateLimiter {
  /**
   * Takes one request out of the caller's bucket and gives the headers that say what is left.
   * Server keys of a project share one, each end user has one, and client keys without a user share
   * one: a client key is public, and whoever has it shall stop nobody else.
   * @throws rate-limited, provider-unavailable when nobody can say how much was taken
   */
  take(
    caller: Pick<Caller, 'projectId' | 'keyKind' | 'user'>,
    bucket: Bucket,
  ): Promise<Readonly<Record<string, string>>>;
}

/** Length of a window. Windows begin at whole minutes, the same in every process. */
export const windowMs = 60_000;
/**
 * A process takes a quarter of what is left, at least one: few statements while there is plenty,
 * and near the end of a bucket so few that next to nothing is stranded in a process that gets no
 * more requests.
 */
const leaseFraction = 4;
const bucketsHeldMax = 20_000;
const prunedMax = 50_000;

interface Held {
  windowStartMs: number;
  /** Requests this process may still let through. */
  tokens: number;
  /** Left in the database after the last lease. */
  remaining: number;
  leasing: Promise<void> | undefined;
}

/**
 * Limits over any number of processes: a bucket is one row, from which each process takes requests
 * in blocks. Never more than the limit passes in a window. Without `config.rateLimits` everything
 * passes.
 */
export function createRateLimiter(
  ctx: Pick<Ctx, 'config' | 'store' | 'clock' | 'log'>,
): RateLimiter {
  const limits = ctx.config.rateLimits;
  if (!limits) return { take: async () => ({}) };
  const limitOf = { reads: limits.readsPerMinute, writes: limits.writesPerMinute };
  const held = new Map<string, Held>();

  return {
    async take(caller, bucket) {
      const { projectId } = caller;
      const limit = limitOf[bucket];
      const row = `${bucket}${shareOf(caller)}`;
      for (;;) {
        const nowMs = ctx.clock.now().getTime();
        const entry = currentEntry(held, `${projectId}:${row}`, {
          windowStartMs: nowMs - (nowMs % windowMs),
          limit,
        });
        const headers = () =>
          describe({
            bucket,
            limit,
            remaining: entry.tokens + entry.remaining,
            resetMs: entry.windowStartMs + windowMs - nowMs,
          });
        if (entry.tokens > 0) {
          entry.tokens--;
          return headers();
        }
        if (entry.remaining <= 0 && !entry.leasing)
          throw refuse(headers(), entry.windowStartMs + windowMs - nowMs);
        entry.leasing ??= lease(ctx, { projectId, row, limit, entry }).finally(() => {
          entry.leasing = undefined;
        });
        await entry.leasing;
      }
    },
  };
}

/** What stands behind the name of a bucket in its row; of a user nothing that can be read. */
function shareOf({ keyKind, user }: Pick<Caller, 'keyKind' | 'user'>): string {
  if (keyKind === 'server') return '';
  if (user === undefined) return ':public';
  return `:user:${createHash('sha256').update(`${user.kind}:${user.value}`).digest('base64url')}`;
}

/** Forgets buckets whose window is over. @returns how many */
export async function pruneRateLimits(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<number> {
  const { rowCount } = await ctx.store.query({
    text: `delete from rate_limits where (project_id, bucket) in
           (select project_id, bucket from rate_limits where window_start < $1 order by window_start limit ${prunedMax})`,
    values: [new Date(ctx.clock.now().getTime() - 10 * windowMs)],
  });
  return rowCount;
}

function currentEntry(
  held: Map<string, Held>,
  key: string,
  now: { windowStartMs: number; limit: number },
): Held {
  const known = held.get(key);
  if (known?.windowStartMs === now.windowStartMs) return known;
  if (held.size >= bucketsHeldMax)
    for (const [old, entry] of held)
      if (entry.windowStartMs !== now.windowStartMs) held.delete(old);
  const fresh: Held = {
    windowStartMs: now.windowStartMs,
    tokens: 0,
    remaining: now.limit,
    leasing: undefined,
  };
  held.set(key, fresh);
  return fresh;
}

async function lease(
  ctx: Pick<Ctx, 'store' | 'log'>,
  input: { projectId: string; row: string; limit: number; entry: Held },
): Promise<void> {
  const { projectId, row, limit, entry } = input;
  try {
    const { taken, granted } = await takeBlock(ctx, {
      projectId,
      row,
      limit,
      windowStart: new Date(entry.windowStartMs),
    });
    entry.tokens += granted;
    entry.remaining = limit - taken;
  } catch (error) {
    ctx.log.warn({ err: error }, 'the rate limit could not be read; the request is refused');
    throw new ServiceError('provider-unavailable', {
      message: 'The service cannot reach its database: retry in a moment.',
      cause: error,
    });
  }
}

/**
 * `$4` is the limit. A window of the past starts again at nothing taken; a process whose clock is
 * behind takes from the newer window that another one has opened.
 */
async function takeBlock(
  ctx: Pick<Ctx, 'store'>,
  input: { projectId: string; row: string; limit: number; windowStart: Date },
): Promise<{ taken: number; granted: number }> {
  const block = `least($4::int - held.taken, greatest(1, ($4::int - held.taken) / ${leaseFraction}))`;
  const { rows } = await ctx.store.query<{ taken: number; granted: number }>({
    name: 'rate-limit-take',
    text: `insert into rate_limits as held (project_id, bucket, window_start, taken, granted)
           values ($1, $2, $3, greatest(1, $4::int / ${leaseFraction}), greatest(1, $4::int / ${leaseFraction}))
           on conflict (project_id, bucket) do update set
             window_start = greatest(held.window_start, excluded.window_start),
             granted = case when held.window_start >= excluded.window_start then greatest(0, ${block}) else excluded.granted end,
             taken = case when held.window_start >= excluded.window_start then held.taken + greatest(0, ${block}) else excluded.taken end
           returning taken, granted`,
    values: [input.projectId, input.row, input.windowStart, input.limit],
  });
  return rows[0]!;
}

/**
 * IETF draft-ietf-httpapi-ratelimit-headers: quota and window of the policy, what is left and
 * seconds until it resets.
 */
function describe(input: {
  bucket: Bucket;
  limit: number;
  remaining: number;
  resetMs: number;
}): Record<string, string> {
  const resetSeconds = Math.max(1, Math.ceil(input.resetMs / 1_000));
  return {
    'ratelimit-policy': `"${input.bucket}";q=${input.limit};w=${windowMs / 1_000}`,
    ratelimit: `"${input.bucket}";r=${Math.max(0, input.remaining)};t=${resetSeconds}`,
  };
}

function refuse(headers: Readonly<Record<string, string>>, resetMs: number): ServiceError {
  return new ServiceError('rate-limited', {
    headers: { ...headers, 'retry-after': String(Math.max(1, Math.ceil(resetMs / 1_000))) },
  });
}
