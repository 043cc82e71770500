import type { Caller } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { formatUserLocator, parseOwner } from '../../lib/locator/locator.ts';
import { locatorKeyOf } from '../../lib/locator/locator-key.ts';

/** The project itself as owner: no end user. */
export const companyOwner = 'COMPANY';

/** Owner of a create body: as answered, and as compared. @throws invalid-locator */
export function readOwner(owner: string): { readonly owner: string; readonly ownerKey: string } {
  const parsed = parseOwner(owner);
  if (parsed === companyOwner) return { owner: companyOwner, ownerKey: companyOwner };
  return { owner: formatUserLocator(parsed), ownerKey: locatorKeyOf(parsed) };
}

/** Owner keys of the end user behind a client key, most specific first. @throws not-authorized */
export function callerOwnerKeys(caller: Caller): string[] {
  if (!caller.user)
    throw new ServiceError('not-authorized', {
      message:
        'This call needs the end user: send `Authorization: Bearer <JWT>` of an issuer that the project trusts.',
    });
  const keys = [locatorKeyOf(caller.user)];
  if (caller.verifiedEmail) keys.push(locatorKeyOf({ kind: 'email', value: caller.verifiedEmail }));
  return keys;
}
