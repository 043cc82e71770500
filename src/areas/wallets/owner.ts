import type { Caller } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { formatUserLocator, parseOwner, type UserLocator } from '../../lib/locator.ts';

/** The project itself as owner: no end user. */
export const companyOwner = 'COMPANY';

/**
 * The one form of an owner that decides whether two are the same: e-mails arrive normalised from the parser, handles are
 * compared without case, and `x` and `twitter` are one place.
 */
export function ownerKeyOf(user: UserLocator): string {
  if (user.kind === 'x' || user.kind === 'twitter') return `twitter:${user.value.toLowerCase().replace(/^@/, '')}`;
  return formatUserLocator(user);
}

/** Owner of a create body: as answered, and as compared. @throws invalid-locator */
export function readOwner(owner: string): { readonly owner: string; readonly ownerKey: string } {
  const parsed = parseOwner(owner);
  if (parsed === companyOwner) return { owner: companyOwner, ownerKey: companyOwner };
  return { owner: formatUserLocator(parsed), ownerKey: ownerKeyOf(parsed) };
}

/** Owner keys of the end user behind a client key, most specific first. @throws not-authorized */
export function callerOwnerKeys(caller: Caller): string[] {
  if (!caller.user)
    throw new ServiceError('not-authorized', {
      message: 'This call needs the end user: send `Authorization: Bearer <JWT>` of an issuer that the project trusts.',
    });
  const keys = [ownerKeyOf(caller.user)];
  if (caller.verifiedEmail) keys.push(ownerKeyOf({ kind: 'email', value: caller.verifiedEmail }));
  return keys;
}
