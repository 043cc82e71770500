import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { openUser, selectPersonIds, selectUserById } from '../users/index.ts';
import { type DuePerson, removeDuePerson, selectDuePersons } from './store.ts';

/** The vault is told of a user's locators within this time, while the worker and the vault run. */
export const personsPushMs = 1_000;
const personsPerTurn = 200;
const answerSchema = z.object({ linked: z.boolean() });

type PersonsCtx = Pick<Ctx, 'config' | 'store' | 'providers' | 'log'>;

/**
 * Tells the vault which locators are one person, for those whose locators changed. The vault keeps
 * them as keyed hashes. Several workers may do so at once; what the vault did not take is told
 * again at the next turn.
 * @returns how many were told
 */
export async function publishPersons(ctx: PersonsCtx): Promise<number> {
  const due = await selectDuePersons(ctx.store, personsPerTurn);
  let told = 0;
  for (const one of due) {
    try {
      await tellPerson(ctx, one);
      told++;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'provider-unavailable') break;
      ctx.log.error(
        { err: error, userId: one.userId },
        'the vault could not be told who is one person; tried again',
      );
    }
  }
  return told;
}

async function tellPerson(ctx: PersonsCtx, due: DuePerson): Promise<void> {
  const user = await selectUserById(ctx.store, due.userId);
  // One that became another person has handed its locators on, and that one is due itself.
  if (user && user.personId === user.id) {
    const ids = await selectPersonIds(ctx.store, user.id);
    const owners = [
      ...new Set([...openUser(ctx, user).record.locators, ...ids.map((id) => `userId:${id}`)]),
    ];
    await ctx.providers.vault.ask(
      'users.link',
      { projectId: user.projectId, personId: user.id, owners },
      answerSchema,
    );
  }
  await removeDuePerson(ctx.store, due);
}
