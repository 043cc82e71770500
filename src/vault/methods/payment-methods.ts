import type { MethodChange } from '../../areas/payment-methods/schema.ts';
import { ServiceError } from '../../lib/errors.ts';
import type {
  OwnedPaymentMethod,
  PaymentMethod,
  PaymentMethodList,
} from '../../providers/vault/wire.ts';
import type { Db, Tx } from '../../store/types.ts';
import { lockPersonsOfKeys, type VaultCtx } from '../index.ts';
import { openDetails, sealDetails } from './content.ts';
import {
  type ListPlace,
  type MethodRecord,
  markDeleted,
  moveDefault,
  selectMethod,
  selectMethods,
  selectOldest,
  updateDetails,
} from './store.ts';
import type { Details, PaymentMethodType } from './types.ts';
import { methodView } from './view.ts';

/** Which method, and within whose: `owners` absent reaches every user of the project. */
export interface MethodReach {
  readonly projectId: string;
  readonly id: string;
  /** Owner keys, e.g. `userId:alice`. */
  readonly owners?: readonly string[];
}

/** Who changes something, for the audit log: `key:<id>`. */
export interface Acting {
  readonly actor: string;
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const pageSizeDefault = 20;

/** The keyed hash under which the vault knows a user of a project. */
export function ownerRefOf(ctx: VaultCtx, projectId: string, ownerKey: string): Buffer {
  return ctx.vault.fingerprint(projectId, ['owner', ownerKey]);
}

/**
 * A live method with its owner.
 * @throws payment-method-not-found unknown, deleted, or out of reach: all alike
 */
export async function getPaymentMethod(
  ctx: VaultCtx,
  input: MethodReach,
): Promise<OwnedPaymentMethod> {
  const method = await requireMethod(ctx, input);
  const details = await openDetails(ctx, method);
  return { paymentMethod: methodView(ctx, method, details), userLocator: details.userLocator };
}

/**
 * Live methods of some owners, newest first.
 * @throws validation-error the cursor is not one of ours
 */
export async function listPaymentMethods(
  ctx: VaultCtx,
  input: {
    readonly projectId: string;
    readonly owners: readonly string[];
    readonly type?: PaymentMethodType;
    readonly limit?: number;
    readonly cursor?: string;
  },
): Promise<PaymentMethodList> {
  const limit = input.limit ?? pageSizeDefault;
  const found = await selectMethods(ctx.store, {
    projectId: input.projectId,
    ownerRefs: input.owners.map((owner) => ownerRefOf(ctx, input.projectId, owner)),
    type: input.type,
    after: input.cursor === undefined ? undefined : readCursor(input.cursor),
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const data: PaymentMethod[] = [];
  for (const method of page) data.push(methodView(ctx, method, await openDetails(ctx, method)));
  const last = page.at(-1);
  return { data, nextCursor: found.length > limit && last ? formatCursor(last) : null };
}

/**
 * Changes billing details or the default.
 * @throws payment-method-not-found, validation-error, conflict
 */
export async function updatePaymentMethod(
  ctx: VaultCtx,
  input: MethodReach & Acting & { readonly change: MethodChange },
): Promise<PaymentMethod> {
  const { change } = input;
  const before = await requireMethod(ctx, input);
  return ctx.store.transaction(async (tx) => {
    await lockPersonsOfKeys(tx, [before.userKey.id]);
    const method = await requireMethod(ctx, input, tx);
    if (change.billingOf !== undefined) checkShape(method, change.billingOf);
    const at = ctx.clock.now();
    if (change.billing) await changeBilling(ctx, tx, { method, billing: change.billing, at });
    if (change.default === true)
      await moveDefault(tx, { personId: method.personId, id: method.id, at });
    if (change.default === false && method.isDefault)
      throw new ServiceError('validation-error', {
        message: 'A default is not taken away: make another payment method the default instead.',
      });
    const after = await requireMethod(ctx, input, tx);
    const details = await openDetails(ctx, after);
    await ctx.vault.audit.append(tx, [
      {
        actor: input.actor,
        action: 'payment-method.updated',
        projectId: input.projectId,
        subject: method.id,
        detail: { billing: change.billing !== undefined, default: change.default },
      },
    ]);
    return methodView(ctx, after, details);
  });
}

/**
 * Soft deletion. The default of a user passes on to the method that was there longest.
 * @throws payment-method-not-found
 */
export async function deletePaymentMethod(
  ctx: VaultCtx,
  input: MethodReach & Acting,
): Promise<void> {
  const method = await requireMethod(ctx, input);
  await ctx.store.transaction(async (tx) => {
    await lockPersonsOfKeys(tx, [method.userKey.id]);
    const at = ctx.clock.now();
    const current = await selectMethod(tx, { projectId: input.projectId, id: method.id });
    if (!current || !(await markDeleted(tx, { id: current.id, at })))
      throw new ServiceError('payment-method-not-found');
    const heir = current.isDefault ? await selectOldest(tx, current.personId) : undefined;
    if (heir !== undefined) await moveDefault(tx, { personId: current.personId, id: heir, at });
    await ctx.vault.audit.append(tx, [
      {
        actor: input.actor,
        action: 'payment-method.deleted',
        projectId: input.projectId,
        subject: method.id,
      },
    ]);
  });
}

/** @throws payment-method-not-found */
export async function requireMethod(
  ctx: VaultCtx,
  input: MethodReach,
  db: Db = ctx.store,
): Promise<MethodRecord> {
  const method = uuidPattern.test(input.id)
    ? await selectMethod(db, {
        projectId: input.projectId,
        id: input.id,
        ownerRefs: input.owners?.map((owner) => ownerRefOf(ctx, input.projectId, owner)),
      })
    : undefined;
  if (!method) throw new ServiceError('payment-method-not-found');
  return method;
}

/** @throws validation-error */
function checkShape(
  { type }: Pick<MethodRecord, 'type'>,
  billingOf: NonNullable<MethodChange['billingOf']>,
): void {
  const own = type === 'card' ? 'card' : 'bankAccount';
  if (own === billingOf) return;
  throw new ServiceError('validation-error', {
    message: `The body has \`${billingOf}.billing\`, and this payment method is a ${own === 'card' ? 'card' : 'bank account'}: send \`${own}.billing\` or \`billing\`.`,
  });
}

async function changeBilling(
  ctx: VaultCtx,
  tx: Tx,
  input: {
    readonly method: MethodRecord;
    readonly billing: NonNullable<MethodChange['billing']>;
    readonly at: Date;
  },
): Promise<void> {
  const { method } = input;
  const sealedDetails = await sealDetails(
    ctx,
    method.userKey,
    { ...method, version: method.version + 1 },
    withBilling(await openDetails(ctx, method), input.billing),
  );
  if (
    !(await updateDetails(tx, {
      id: method.id,
      fromVersion: method.version,
      sealedDetails,
      at: input.at,
    }))
  )
    throw new ServiceError('conflict');
}

function withBilling(details: Details, billing: NonNullable<MethodChange['billing']>): Details {
  const sent = Object.fromEntries(
    Object.entries(billing).filter(([, value]) => value !== undefined),
  );
  return {
    ...details,
    ...(details.bankAccount && {
      bankAccount: { ...details.bankAccount, billing: { ...details.bankAccount.billing, ...sent } },
    }),
    ...(details.card && {
      card: { ...details.card, billing: { ...details.card.billing, ...sent } },
    }),
  };
}

function formatCursor({ createdAt, id }: ListPlace): string {
  return Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url');
}

function readCursor(text: string): ListPlace {
  const [, ms, id] =
    /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (ms === undefined || id === undefined || !uuidPattern.test(id))
    throw new ServiceError('validation-error', {
      message: 'The cursor is none that this service gave: leave it out to start again.',
    });
  return { createdAt: new Date(Number(ms)), id };
}
