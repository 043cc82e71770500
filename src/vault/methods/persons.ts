import { insertSignOuts } from '../../areas/projects/index.ts';
import type { Tx } from '../../store/types.ts';
import {
  countErasedMethods,
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

/** The main side's own name of a person, which every person has beside the locators. */
const personNamePattern = /^userId:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Makes names one person, as the main side says they are: their methods are one list from then on,
 * with one default; an account that was saved under several of the names is one method, which the
 * ids of the others lead to. Repeating it is harmless.
 */
export async function linkPerson(
  ctx: VaultCtx,
  input: {
    readonly projectId: string;
    readonly personId: string;
    readonly owners: readonly string[];
  } & Acting,
): Promise<{ readonly linked: boolean }> {
  const { projectId } = input;
  const name = `userId:${input.personId}`;
  const ownerRefs = [...new Set([...input.owners, name])].map((owner) =>
    ownerRefOf(ctx, projectId, owner),
  );
  return ctx.store.transaction(async (tx) => {
    if (!(await notePerson(tx, { projectId, personRef: ownerRefOf(ctx, projectId, name) })))
      return { linked: false };
    await insertOwners(tx, { projectId, ownerRefs, newId: ctx.ids.uuid() });
    const persons = [
      ...new Set((await lockPersonsOfOwners(tx, { projectId, ownerRefs })).values()),
    ].sort();
    const [stays, ...goes] = persons as [string, ...string[]];
    if (goes.length === 0) return { linked: true };
    const { joined } = await joinMethods(tx, { from: goes, to: stays, at: ctx.clock.now() });
    await movePersons(tx, { from: goes, to: stays });
    await ctx.vault.audit.append(tx, [
      {
        actor: input.actor,
        action: 'user.linked',
        projectId,
        subject: stays,
        detail: { persons: persons.length, joined: [...joined] },
      },
    ]);
    return { linked: true };
  });
}

/**
 * Tokens of these users that were issued until now open nothing here any more. Repeating it is
 * harmless.
 */
export async function signOutPerson(
  ctx: VaultCtx,
  {
    projectId,
    owners,
    actor,
  }: { readonly projectId: string; readonly owners: readonly string[] } & Acting,
): Promise<object> {
  const users = owners.map((owner) => ownerRefOf(ctx, projectId, owner));
  await ctx.store.transaction(async (tx) => {
    await insertSignOuts(tx, { projectId, users, clock: ctx.clock });
    await ctx.vault.audit.append(tx, [
      { actor, action: 'user.signed-out', projectId, detail: { names: users.length } },
    ]);
  });
  return {};
}

/**
 * Destroys the data keys of a person under all names that are known to be theirs, and wipes what
 * lay under them. Repeating it is harmless, and answers the same.
 * @returns how many methods were wiped, deleted ones included; of a person whom `owners` names by
 * the main side's own name, earlier calls counted too
 */
export async function eraseUser(
  ctx: VaultCtx,
  input: { readonly projectId: string; readonly owners: readonly string[] } & Acting,
): Promise<{ readonly erased: number }> {
  const { projectId } = input;
  const asked = input.owners.map((owner) => ownerRefOf(ctx, projectId, owner));
  const personRefs = input.owners
    .filter((owner) => personNamePattern.test(owner))
    .map((owner) => ownerRefOf(ctx, projectId, owner));
  return ctx.store.transaction(async (tx) => {
    const at = ctx.clock.now();
    await insertSignOuts(tx, { projectId, users: asked, clock: ctx.clock });
    await noteErasedPersons(tx, { projectId, personRefs, at });
    const personIds = [
      ...new Set((await lockPersonsOfOwners(tx, { projectId, ownerRefs: asked })).values()),
    ];
    const ownerRefs = await selectOwnerRefs(tx, personIds);
    const userKeyIds = await destroyUserKeys(tx, {
      projectId,
      ownerRefs: [...ownerRefs, ...asked],
      at,
    });
    const wiped = userKeyIds.length === 0 ? 0 : await wipeMethods(tx, { userKeyIds, at });
    const erased = await countErasedMethods(tx, { projectId, personRefs, erased: wiped });
    await deletePersons(tx, personIds);
    await ctx.vault.audit.append(
      tx,
      userKeyIds.map((subject) => ({
        actor: input.actor,
        action: 'user.erased',
        projectId,
        subject,
      })),
    );
    return { erased };
  });
}

interface LiveRow {
  id: string;
  fingerprint: string;
  is_default: boolean;
  person_id: string;
}

/**
 * Makes the methods of locked persons those of another locked one. Of several with the same account
 * the oldest stays and the others lead to it; the default of `to` stays the default, else the
 * oldest other one.
 * @returns ids of the methods that gave way
 */
async function joinMethods(
  tx: Tx,
  input: { readonly from: readonly string[]; readonly to: string; readonly at: Date },
): Promise<{ readonly joined: readonly string[] }> {
  const { from, to, at } = input;
  const { rows: live } = await tx.query<LiveRow>({
    name: 'payment-methods-of-persons',
    text: `select id, encode(fingerprint, 'hex') as fingerprint, is_default, person_id from payment_methods
           where person_id = any($1::uuid[]) and deleted_at is null order by created_at, id`,
    values: [[to, ...from]],
  });
  const kept = new Map<string, string>();
  for (const row of live) if (!kept.has(row.fingerprint)) kept.set(row.fingerprint, row.id);
  const gone = live.filter((row) => kept.get(row.fingerprint) !== row.id);
  const chosen =
    live.find((row) => row.is_default && row.person_id === to) ??
    live.find((row) => row.is_default);
  const defaultId = chosen && kept.get(chosen.fingerprint)!;

  await tx.query({
    name: 'payment-methods-join-defaults',
    text: `update payment_methods set is_default = false, updated_at = $3
           where person_id = any($1::uuid[]) and is_default and deleted_at is null and id is distinct from $2`,
    values: [[to, ...from], defaultId ?? null, at],
  });
  await tx.query({
    name: 'payment-methods-join-duplicates',
    text: `update payment_methods m set deleted_at = $3, updated_at = $3, is_default = false, merged_into = g.stays
           from unnest($1::uuid[], $2::uuid[]) as g(id, stays) where m.id = g.id or m.merged_into = g.id`,
    values: [gone.map((row) => row.id), gone.map((row) => kept.get(row.fingerprint)!), at],
  });
  await tx.query({
    name: 'payment-methods-join',
    text: 'update payment_methods set person_id = $2 where person_id = any($1::uuid[])',
    values: [from, to],
  });
  await tx.query({
    name: 'payment-methods-join-default',
    text: 'update payment_methods set is_default = true, updated_at = $2 where id = $1 and not is_default',
    values: [defaultId ?? null, at],
  });
  return { joined: gone.map((row) => row.id) };
}

/**
 * Takes the content of everything under destroyed keys away, deleted methods included.
 * @returns how many
 */
async function wipeMethods(
  tx: Tx,
  input: { readonly userKeyIds: readonly string[]; readonly at: Date },
): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'payment-methods-wipe',
    text: `update payment_methods set sealed_details = '', sealed_account = '', fingerprint = null, is_default = false,
             deleted_at = coalesce(deleted_at, $2), updated_at = $2
           where user_key_id = any($1::uuid[])`,
    values: [input.userKeyIds, input.at],
  });
  return rowCount;
}
