import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';
import { countLiveMethods } from './store.ts';

/** New methods of one user in a UTC day: more is trying numbers out. */
export const newPerUserAndDayMax = 20;
export const newPerProjectAndDayMax = 50_000;
/** Methods that a user has at once. */
export const livePerUserMax = 50;

const projectSubject = 'project';
const keptDays = 3;

/**
 * Counts a new method of a user, or refuses it. The user's key is locked, so nobody counts past a cap.
 * @throws rate-limited, validation-error the user has too many methods at once
 */
export async function countCreation(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  input: { readonly projectId: string; readonly userKeyId: string },
): Promise<void> {
  if ((await countLiveMethods(tx, input.userKeyId)) >= livePerUserMax)
    throw new ServiceError('validation-error', {
      message: `The user has ${livePerUserMax} payment methods, the most there may be: delete one that is not needed.`,
    });
  const now = ctx.clock.now();
  const { rows } = await tx.query<{ subject: string; count: number }>({
    name: 'payment-method-count-creation',
    text: `insert into payment_method_creations as counted (project_id, subject, day, count)
           values ($1, $2, $4, 1), ($1, $3, $4, 1)
           on conflict (project_id, subject, day) do update set count = counted.count + 1 returning subject, count`,
    values: [input.projectId, input.userKeyId, projectSubject, now.toISOString().slice(0, 10)],
  });
  const countOf = (subject: string) => rows.find((row) => row.subject === subject)?.count ?? 0;
  if (countOf(input.userKeyId) > newPerUserAndDayMax)
    throw tooMany(`A user gets at most ${newPerUserAndDayMax} new payment methods in a day (UTC).`, now);
  if (countOf(projectSubject) > newPerProjectAndDayMax)
    throw tooMany(`The project gets at most ${newPerProjectAndDayMax} new payment methods in a day (UTC).`, now);
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
  return new ServiceError('rate-limited', { message: `${message} Retry tomorrow.`, headers: { 'retry-after': String(seconds) } });
}
