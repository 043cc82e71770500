import type { Caller } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseUserLocator, type UserLocator } from '../../lib/locator/locator.ts';
import { locatorKeyOf } from '../../lib/locator/locator-key.ts';

/** Owner keys of the end user behind a client key, most specific first. */
export function ownerKeysOfCaller(caller: Caller): string[] {
  if (!caller.user) throw new ServiceError('not-authorized');
  const keys = [locatorKeyOf(caller.user)];
  if (caller.verifiedEmail) keys.push(locatorKeyOf({ kind: 'email', value: caller.verifiedEmail }));
  return keys;
}

/**
 * Whose method a caller creates. Nothing is looked up, so that nothing can be learned.
 * @throws invalid-locator, validation-error a server key names nobody, user-not-found a client key
 * names somebody else
 */
export function ownerOfNewMethod(caller: Caller, userLocator: string | undefined): UserLocator {
  const named = userLocator === undefined ? undefined : readUser(userLocator);
  if (caller.keyKind === 'server') {
    if (!named)
      throw new ServiceError('validation-error', {
        message: 'The body lacks `userLocator`: name the user, as in "userId:alice".',
      });
    return named;
  }
  const own = ownerKeysOfCaller(caller);
  if (named && !own.includes(locatorKeyOf(named))) throw anotherUser();
  return named ?? caller.user!;
}

/**
 * Whose methods a list shows: those of the named user with a server key, those of the JWT's user
 * with a client key.
 * @throws invalid-locator, validation-error, user-not-found
 */
export function ownersOfList(caller: Caller, userLocator: string | undefined): string[] {
  if (caller.keyKind === 'server') {
    if (userLocator === undefined)
      throw new ServiceError('validation-error', {
        message: 'The query lacks `userLocator`: name the user, as in "userId:alice".',
      });
    return [locatorKeyOf(readUser(userLocator))];
  }
  const own = ownerKeysOfCaller(caller);
  if (userLocator !== undefined && !own.includes(locatorKeyOf(readUser(userLocator))))
    throw anotherUser();
  return own;
}

/** For a client key nobody but its own user exists, whether the service knows them or not. */
function anotherUser(): ServiceError {
  return new ServiceError('user-not-found', {
    message:
      'User not found. With a client-side key the user is that of the JWT: leave `userLocator` out.',
  });
}

/**
 * Whose methods a caller may reach by id: anybody's of the project with a server key (`undefined`),
 * else the user's own.
 */
export function ownersInReach(caller: Caller): string[] | undefined {
  return caller.keyKind === 'server' ? undefined : ownerKeysOfCaller(caller);
}

/**
 * A number may have been sent as a locator by mistake: the message does not repeat it.
 * @throws invalid-locator
 */
function readUser(text: string): UserLocator {
  try {
    return parseUserLocator(text);
  } catch {
    throw new ServiceError('invalid-locator', {
      message:
        'The `userLocator` cannot be read. Accepted forms: email:<email>, userId:<userId>, phoneNumber:<E.164 number>, twitter:<handle>, x:<handle>.',
    });
  }
}
