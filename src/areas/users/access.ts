import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseUserLocator, type UserLocator } from '../../lib/locator/locator.ts';
import { locatorKeyOf } from '../../lib/locator/locator-key.ts';
import { loadHasher } from './keys/user-keys.ts';
import { openUser, type User } from './record.ts';
import { selectPersonsByLocator, type UserRow } from './store.ts';

/** A locator as it is looked up. */
export interface LocatorRef {
  /** Normal form. */
  readonly key: string;
  readonly hash: Buffer;
}

/** Whom a call is about, and which other locators are known to be the same person's. */
export interface UserAccess {
  readonly projectId: string;
  readonly asked: LocatorRef;
  /**
   * Of the end user behind a client key; undefined with a server key, which reaches everybody in
   * its project.
   */
  readonly own?: readonly LocatorRef[];
  /** Locators that this call vouches for: those of the JWT, or those that a server call names. */
  readonly vouched: readonly LocatorRef[];
}

export type AccessCtx = Pick<RequestCtx, 'config' | 'store' | 'clock' | 'ids' | 'log' | 'caller'>;

/**
 * Reads a locator of a call. Nothing is known yet of whether the user exists.
 * @param input.others locators that the call says are the same person's
 * @throws invalid-locator, not-authorized, validation-error
 */
export async function readAccess(
  ctx: AccessCtx,
  input: { readonly locator: string; readonly others?: readonly string[] },
): Promise<UserAccess> {
  const { caller } = ctx;
  const asked = parseUserLocator(input.locator);
  const others = (input.others ?? []).map((text) => parseUserLocator(text));
  if (others.length > 0 && caller.keyKind === 'client')
    throw new ServiceError('validation-error', {
      message:
        'body.locators: only a server-side key may say which locators are one person. Leave it out.',
    });
  const hasher = await loadHasher(ctx, caller.projectId);
  const refOf = (locator: UserLocator): LocatorRef => {
    const key = locatorKeyOf(locator);
    return { key, hash: hasher('locator', key) };
  };
  const own = caller.keyKind === 'client' ? callerLocators(ctx).map(refOf) : undefined;
  return {
    projectId: caller.projectId,
    asked: refOf(asked),
    ...(own && { own }),
    vouched: own ?? others.map(refOf),
  };
}

/** The hash under which a locator of a project is kept. */
export async function hashLocator(
  ctx: Omit<AccessCtx, 'caller' | 'log'>,
  projectId: string,
  locator: UserLocator,
): Promise<Buffer> {
  return (await loadHasher(ctx, projectId))('locator', locatorKeyOf(locator));
}

function callerLocators({ caller }: AccessCtx): UserLocator[] {
  if (!caller.user)
    throw new ServiceError('not-authorized', {
      message:
        'This call needs the end user: send `Authorization: Bearer <JWT>` of an issuer that the project trusts.',
    });
  return [
    caller.user,
    ...(caller.verifiedEmail === undefined
      ? []
      : [{ kind: 'email' as const, value: caller.verifiedEmail }]),
  ];
}

/** Every hash that says something about who is meant, each once. */
export function hashesOf(access: UserAccess): Buffer[] {
  return [...refsOf(access).values()].map((ref) => ref.hash);
}

/** Every locator of the access by its hash as hex, each once. */
export function refsOf(access: UserAccess): ReadonlyMap<string, LocatorRef> {
  return new Map([access.asked, ...access.vouched].map((ref) => [ref.hash.toString('hex'), ref]));
}

/**
 * The person that is meant, among those behind the locators. A client key reaches its own user
 * only: everybody else does not exist for it.
 * @returns undefined when there is nobody yet, and the caller may create that user
 * @throws user-not-found for a client key that asks for another user
 */
export function choosePerson(
  access: UserAccess,
  persons: ReadonlyMap<string, UserRow>,
): UserRow | undefined {
  const personOf = (ref: LocatorRef) => persons.get(ref.hash.toString('hex'));
  const asked = personOf(access.asked);
  if (
    access.own &&
    !access.own.some(
      (ref) => ref.key === access.asked.key || (asked && personOf(ref)?.id === asked.id),
    )
  )
    throw new ServiceError('user-not-found');
  return asked ?? access.vouched.map(personOf).find((person) => person !== undefined);
}

/**
 * The user of a locator, within what the caller may see.
 * @throws invalid-locator, not-authorized, user-not-found
 */
export async function findUser(ctx: AccessCtx, locator: string): Promise<User> {
  const access = await readAccess(ctx, { locator });
  const person = choosePerson(
    access,
    await selectPersonsByLocator(ctx.store, {
      projectId: access.projectId,
      hashes: hashesOf(access),
    }),
  );
  if (!person) throw new ServiceError('user-not-found');
  return openUser(ctx, person);
}
