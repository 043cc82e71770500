import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Db } from '../../../store/types.ts';

const dayMs = 24 * 60 * 60_000;

export interface Allowance {
  readonly projectId: string;
  /** The user whose allowance it is; absent: the project's. */
  readonly userId?: string;
  /** What is counted, e.g. `document-upload`. */
  readonly kind: string;
  readonly perDayMax: number;
}

/**
 * Counts one more in the present day (which begins with the first) and refuses beyond the cap.
 * Counts tries, also those that fail later, unless it runs in their transaction. One statement, so
 * that calls of a project wait for each other shortly.
 * @throws rate-limited with Retry-After
 */
export async function claimAllowance(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  allowance: Allowance,
  db: Db = ctx.store,
): Promise<void> {
  const now = ctx.clock.now();
  const { rows } = await db.query<{ taken: number; window_start: Date }>({
    name: 'users-take-allowance',
    text: `insert into user_allowances as a (project_id, subject, kind, window_start, taken) values ($1, $2, $3, $4, 1)
      on conflict (project_id, subject, kind) do update set
        window_start = case when a.window_start <= $5 then excluded.window_start else a.window_start end,
        taken = case when a.window_start <= $5 then 1 else least(a.taken + 1, 2000000000) end
      returning taken, window_start`,
    values: [
      allowance.projectId,
      allowance.userId ?? allowance.projectId,
      allowance.kind,
      now,
      new Date(now.getTime() - dayMs),
    ],
  });
  const { taken, window_start: windowStart } = rows[0]!;
  if (taken <= allowance.perDayMax) return;
  const seconds = Math.max(1, Math.ceil((windowStart.getTime() + dayMs - now.getTime()) / 1_000));
  const whose = allowance.userId === undefined ? 'This project' : 'This user';
  throw new ServiceError('rate-limited', {
    message: `${whose} has reached the limit of ${allowance.perDayMax} ${allowance.kind.replaceAll('-', ' ')}s a day: retry in ${seconds} s.`,
    headers: { 'retry-after': String(seconds) },
  });
}
