import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';

/** New methods of one user in a UTC day: more is trying numbers out. */
export const newPerUserAndDayMax = 20;
export const newPerProjectAndDayMax = 50_000;
/** Methods that a user has at once. */
export const livePerUserMax = 50;

const projectSubject = 'project';
const keptDays = 3;

/** @throws validation-error always: the user has as many methods as there may be */
export function refuseAnother(): never {
  throw new ServiceError('validation-error', {
    message: `The user has ${livePerUserMax} payment methods, the most there may be: delete one that is not needed.`,
  });
}

/**
 * Counts new methods, or refuses them all. The row of a project is where its callers queue until
 * the commit, so this comes late in a transaction.
 * @throws rate-limited
 */
export async function countCreations(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  methods: readonly { readonly projectId: string; readonly personId: string }[],
): Promise<void> {
  if (methods.length === 0) return;
  const now = ctx.clock.now();
  const counted = new Map<string, { projectId: string; subject: string; count: number }>();
  for (const { projectId, personId } of methods)
    for (const subject of [personId, projectSubject]) {
      const key = `${projectId} ${subject}`;
      counted.set(key, { projectId, subject, count: (counted.get(key)?.count ?? 0) + 1 });
    }
  // In one order everywhere, so that no two transactions wait for each other.
  const rows = [...counted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const { rows: totals } = await tx.query<{ subject: string; count: number }>({
    name: 'payment-method-count-creations',
    text: `insert into payment_method_creations as counted (project_id, subject, day, count)
           select project_id, subject, $4::date, count from unnest($1::uuid[], $2::text[], $3::int[]) as n(project_id, subject, count)
           on conflict (project_id, subject, day) do update set count = counted.count + excluded.count returning subject, count`,
    values: [
      rows.map((row) => row.projectId),
      rows.map((row) => row.subject),
      rows.map((row) => row.count),
      now.toISOString().slice(0, 10),
    ],
  });
  for (const { subject, count } of totals) {
    const [max, whose] =
      subject === projectSubject
        ? [newPerProjectAndDayMax, 'The project']
        : [newPerUserAndDayMax, 'A user'];
    if (count > max)
      throw tooMany(`${whose} gets at most ${max} new payment methods in a day (UTC).`, now);
  }
}

/** Deletes counts that no longer matter. */
export async function pruneCreationCounts(ctx: Pick<Ctx, 'store' | 'clock'>): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - keptDays * 24 * 60 * 60 * 1_000);
  await ctx.store.query({
    text: 'delete from payment_method_creations where day < $1',
    values: [before.toISOString().slice(0, 10)],
  });
}

function tooMany(message: string, now: Date): ServiceError {
  const nextDayMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  const seconds = Math.max(1, Math.ceil((nextDayMs - now.getTime()) / 1_000));
  return new ServiceError('rate-limited', {
    message: `${message} Retry tomorrow.`,
    headers: { 'retry-after': String(seconds) },
  });
}
