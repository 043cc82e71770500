import { ownerOfNewMethod } from '../../areas/payment-methods/owner.ts';
import { formatUserLocator } from '../../lib/locator/locator.ts';
import { locatorKeyOf } from '../../lib/locator/locator-key.ts';
import type { MicroBatcher } from '../../store/micro-batch.ts';
import type { VaultRequestCtx } from '../index.ts';
import { checkAccount } from './accounts.ts';
import { sealDetails, sealSecrets } from './content.ts';
import { ownerRefOf } from './payment-methods.ts';
import type { MethodToSave, SaveResult } from './save.ts';
import type { CreateBody } from './schema.ts';

/**
 * Checks and seals an account or card of a user. The same account of the same user is the same
 * method: what was sent beside the number is not applied again, except that a card sent with a new
 * expiry date is the renewed card.
 * @throws validation-error, invalid-locator, payment-method-not-supported, user-not-found,
 * rate-limited, conflict, provider-unavailable
 */
export async function createPaymentMethod(
  ctx: VaultRequestCtx,
  saver: MicroBatcher<MethodToSave, SaveResult>,
  body: CreateBody,
): Promise<SaveResult> {
  const { projectId } = ctx.caller;
  const owner = ownerOfNewMethod(ctx.caller, body.userLocator);
  const now = ctx.clock.now();
  const account = checkAccount(body, now);
  const userKey = await ctx.vault.userKeys.ensure({
    projectId,
    ownerRef: ownerRefOf(ctx, projectId, locatorKeyOf(owner)),
  });
  const place = {
    id: ctx.idempotency?.objectId ?? ctx.ids.uuid(),
    projectId,
    type: account.type,
    version: 1,
    accountVersion: 1,
  };
  const details = { ...account.details, userLocator: formatUserLocator(owner) };
  const method = {
    ...place,
    userKeyId: userKey.id,
    sealedDetails: await sealDetails(ctx, userKey, place, details),
    sealedAccount: await sealSecrets(ctx, userKey, place, account.secrets),
    // What decides whether two accounts of a project are the same. Keyed, so that nobody finds a
    // number by trying.
    fingerprint: ctx.vault.fingerprint(projectId, ['account', account.type, ...account.identity]),
    createdAt: now,
    updatedAt: now,
  };
  return saver.add({ ctx, userKey, method, details });
}
