import { formatUserLocator } from '../../lib/locator.ts';
import type { PaymentMethod } from '../../providers/vault/wire.ts';
import type { Tx } from '../../store/types.ts';
import { lockUserKey, type VaultRequestCtx } from '../../vault/index.ts';
import { sealAnswerOf } from '../../vault/stored-answers.ts';
import { checkAccount } from './accounts.ts';
import { countCreation } from './caps.ts';
import { openDetails, sealDetails, sealSecrets } from './content.ts';
import { ownerKeyOf, ownerOfNewMethod } from './owner.ts';
import { ownerRefOf } from './payment-methods.ts';
import type { CreateBody } from './schema.ts';
import { insertMethod, isSharedAccount, type MethodRecord, type NewMethod, selectByFingerprint, updateDetails } from './store.ts';
import type { CheckedAccount } from './types.ts';
import { methodView } from './view.ts';

export interface CreateResult {
  readonly paymentMethod: PaymentMethod;
  /** False: the user has this account already, and this is it. */
  readonly created: boolean;
}

/**
 * Checks and seals an account or card of a user. The same account of the same user is the same method: what was sent beside
 * the number is not applied again, except that a card sent with a new expiry date is the renewed card.
 * @throws validation-error, invalid-locator, payment-method-not-supported, forbidden, rate-limited, conflict, provider-unavailable
 */
export async function createPaymentMethod(ctx: VaultRequestCtx, body: CreateBody): Promise<CreateResult> {
  const { projectId } = ctx.caller;
  const owner = ownerOfNewMethod(ctx.caller, body.userLocator);
  const account = checkAccount(body, ctx.clock.now());
  const userKey = await ctx.vault.userKeys.ensure({ projectId, ownerRef: ownerRefOf(ctx, projectId, ownerKeyOf(owner)) });
  const place = { id: ctx.idempotency?.objectId ?? ctx.ids.uuid(), projectId, type: account.type, version: 1, accountVersion: 1 };
  const details = { ...account.details, userLocator: formatUserLocator(owner) };
  const sealed = {
    sealedDetails: await sealDetails(ctx, userKey, place, details),
    sealedAccount: await sealSecrets(ctx, userKey, place, account.secrets),
  };

  return ctx.store.transaction(async (tx) => {
    await lockUserKey(tx, userKey);
    const now = ctx.clock.now();
    const method: NewMethod = {
      ...place,
      ...sealed,
      userKeyId: userKey.id,
      fingerprint: fingerprintOf(ctx, account),
      createdAt: now,
      updatedAt: now,
    };
    const known = await selectByFingerprint(tx, method);
    const result = known
      ? { created: false, paymentMethod: await answerKnown(ctx, tx, { known, account, now }) }
      : { created: true, paymentMethod: methodView({ ...method, ...(await storeNew(ctx, tx, method)) }, details) };
    await ctx.idempotency?.complete(tx, {
      status: result.created ? 201 : 200,
      body: await sealAnswerOf(ctx, userKey, result.paymentMethod),
    });
    // Last: the log is where everybody queues.
    await ctx.vault.audit.append(tx, [
      {
        actor: `key:${ctx.caller.keyId}`,
        action: result.created ? 'payment-method.created' : 'payment-method.repeated',
        projectId,
        subject: result.paymentMethod.paymentMethodId,
        detail: {
          type: account.type,
          shared: result.created && (await isSharedAccount(tx, { projectId, userKeyId: userKey.id, fingerprint: method.fingerprint })),
        },
      },
    ]);
    return result;
  });
}

/** What decides whether two accounts of a project are the same. Keyed, so that nobody finds a number by trying. */
export function fingerprintOf(ctx: VaultRequestCtx, account: CheckedAccount): Buffer {
  return ctx.vault.fingerprint(ctx.caller.projectId, ['account', account.type, ...account.identity]);
}

async function storeNew(ctx: VaultRequestCtx, tx: Tx, method: NewMethod): Promise<{ readonly isDefault: boolean }> {
  await countCreation(ctx, tx, method);
  const stored = await insertMethod(tx, method);
  // The user's key is locked and nothing with this fingerprint was there.
  if (!stored) throw new Error('a payment method appeared behind the lock of its user');
  return stored;
}

async function answerKnown(
  ctx: VaultRequestCtx,
  tx: Tx,
  { known, account, now }: { readonly known: MethodRecord; readonly account: CheckedAccount; readonly now: Date },
): Promise<PaymentMethod> {
  const details = await openDetails(ctx, known);
  const expiration = account.details.card?.expiration;
  const isRenewed =
    details.card !== undefined &&
    expiration !== undefined &&
    (details.card.expiration.month !== expiration.month || details.card.expiration.year !== expiration.year);
  if (!isRenewed) return methodView(known, details);
  const renewed = { ...details, card: { ...details.card!, expiration } };
  const sealedDetails = await sealDetails(ctx, known.userKey, { ...known, version: known.version + 1 }, renewed);
  await updateDetails(tx, { id: known.id, fromVersion: known.version, sealedDetails, at: now });
  return methodView({ ...known, updatedAt: now }, renewed);
}
