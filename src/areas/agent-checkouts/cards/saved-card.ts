import { z } from 'zod';
import type { Ctx, RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { cardFromAnswer } from '../../../runner/card-answer.ts';
import type { UserActionAnswer } from '../../../runner/types.ts';
import type { Tx } from '../../../store/types.ts';
import { ownerKeysOfCaller } from '../../payment-methods/index.ts';
import { requireApproval } from '../runs/run-approval.ts';
import type { ActionRecord, CheckoutRecord } from '../types.ts';

const letterSchema = z.object({ letter: z.base64().max(4_000) });

/**
 * What a schema of the interface's subset cannot say of a card: a mistyped one, or a saved one that
 * is not the caller's, is refused while it can be mended.
 * @throws action-schema-mismatch, provider-unavailable
 */
export async function checkCard(ctx: RequestCtx, values: JsonObject): Promise<void> {
  const { paymentMethodId: id, cvc } = values;
  if (typeof id !== 'string') return checkEnteredCard(ctx, values);
  const problem = await findProblem(ctx, { id, cvc });
  if (problem !== undefined) throw new ServiceError('action-schema-mismatch', { message: problem });
}

/** The same for a card whose number was entered. @throws action-schema-mismatch */
export function checkEnteredCard(ctx: Pick<Ctx, 'clock'>, values: JsonObject): void {
  const answer = cardFromAnswer(values, ctx.clock.now());
  if ('problem' in answer)
    throw new ServiceError('action-schema-mismatch', { message: answer.problem });
}

async function findProblem(
  ctx: RequestCtx,
  { id, cvc }: { readonly id: string; readonly cvc: unknown },
): Promise<string | undefined> {
  if (typeof cvc !== 'string' || !/^\d{3,4}$/.test(cvc.trim()))
    return 'The security code of a card has 3 or 4 digits.';
  const { projectId } = ctx.caller;
  const owners = ownerKeysOfCaller(ctx.caller);
  const found = await ctx.providers.vault
    .getPaymentMethod({ projectId, id, owners })
    .catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'payment-method-not-found')
        return undefined;
      throw error;
    });
  return found?.paymentMethod.type === 'card' ? undefined : 'There is no such saved card.';
}

/** A saved card that a run is to pay with. */
export interface SavedCard {
  readonly projectId: string;
  readonly checkoutId: string;
  readonly total: { readonly amountMinor: string; readonly currency: string };
  readonly paymentMethodId: string;
  readonly values: JsonObject;
}

/**
 * Undefined when the answer is no saved card.
 * @throws conflict while a card may not be handed out, as for a card of an issuer
 */
export async function findSavedCard(
  tx: Tx,
  {
    record,
    action,
    answer,
  }: {
    readonly record: CheckoutRecord;
    readonly action: ActionRecord;
    readonly answer: UserActionAnswer;
  },
): Promise<SavedCard | undefined> {
  const { request } = action;
  if (request.kind !== 'payment-credential' || answer.action !== 'submit') return undefined;
  const { paymentMethodId } = answer.values;
  if (typeof paymentMethodId !== 'string') return undefined;
  if (record.armedAt)
    throw new ServiceError('conflict', {
      message: 'The purchase may have been placed: no card is handed out.',
    });
  // Amounts of a stored request are text.
  const total = {
    amountMinor: BigInt(request.total.amountMinor),
    currency: request.total.currency,
  };
  await requireApproval(tx, record, { total, origin: request.origin });
  return {
    projectId: record.projectId,
    checkoutId: record.id,
    total: { amountMinor: total.amountMinor.toString(), currency: total.currency },
    paymentMethodId,
    values: answer.values,
  };
}

/**
 * The answer with the card in it, sealed by the vault to the runners' key: this process carries it
 * and cannot read it.
 * @throws provider-unavailable, payment-method-not-found, payment-method-not-supported, conflict
 */
export async function addCardLetter(
  ctx: Ctx,
  { values, ...asked }: SavedCard,
): Promise<UserActionAnswer> {
  const { letter } = await ctx.providers.vault.ask('cards.for-run', asked, letterSchema);
  return { action: 'submit', values: { ...values, cardLetter: letter } };
}
