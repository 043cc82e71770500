import { ServiceError } from '../../lib/errors.ts';
import type { PaymentMethod } from '../../providers/vault/wire.ts';
import { createMicroBatcher, isItemFault, type MicroBatcher } from '../../store/micro-batch.ts';
import type { Tx } from '../../store/types.ts';
import { lockPersonsOfKeys, type UserKey, type VaultRequestCtx } from '../index.ts';
import { sealAnswerOf } from '../server/stored-answers.ts';
import { countCreations, livePerUserMax, refuseAnother } from './caps.ts';
import { openDetails, sealDetails } from './content.ts';
import {
  type Inserted,
  insertMethods,
  type NewMethod,
  selectByFingerprint,
  updateDetails,
} from './store.ts';
import type { Details } from './types.ts';
import { methodView } from './view.ts';

/** A method that is checked and sealed, and whose call waits for it. */
export interface MethodToSave {
  readonly ctx: VaultRequestCtx;
  readonly userKey: UserKey;
  readonly method: NewMethod;
  readonly details: Details;
}

export interface SaveResult {
  readonly paymentMethod: PaymentMethod;
  /** False: the person has this account already, and this is it. */
  readonly created: boolean;
}

const batchSizeMax = 32;
/**
 * The audit log lets one transaction after the other through, so a second one gets ready while the
 * first commits.
 */
const batchesAtOnceMax = 2;

/**
 * Stores methods of calls that arrive together in one transaction: each takes turns at the audit
 * log, and a turn costs a commit. A batch that one of them spoils is run again one by one.
 */
export function createMethodSaver(): MicroBatcher<MethodToSave, SaveResult> {
  return createMicroBatcher<MethodToSave, SaveResult>({
    maxItems: batchSizeMax,
    concurrency: batchesAtOnceMax,
    runAloneAfter: (error) => isItemFault(error) || error instanceof ServiceError,
    run: saveMethods,
  });
}

/** @throws conflict, validation-error, rate-limited when one of the items cannot be stored */
async function saveMethods(items: readonly MethodToSave[]): Promise<readonly SaveResult[]> {
  const { ctx } = items[0]!;
  return ctx.store.transaction(async (tx) => {
    const persons = await lockPersonsOfKeys(
      tx,
      items.map(({ userKey }) => userKey.id),
    );
    const methods = items.map(({ method, userKey }) => ({
      ...method,
      personId: persons.get(userKey.id)!,
    }));
    const inserted = await insertMethods(tx, methods, livePerUserMax);
    const results: SaveResult[] = [];
    for (const [index, item] of items.entries())
      results.push(
        await completeSave(tx, { ...item, method: methods[index]! }, inserted.get(item.method.id)),
      );
    // What follows is where everybody queues.
    await countCreations(
      ctx,
      tx,
      methods.filter((method) => inserted.has(method.id)),
    );
    await ctx.vault.audit.append(
      tx,
      items.map(({ ctx: { caller }, method }, index) => ({
        actor: `key:${caller.keyId}`,
        action: results[index]!.created ? 'payment-method.created' : 'payment-method.repeated',
        projectId: method.projectId,
        subject: results[index]!.paymentMethod.paymentMethodId,
        detail: { type: method.type, shared: inserted.get(method.id)?.isShared ?? false },
      })),
    );
    return results;
  });
}

/** An item whose person is locked. */
type LockedItem = MethodToSave & { readonly method: { readonly personId: string } };

async function completeSave(
  tx: Tx,
  item: LockedItem,
  inserted: Inserted | undefined,
): Promise<SaveResult> {
  const { ctx, method, details, userKey } = item;
  const result: SaveResult = inserted
    ? {
        created: true,
        paymentMethod: methodView(ctx, { ...method, isDefault: inserted.isDefault }, details),
      }
    : { created: false, paymentMethod: await answerKnown(tx, item) };
  await ctx.idempotency?.complete(tx, {
    status: result.created ? 201 : 200,
    body: await sealAnswerOf(ctx, userKey, result.paymentMethod),
  });
  return result;
}

/**
 * The method that was in the way, with a new expiry date if that is what was sent.
 * @throws validation-error when none was
 */
async function answerKnown(
  tx: Tx,
  { ctx, method, details: sent }: LockedItem,
): Promise<PaymentMethod> {
  const known = (await selectByFingerprint(tx, method)) ?? refuseAnother();
  const details = await openDetails(ctx, known);
  const expiration = sent.card?.expiration;
  const isRenewed =
    details.card !== undefined &&
    expiration !== undefined &&
    (details.card.expiration.month !== expiration.month ||
      details.card.expiration.year !== expiration.year);
  if (!isRenewed) return methodView(ctx, known, details);
  const renewed = { ...details, card: { ...details.card!, expiration } };
  const sealedDetails = await sealDetails(
    ctx,
    known.userKey,
    { ...known, version: known.version + 1 },
    renewed,
  );
  const isStored = await updateDetails(tx, {
    id: known.id,
    fromVersion: known.version,
    sealedDetails,
    at: method.createdAt,
  });
  if (!isStored) throw new ServiceError('conflict');
  return methodView(ctx, { ...known, updatedAt: method.createdAt }, renewed);
}
