import type { Ctx, RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { keySealer, loadHasher } from '../../users/index.ts';
import { checkCard, checkEnteredCard } from '../cards/saved-card.ts';
import { changeCheckout } from '../change-checkout.ts';
import { getCheckout } from '../checkouts.ts';
import { isTakeOver } from '../live/browser-view.ts';
import { selectWatched } from '../live/live-store.ts';
import type { RespondBody } from '../schema.ts';
import { lockCheckout } from '../store.ts';
import type { ActionRecord, CheckoutRecord } from '../types.ts';
import { closeAction, selectAction } from './actions-store.ts';
import { checkValues } from './check-values.ts';

export interface Acknowledgement {
  readonly checkoutId: string;
  readonly actionId: string;
  readonly status: 'accepted';
  readonly acceptedAt: string;
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Purpose of a sealed answer; it opens for its own action only. */
export const answerContext = (action: Pick<ActionRecord, 'id'>, projectId: string) => ({
  purpose: 'user-action-answer',
  projectId,
  id: action.id,
  version: 1,
});

/**
 * Takes the user's answer to a pending action, once. The same answer again gets the same
 * acknowledgement. Values lie sealed until the run has fetched them, for minutes at most.
 * @throws not-authorized, checkout-not-found, action-not-found, action-schema-mismatch,
 * action-stale, checkout-finished
 */
export async function respondToAction(
  ctx: RequestCtx,
  input: { readonly id: string; readonly actionId: string; readonly body: RespondBody },
): Promise<Acknowledgement> {
  const { body } = input;
  const checkout = await getCheckout(ctx, input.id);
  const action = uuidPattern.test(input.actionId)
    ? await selectAction(ctx.store, { checkoutId: checkout.id, id: input.actionId })
    : undefined;
  if (!action) throw new ServiceError('action-not-found');
  if (body.action === 'submit' && action.status === 'open') {
    checkValues(action, body.values);
    if (action.request.kind === 'payment-credential') await checkCard(ctx, body.values);
  }
  return claimAnswer(ctx, checkout, action, body);
}

/**
 * The user says in the live page that they have done there what was asked: signed in, solved,
 * confirmed.
 * @throws action-not-found, action-schema-mismatch for a question that cannot be answered there,
 * action-stale, checkout-finished
 */
export async function respondInLivePage(
  ctx: Ctx,
  input: { readonly id: string; readonly actionId: string },
): Promise<void> {
  const action = await selectAction(ctx.store, { checkoutId: input.id, id: input.actionId });
  const checkout = await selectWatched(ctx.store, input.id);
  if (!action || !checkout) throw new ServiceError('action-not-found');
  if (!isTakeOver(action.request.kind)) throw new ServiceError('action-schema-mismatch');
  const values = { done: true };
  checkValues(action, values);
  await claimAnswer(ctx, checkout, action, { action: 'submit', values });
}

/**
 * Takes the answer of whoever opened the page that stands in for an app in development.
 * @throws action-not-found, action-schema-mismatch, action-stale, checkout-finished
 */
export async function respondOnSandboxPage(
  ctx: Ctx,
  input: { readonly id: string; readonly actionId: string; readonly body: RespondBody },
): Promise<void> {
  const { body } = input;
  const action = await selectAction(ctx.store, { checkoutId: input.id, id: input.actionId });
  const checkout = await selectWatched(ctx.store, input.id);
  if (!action || !checkout) throw new ServiceError('action-not-found');
  if (body.action === 'submit') {
    checkValues(action, body.values);
    if (action.request.kind === 'payment-credential') checkEnteredCard(ctx, body.values);
  }
  await claimAnswer(ctx, checkout, action, body);
}

async function claimAnswer(
  ctx: Ctx,
  checkout: Pick<CheckoutRecord, 'id' | 'projectId'>,
  action: ActionRecord,
  body: RespondBody,
): Promise<Acknowledgement> {
  const key = { checkoutId: checkout.id, id: action.id };
  const hasher = await loadHasher(ctx, checkout.projectId);
  const answerHash = hasher('user-action-answer', `${action.id}\n${canonical(body)}`);
  return ctx.store.transaction(async (tx) => {
    const record = (await lockCheckout(tx, checkout.id))!;
    const current = (await selectAction(tx, key))!;
    const at = ctx.clock.now();
    if (current.answeredAt && current.answerHash?.equals(answerHash))
      return acknowledge(current, current.answeredAt);
    if (record.endedAt) throw new ServiceError('checkout-finished');
    if (current.status !== 'open' || current.expiresAt <= at)
      throw new ServiceError('action-stale');
    const sealedAnswer = keySealer(ctx.config).seal(
      Buffer.from(JSON.stringify(body)),
      answerContext(action, record.projectId),
    );
    const status = body.action === 'submit' ? 'submitted' : 'declined';
    if (!(await closeAction(tx, { id: action.id, status, at, answerHash, sealedAnswer })))
      throw new ServiceError('action-stale');
    await changeCheckout(ctx, tx, record, {
      event: status,
      progress: [
        { type: 'user-action', title: body.action === 'submit' ? 'You answered' : 'You declined' },
      ],
    });
    return acknowledge(current, at);
  });
}

function acknowledge({ checkoutId, id }: ActionRecord, at: Date): Acknowledgement {
  return { checkoutId, actionId: id, status: 'accepted', acceptedAt: at.toISOString() };
}

/** The same answer, however its fields were ordered. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
