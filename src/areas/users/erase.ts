import type { Ctx } from '../../context.ts';
import { blankEvents } from '../../jobs/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseUserLocator } from '../../lib/locator.ts';
import type { Tx } from '../../store/types.ts';
import { hashLocator } from './access.ts';
import { deletePerson, lockPersons, selectPersonIds, selectPersonsByLocator } from './store.ts';

export type EraseCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids' | 'log'>;

export interface EraseUserInput {
  readonly projectId: string;
  readonly locator: string;
  /** What other areas do in the same transaction, before the rows are gone. */
  readonly onErase: (tx: Tx, input: { readonly projectId: string; readonly userIds: readonly string[] }) => Promise<void>;
}

/**
 * Erases a person: the keys that their data is sealed with are deleted with everything that hangs on them, so that backups and
 * logs of the database hold nothing readable either. It cannot be undone.
 * @returns the ids of the users that are gone
 * @throws invalid-locator, user-not-found, conflict when the person is being changed all the time
 */
export async function eraseUser(ctx: EraseCtx, input: EraseUserInput): Promise<{ readonly userIds: readonly string[] }> {
  const { projectId } = input;
  const hash = await hashLocator(ctx, projectId, parseUserLocator(input.locator));
  return ctx.store.transaction(async (tx) => {
    const [person] = (await selectPersonsByLocator(tx, { projectId, hashes: [hash] })).values();
    if (!person) throw new ServiceError('user-not-found');
    const [locked] = await lockPersons(tx, [person.id]);
    if (locked?.personId !== person.id) throw new ServiceError('conflict');
    const userIds = await selectPersonIds(tx, person.id);
    await input.onErase(tx, { projectId, userIds });
    for (const userId of userIds) await blankEvents(tx, { projectId, object: `user:${userId}` });
    await deletePerson(tx, { personId: person.id, projectId, now: ctx.clock.now() });
    return { userIds };
  });
}
