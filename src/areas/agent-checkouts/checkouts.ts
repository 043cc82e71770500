import { createHash } from 'node:crypto';
import type { RequestCtx } from '../../context.ts';
import { decodePosition, encodePosition } from '../../lib/cursor.ts';
import { ServiceError } from '../../lib/errors.ts';
import { formatUserLocator } from '../../lib/locator/locator.ts';
import { move } from '../../machine/machine.ts';
import { getBrowserProfile, useBrowserProfile } from '../browser-profiles/index.ts';
import { getBuyerProfile } from '../buyer-profiles/index.ts';
import { changeUser, findUser } from '../users/index.ts';
import { selectOpenActions } from './actions/actions-store.ts';
import { publishCheckout } from './change-checkout.ts';
import { requireDailyMax } from './limits/daily-max.ts';
import { requireRoom } from './limits/open-limit.ts';
import { browserView } from './live/browser-view.ts';
import { agentCheckoutMachine } from './machine.ts';
import { type CreateAgentCheckoutBody, checkoutPageSizeDefault } from './schema.ts';
import {
  insertCheckout,
  insertProgress,
  selectCheckout,
  selectCheckouts,
  selectOpenPurchase,
  selectProgress,
} from './store.ts';
import type { CheckoutRecord } from './types.ts';
import { checkoutView } from './view.ts';

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Queues a purchase. With one idempotency key it is one checkout.
 * @throws not-authorized, buyer-profile-not-found, browser-profile-not-found, conflict when this
 *   item is being paid right now, or an earlier purchase of it may or may not have been placed:
 *   somebody has to decide about that one first, rate-limited when too many of the user or the
 *   project are open, or those of a day cost more than its `dailyMax`
 */
export async function createCheckout(
  ctx: RequestCtx,
  body: CreateAgentCheckoutBody,
): Promise<CheckoutRecord> {
  if (body.buyerProfileId !== undefined) await getBuyerProfile(ctx, body.buyerProfileId);
  if (body.browserProfileId !== undefined) await getBrowserProfile(ctx, body.browserProfileId);
  const id = ctx.idempotency?.objectId ?? ctx.ids.uuid();
  const now = ctx.clock.now();
  return changeUser(ctx, { locator: callerLocator(ctx), create: true }, async (tx, user) => {
    const earlier = await selectCheckout(tx, { id, personId: user.id });
    if (earlier) return earlier;
    const itemKey = itemKeyOf(body.target);
    const open = await selectOpenPurchase(tx, { userId: user.id, itemKey });
    if (open)
      throw new ServiceError('conflict', {
        message: open.isUnknown
          ? `Nobody knows yet whether checkout ${open.id} bought this item. It is not bought again before that is decided: answer its question, or have the operator decide (purser checkouts decide).`
          : `Checkout ${open.id} is buying this item right now. Wait for its end, and create another one if it is wanted twice.`,
      });
    await requireDailyMax(tx, { personId: user.id, constraints: body.constraints, now });
    await requireRoom(ctx, tx, { projectId: user.projectId, personId: user.id });
    const record: CheckoutRecord = {
      id,
      projectId: user.projectId,
      userId: user.id,
      status: move(agentCheckoutMachine, '*', 'created') as 'queued',
      target: body.target,
      constraints: body.constraints,
      ...(body.metadata && { metadata: body.metadata }),
      ...(body.buyerProfileId !== undefined && { buyerProfileId: body.buyerProfileId }),
      ...(body.browserProfileId !== undefined && { browserProfileId: body.browserProfileId }),
      itemKey,
      step: 'accepted',
      fence: 0n,
      tries: 0,
      createdAt: now,
      updatedAt: now,
    };
    await insertCheckout(tx, record);
    if (
      record.browserProfileId !== undefined &&
      !(await useBrowserProfile(tx, { checkoutId: id, profileId: record.browserProfileId }))
    )
      throw new ServiceError('browser-profile-not-found');
    await insertProgress(tx, id, [
      { type: 'step', title: 'Waiting for a browser', createdAt: now },
    ]);
    await publishCheckout(ctx, tx, record);
    return record;
  });
}

/**
 * What is bought: the address without what only tracks. Not the wish: who asks again often uses
 * other words.
 */
function itemKeyOf(target: CreateAgentCheckoutBody['target']): Buffer {
  const url = new URL(target.url);
  url.hash = '';
  const tracking = [...url.searchParams.keys()].filter((name) =>
    /^(utm_|gclid$|fbclid$|msclkid$)/i.test(name),
  );
  for (const name of tracking) url.searchParams.delete(name);
  url.searchParams.sort();
  return createHash('sha256').update(url.href).digest();
}

/** @throws not-authorized, checkout-not-found */
export async function getCheckout(ctx: RequestCtx, id: string): Promise<CheckoutRecord> {
  const personId = uuidPattern.test(id) ? await findPersonId(ctx) : undefined;
  const record =
    personId === undefined ? undefined : await selectCheckout(ctx.store, { id, personId });
  if (!record) throw new ServiceError('checkout-not-found');
  return record;
}

/** Newest first. @throws not-authorized, validation-error for a cursor of another list */
export async function listCheckouts(
  ctx: RequestCtx,
  input: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
): Promise<{ readonly checkouts: readonly CheckoutRecord[]; readonly nextCursor: string | null }> {
  const limit = input.limit ?? checkoutPageSizeDefault;
  const query = ['agent-checkouts', callerLocator(ctx)];
  const after = input.cursor === undefined ? undefined : decodePosition(input.cursor, query);
  const personId = await findPersonId(ctx);
  if (personId === undefined) return { checkouts: [], nextCursor: null };
  const rows = await selectCheckouts(ctx.store, {
    personId,
    limit: limit + 1,
    ...(after && { after }),
  });
  const checkouts = rows.slice(0, limit);
  const last = checkouts.at(-1);
  return {
    checkouts,
    nextCursor:
      last && rows.length > limit
        ? encodePosition({ at: last.createdAt, id: last.id }, query)
        : null,
  };
}

/** Checkouts as their user sees them, with few statements. */
export async function viewCheckouts(ctx: RequestCtx, records: readonly CheckoutRecord[]) {
  const ids = records.map((record) => record.id);
  const [progress, actions] = await Promise.all([
    selectProgress(ctx.store, ids),
    selectOpenActions(ctx.store, ids),
  ]);
  return records.map((record) => {
    const action = actions.get(record.id);
    return checkoutView(ctx, record, {
      progress: progress.get(record.id)!,
      action,
      browser: browserView(ctx, record, action),
    });
  });
}

/** The person behind the call; undefined while nobody has stored anything of them. */
async function findPersonId(ctx: RequestCtx): Promise<string | undefined> {
  try {
    return (await findUser(ctx, callerLocator(ctx))).id;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'user-not-found') return undefined;
    throw error;
  }
}

function callerLocator({ caller }: RequestCtx): string {
  if (!caller.user)
    throw new ServiceError('not-authorized', {
      message:
        'No authentication header was provided: send `Authorization: Bearer <JWT>` of the user.',
    });
  return formatUserLocator(caller.user);
}
