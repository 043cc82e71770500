import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Tx } from '../../../store/types.ts';

/** Checkouts that may be open at once, where the configuration says nothing. */
const defaults = { perUserMax: 20, perProjectMax: 1_000 };
const retryAfterSeconds = 60;

/**
 * Refuses one checkout too many. Checked in the transaction that creates one, in which the user is
 * locked; the project is locked here, so that creates come one after the other from here to their
 * end.
 * @throws rate-limited
 */
export async function requireRoom(
  ctx: Pick<Ctx, 'config'>,
  tx: Tx,
  { projectId, personId }: { readonly projectId: string; readonly personId: string },
): Promise<void> {
  const { perUserMax, perProjectMax } = ctx.config.openCheckouts ?? defaults;
  const ofUser = await tx.query({
    name: 'agent-checkouts-open-of-person',
    text: `select 1 from agent_checkouts c join users u on u.id = c.user_id
           where u.person_id = $1 and c.project_id = $2 and c.ended_at is null limit $3`,
    values: [personId, projectId, perUserMax],
  });
  if (ofUser.rows.length >= perUserMax)
    throw full(
      `You have ${perUserMax} checkouts that are not over, and may have no more at once. Wait for the end of one, answer what one of them asks, or cancel one.`,
    );
  await tx.query({
    name: 'agent-checkouts-lock-project',
    text: `select pg_advisory_xact_lock(hashtextextended('agent-checkouts-open' || $1, 0))`,
    values: [projectId],
  });
  const ofProject = await tx.query<{ count: number }>({
    name: 'agent-checkouts-open-of-project',
    text: `select count(*)::int as count from
             (select 1 from agent_checkouts where project_id = $1 and ended_at is null limit $2) as open`,
    values: [projectId, perProjectMax],
  });
  if (ofProject.rows[0]!.count >= perProjectMax)
    throw full(
      `The project has ${perProjectMax} checkouts that are not over, and may have no more at once. Try again when some have ended; the operator can allow more (CHECKOUTS_OPEN_PER_PROJECT).`,
    );
}

function full(message: string): ServiceError {
  return new ServiceError('rate-limited', {
    message,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}
