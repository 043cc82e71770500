import type { Ctx } from '../../context.ts';
import { eraseAnswers } from '../../http/answers/sealed-answers.ts';
import { blankEvents } from '../../jobs/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseUserLocator } from '../../lib/locator/locator.ts';
import { locatorKeyOf } from '../../lib/locator/locator-key.ts';
import type { Tx } from '../../store/types.ts';
import { signOut } from '../projects/index.ts';
import { hashLocator } from './access.ts';
import { openUser } from './record.ts';
import {
  deletePerson,
  lockPersons,
  selectPersonIds,
  selectPersonsByLocator,
  type UserRow,
} from './store.ts';

export type EraseCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids' | 'log'>;

export interface EraseUserInput {
  readonly projectId: string;
  readonly locator: string;
  /**
   * Erases what other systems keep under the person's names, before anything is gone here: when it
   * fails, everything can be repeated. Answers whether there was anything.
   */
  readonly eraseElsewhere: (owners: readonly string[]) => Promise<boolean>;
  /**
   * What other areas do in the same transaction, before the rows are gone; also of somebody whom no
   * row names. Answers whether there was anything.
   */
  readonly onErase: (
    tx: Tx,
    input: {
      readonly projectId: string;
      readonly userIds: readonly string[];
      readonly locators: readonly string[];
    },
  ) => Promise<boolean | undefined>;
  /** What is written down of it, last in that transaction. */
  readonly onErased?: (tx: Tx, erased: { readonly userIds: readonly string[] }) => Promise<void>;
}

/**
 * Erases a person's rows here; what else goes is listed in src/areas/operator/people/erase-user.ts.
 * The keys that their data is sealed with are deleted with everything that hangs
 * on them. Pages and logs of the database that still hold old rows hold sealed ones; an older
 * backup has the wrapped key too, so it has to expire. It cannot be undone.
 * @returns the ids of the users that are gone
 * @throws invalid-locator, user-not-found, conflict when the person was changed meanwhile: repeat
 * it
 */
export async function eraseUser(
  ctx: EraseCtx,
  input: EraseUserInput,
): Promise<{ readonly userIds: readonly string[] }> {
  const { projectId } = input;
  const { person, record, owners } = await findOwners(ctx, input);
  const wasElsewhere = await input.eraseElsewhere(owners);
  const locators = [
    ...owners,
    ...[record?.kycData?.email, record?.kycData?.phoneNumber].filter((text) => text !== undefined),
  ];
  if (!record || !person)
    return ctx.store.transaction(async (tx) => {
      const userIds: string[] = [];
      const answers = await eraseAnswers(ctx, tx, { projectId, locators });
      const isNamed = await input.onErase(tx, { projectId, userIds, locators });
      if (!wasElsewhere && isNamed !== true && answers === 0)
        throw new ServiceError('user-not-found');
      await input.onErased?.(tx, { userIds });
      return { userIds };
    });
  return ctx.store.transaction(async (tx) => {
    const [locked] = await lockPersons(tx, [person.id]);
    if (locked?.recordVersion !== person.recordVersion || locked.personId !== person.id)
      throw new ServiceError('conflict');
    const userIds = await selectPersonIds(tx, person.id);
    await input.onErase(tx, { projectId, userIds, locators });
    for (const userId of userIds) await blankEvents(tx, { projectId, object: `user:${userId}` });
    await eraseAnswers(ctx, tx, { projectId, locators });
    // A token that was issued before would make the user anew.
    await signOut(ctx, tx, { projectId, locators: owners });
    await deletePerson(tx, { personId: person.id, projectId, now: ctx.clock.now() });
    await input.onErased?.(tx, { userIds });
    return { userIds };
  });
}

/**
 * Ends all sessions of a person under all names that are known.
 * @returns the names
 * @throws invalid-locator
 */
export async function signOutUser(
  ctx: EraseCtx,
  input: {
    readonly projectId: string;
    readonly locator: string;
    readonly signOutElsewhere: (owners: readonly string[]) => Promise<void>;
    /**
     * What is written down in the same transaction. The id is that of somebody who is known here.
     */
    readonly onSignedOut: (
      tx: Tx,
      person: { readonly id?: string; readonly names: number },
    ) => Promise<void>;
  },
): Promise<readonly string[]> {
  const { person, owners } = await findOwners(ctx, input);
  await input.signOutElsewhere(owners);
  await ctx.store.transaction(async (tx) => {
    await signOut(ctx, tx, { projectId: input.projectId, locators: owners });
    await input.onSignedOut(tx, { ...(person && { id: person.id }), names: owners.length });
  });
  return owners;
}

/**
 * The person whom a locator names, and every name that is known of them; the locator itself of
 * somebody unknown.
 */
async function findOwners(
  ctx: EraseCtx,
  { projectId, locator }: { readonly projectId: string; readonly locator: string },
) {
  const asked = parseUserLocator(locator);
  const person = await findPerson(ctx, projectId, await hashLocator(ctx, projectId, asked));
  if (!person) return { owners: [locatorKeyOf(asked)] };
  const ids = await selectPersonIds(ctx.store, person.id);
  const { record } = openUser(ctx, person);
  return {
    person,
    record,
    owners: [...new Set([...record.locators, ...ids.map((id) => `userId:${id}`)])],
  };
}

async function findPerson(
  ctx: EraseCtx,
  projectId: string,
  hash: Buffer,
): Promise<UserRow | undefined> {
  const [person] = (
    await selectPersonsByLocator(ctx.store, { projectId, hashes: [hash] })
  ).values();
  return person;
}
