import { insertSignOuts } from '../../areas/projects/index.ts';
import {
  deletePersons,
  destroyUserKeys,
  insertOwners,
  lockPersonsOfOwners,
  movePersons,
  noteErasedPersons,
  notePerson,
  selectOwnerRefs,
  type VaultCtx,
} from '../index.ts';
import { type Acting, ownerRefOf } from './payment-methods.ts';
import { joinMethods, wipeMethods } from './store-persons.ts';

/** The main side's own name of a person, which every person has beside the locators. */
const personNamePattern = /^userId:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Makes names one person, as the main side says they are: their methods are one list from then on, with one default; an account
 * that was saved under several of the names is one method, which the ids of the others lead to. Repeating it is harmless.
 */
export async function linkPerson(
  ctx: VaultCtx,
  input: { readonly projectId: string; readonly personId: string; readonly owners: readonly string[] } & Acting,
): Promise<{ readonly linked: boolean }> {
  const { projectId } = input;
  const name = `userId:${input.personId}`;
  const ownerRefs = [...new Set([...input.owners, name])].map((owner) => ownerRefOf(ctx, projectId, owner));
  return ctx.store.transaction(async (tx) => {
    if (!(await notePerson(tx, { projectId, personRef: ownerRefOf(ctx, projectId, name) }))) return { linked: false };
    await insertOwners(tx, { projectId, ownerRefs, newId: ctx.ids.uuid() });
    const persons = [...new Set((await lockPersonsOfOwners(tx, { projectId, ownerRefs })).values())].sort();
    const [stays, ...goes] = persons as [string, ...string[]];
    if (goes.length === 0) return { linked: true };
    const { joined } = await joinMethods(tx, { from: goes, to: stays, at: ctx.clock.now() });
    await movePersons(tx, { from: goes, to: stays });
    await ctx.vault.audit.append(tx, [
      { actor: input.actor, action: 'user.linked', projectId, subject: stays, detail: { persons: persons.length, joined: [...joined] } },
    ]);
    return { linked: true };
  });
}

/** Tokens of these users that were issued until now open nothing here any more. Repeating it is harmless. */
export async function signOutPerson(
  ctx: VaultCtx,
  { projectId, owners, actor }: { readonly projectId: string; readonly owners: readonly string[] } & Acting,
): Promise<object> {
  const users = owners.map((owner) => ownerRefOf(ctx, projectId, owner));
  await ctx.store.transaction(async (tx) => {
    await insertSignOuts(tx, { projectId, users, clock: ctx.clock });
    await ctx.vault.audit.append(tx, [{ actor, action: 'user.signed-out', projectId, detail: { names: users.length } }]);
  });
  return {};
}

/**
 * Destroys the data keys of a person under all names that are known to be theirs, and wipes what lay under them. Repeating it is
 * harmless.
 * @returns how many methods were wiped, deleted ones included
 */
export async function eraseUser(
  ctx: VaultCtx,
  input: { readonly projectId: string; readonly owners: readonly string[] } & Acting,
): Promise<{ readonly erased: number }> {
  const { projectId } = input;
  const asked = input.owners.map((owner) => ownerRefOf(ctx, projectId, owner));
  const personRefs = input.owners.filter((owner) => personNamePattern.test(owner)).map((owner) => ownerRefOf(ctx, projectId, owner));
  return ctx.store.transaction(async (tx) => {
    const at = ctx.clock.now();
    await insertSignOuts(tx, { projectId, users: asked, clock: ctx.clock });
    await noteErasedPersons(tx, { projectId, personRefs, at });
    const personIds = [...new Set((await lockPersonsOfOwners(tx, { projectId, ownerRefs: asked })).values())];
    const ownerRefs = await selectOwnerRefs(tx, personIds);
    const userKeyIds = await destroyUserKeys(tx, { projectId, ownerRefs: [...ownerRefs, ...asked], at });
    const erased = userKeyIds.length === 0 ? 0 : await wipeMethods(tx, { userKeyIds, at });
    await deletePersons(tx, personIds);
    await ctx.vault.audit.append(
      tx,
      userKeyIds.map((subject) => ({ actor: input.actor, action: 'user.erased', projectId, subject })),
    );
    return { erased };
  });
}
