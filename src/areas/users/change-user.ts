import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';
import {
  type AccessCtx,
  choosePerson,
  hashesOf,
  type LocatorRef,
  readAccess,
  refsOf,
  type UserAccess,
} from './access.ts';
import { loadHasher, makeUserKey } from './keys/user-keys.ts';
import { linkPersons } from './link-persons.ts';
import { openUser, sealRecord, type User, type UserRecord } from './record.ts';
import { LostRace, saveRecord } from './save-record.ts';
import {
  insertLocators,
  insertUser,
  lockPersons,
  selectPersonsByLocator,
  type UserRow,
} from './store.ts';

const attemptsMax = 8;

export interface ChangeUserInput {
  readonly locator: string;
  /** Whether an unknown user is created. */
  readonly create: boolean;
  /** Locators that the call says are the same person's. */
  readonly others?: readonly string[];
}

/**
 * Does `work` with a user that is locked, so that calls about one person come one after the other.
 * The locators that the call vouches for are linked on the way: those of a JWT, and those it names.
 * `work` may run more than once and must have no effect outside the database.
 * @throws invalid-locator, not-authorized, user-not-found, validation-error, conflict when two
 * users with data would become one
 */
export async function changeUser<T>(
  ctx: AccessCtx,
  input: ChangeUserInput,
  work: (tx: Tx, user: User) => Promise<T>,
): Promise<T> {
  const access = await readAccess(ctx, input);
  for (let attempt = 1; ; attempt++) {
    try {
      return await ctx.store.transaction(async (tx) =>
        work(tx, await claimUser(ctx, tx, { access, create: input.create })),
      );
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
      if (attempt >= attemptsMax) throw new ServiceError('conflict', { cause: error });
    }
  }
}

/** Locks a user by id. Undefined once it was erased. */
export async function lockUser(
  ctx: Pick<Ctx, 'config'>,
  tx: Tx,
  id: string,
): Promise<User | undefined> {
  const [row] = await lockPersons(tx, [id]);
  if (!row) return undefined;
  if (row.personId === row.id) return openUser(ctx, row);
  const [person] = await lockPersons(tx, [row.personId]);
  return person && openUser(ctx, person);
}

async function claimUser(
  ctx: AccessCtx,
  tx: Tx,
  input: { readonly access: UserAccess; readonly create: boolean },
): Promise<User> {
  const { access } = input;
  const persons = await selectPersonsByLocator(tx, {
    projectId: access.projectId,
    hashes: hashesOf(access),
  });
  const chosen = choosePerson(access, persons);
  if (!chosen) {
    if (!input.create) throw new ServiceError('user-not-found');
    return createUser(ctx, tx, access);
  }
  const ids = [...new Set([chosen, ...persons.values()].map((row) => row.id))];
  const locked = await lockPersons(tx, ids);
  if (locked.length < ids.length || locked.some((row) => row.personId !== row.id))
    throw new LostRace();
  const missing = [...refsOf(access)].filter(([hash]) => !persons.has(hash)).map(([, ref]) => ref);
  const fresh = locked.find((row) => row.id === chosen.id)!;
  const others = locked.filter((row) => row.id !== chosen.id);
  return link(ctx, tx, {
    user: openUser(ctx, fresh),
    others,
    missing,
    mustMerge: access.own === undefined,
  });
}

interface LinkInput {
  readonly user: User;
  /** Locked users behind other locators of the same person. */
  readonly others: readonly UserRow[];
  /** Locators that nobody has yet. */
  readonly missing: readonly LocatorRef[];
  /** Whether it is an error that two users cannot become one. */
  readonly mustMerge: boolean;
}

async function link(
  ctx: AccessCtx,
  tx: Tx,
  { user, others, missing, mustMerge }: LinkInput,
): Promise<User> {
  let linked = user;
  for (const row of others) {
    const merged = await linkPersons(ctx, tx, linked, openUser(ctx, row));
    if (merged) linked = merged;
    else if (mustMerge)
      throw new ServiceError('conflict', {
        message:
          'Two of the locators name different users who both have data of their own, so they are not made one. Erase one of them first, or leave that locator out.',
      });
    else
      ctx.log.warn(
        { userId: linked.id, otherId: row.id },
        'a JWT vouches for two users who both have data: they stay two',
      );
  }
  if (missing.length === 0) return linked;
  await takeLocators(tx, linked, missing);
  const locators = [...new Set([...linked.record.locators, ...missing.map((ref) => ref.key)])];
  return saveRecord(ctx, tx, linked, { record: { ...linked.record, locators } });
}

async function takeLocators(tx: Tx, user: User, refs: readonly LocatorRef[]): Promise<void> {
  const taken = await insertLocators(tx, {
    projectId: user.projectId,
    userId: user.id,
    hashes: refs.map((ref) => ref.hash),
  });
  if (taken < refs.length) throw new LostRace();
}

async function createUser(ctx: AccessCtx, tx: Tx, access: UserAccess): Promise<User> {
  const { projectId } = access;
  const id = ctx.ids.randomUuid();
  const { sealer, sealedKey, sealedBy } = makeUserKey(ctx, { id, projectId });
  const refs = [...refsOf(access).values()];
  const record: UserRecord = { locators: refs.map((ref) => ref.key), legalDocuments: [] };
  const row = {
    id,
    projectId,
    personId: id,
    recordVersion: 1,
    hasData: false,
    createdAt: ctx.clock.now(),
  };
  await insertUser(tx, {
    ...row,
    sealedKey,
    sealedBy,
    sealedRecord: sealRecord(sealer, row, record),
  });
  const user: User = { ...row, record, sealer };
  // A user whom nobody gave a user id can be named by the one we answer.
  const hasUserId = refs.some((ref) => ref.key.startsWith('userId:'));
  const ownKey = `userId:${id}`;
  const ownId = hasUserId
    ? []
    : [{ key: ownKey, hash: (await loadHasher(ctx, projectId))('locator', ownKey) }];
  await takeLocators(tx, user, [...refs, ...ownId]);
  return user;
}
