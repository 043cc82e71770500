import type { Ctx } from '../../context.ts';
import { type Clock, machineClock } from '../../lib/clock.ts';
import { parseUserLocator } from '../../lib/locator/locator.ts';
import { locatorKeyOf } from '../../lib/locator/locator-key.ts';
import { hashForProject } from '../../providers/custody/project-secret.ts';
import type { Db } from '../../store/types.ts';

/**
 * Sessions of a user that began earlier have ended: by the service's clock for tokens of the
 * instance, else by the machine's.
 */
export interface SignOut {
  readonly notBefore: Date;
  readonly machineNotBefore: Date;
}

/** Keyed hash of a user locator: the table does not say who was here. */
export type HashUser = (projectId: string, locatorKey: string) => Promise<Buffer>;

/** Of the main side: by the project's secret. */
export function createHashUser(ctx: Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>): HashUser {
  return (projectId, locatorKey) =>
    hashForProject(ctx, { projectId, purpose: 'sign-out', parts: [locatorKey] });
}

/**
 * Ends every session that began until now of the users with these locators.
 * @throws invalid-locator
 */
export async function signOut(
  ctx: Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>,
  db: Db,
  { projectId, locators }: { readonly projectId: string; readonly locators: readonly string[] },
): Promise<void> {
  const hashUser = createHashUser(ctx);
  const users = await Promise.all(
    locators.map((locator) => hashUser(projectId, locatorKeyOf(parseUserLocator(locator)))),
  );
  await insertSignOuts(db, { projectId, users, clock: ctx.clock });
}

/** Ends every session of these users that began until now. */
export async function insertSignOuts(
  db: Db,
  {
    projectId,
    users,
    clock,
  }: { readonly projectId: string; readonly users: readonly Buffer[]; readonly clock: Clock },
): Promise<void> {
  await db.query({
    text: `insert into sign_outs (project_id, user_hash, not_before, machine_not_before)
      select $1, hash, $3, $4 from unnest($2::bytea[]) as hash
      on conflict (project_id, user_hash) do update set not_before = excluded.not_before, machine_not_before = excluded.machine_not_before`,
    values: [projectId, users, clock.now(), machineClock(clock).now()],
  });
}

export async function selectSignOut(
  db: Db,
  projectId: string,
  user: Buffer,
): Promise<SignOut | undefined> {
  const { rows } = await db.query<{ not_before: Date; machine_not_before: Date }>({
    name: 'sign-out-of-user',
    text: 'select not_before, machine_not_before from sign_outs where project_id = $1 and user_hash = $2',
    values: [projectId, user],
  });
  return rows[0] && { notBefore: rows[0].not_before, machineNotBefore: rows[0].machine_not_before };
}
