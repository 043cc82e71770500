import type { Ctx, RequestCtx } from '../../../../context.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import type { JsonObject } from '../../../../lib/json/json.ts';
import { formatAmount } from '../../../../lib/money/amount.ts';
import {
  type CardProvider,
  CardProviderError,
  CardRefusedError,
} from '../../../../providers/card/card.ts';
import { lacksPhysicalAddress } from '../../api/shipping.ts';
import { checkIdentity } from '../../identity/gate.ts';
import { ensurePerson } from '../../identity/person.ts';
import { preparationOf, readRecipientProof } from '../../identity/recipient-proof.ts';
import { ensureRecipient, lackingRecipient, openRecipient } from '../../legs/delivery/recipient.ts';
import { isAllCollectible } from '../../state/items.ts';
import type { OrderRecord } from '../../state/types.ts';
import type { Assessment, Lifecycle, Opening, OpeningInput } from '../lifecycle.ts';
import { payerLocator, readTokenRecipient } from './recipient.ts';

/**
 * What is particular to orders that are paid by card and deliver tokens, until somebody may pay.
 */
export const onrampLifecycle: Lifecycle = {
  assessHasEffects: true,
  open: openOnramp,
  assess: assessOnramp,
};

/**
 * @throws validation-error, chain-not-supported, ExternalWalletNotLinkedToUserError,
 * sanctioned-address, provider-unavailable
 */
async function openOnramp(ctx: RequestCtx, input: OpeningInput): Promise<Opening> {
  requireCard(ctx);
  const { recipient } = input.request;
  const { terms } = input;
  if (!terms) return { event: 'created-incomplete', quote: 'all-line-items-unavailable', set: {} };
  // Goods, which anybody may be given: who receives money has to be known.
  if (isAllCollectible({ terms }))
    return (
      (await lackingRecipient(ctx, { ...input, terms })) ?? {
        event: 'created',
        set: await openRecipient(ctx, { ...input, terms }),
      }
    );
  if (recipient.walletAddress === undefined)
    return { event: 'created-incomplete', quote: 'requires-recipient', set: {} };
  if (
    await lacksPhysicalAddress(ctx, { projectId: input.projectId, request: input.request, terms })
  )
    return { event: 'created-incomplete', quote: 'requires-physical-address', set: {} };
  const set = await readTokenRecipient(ctx, { ...input, walletAddress: recipient.walletAddress });
  return { event: 'created', set };
}

/** The first thing that an order lacks, or the acquirer's payment when it lacks nothing. */
async function assessOnramp(ctx: Ctx, order: OrderRecord): Promise<Assessment> {
  const { receiptEmail } = order.request.payment;
  if (receiptEmail === undefined) return { event: 'email-needed' };
  const { userId, userLocator } = await ensureUser(ctx, order);
  const amountUsd = worthInUsd(order);
  const set = { userId, userLocator };
  if (isAllCollectible(order)) return assessGoods(ctx, order, { set, amountUsd });
  const identity = await checkIdentity(ctx, { order, operation: 'onramp', userId, amountUsd });
  // The flow takes it from here: whoever was refused ends there, a review that is under way is
  // followed there.
  if (identity.state === 'refused')
    return { event: 'kyc-needed', set, facts: { amountUsd, preparation: undefined } };
  if (identity.state !== 'clear')
    return { event: 'kyc-needed', set, facts: { amountUsd, ...identity.facts } };
  const proof = await readRecipientProof(ctx, { order, userId, amountUsd });
  if (proof)
    return { event: 'proof-needed', set, facts: { amountUsd, preparation: preparationOf(proof) } };
  const payment = await createPayment(ctx, order);
  return {
    event: 'checks-passed',
    set: { ...set, cardReference: payment.cardReference },
    facts: { amountUsd, preparation: payment.preparation },
  };
}

/** Items of collections ask for no identity check, and no proof of the recipient's wallet. */
async function assessGoods(
  ctx: Ctx,
  order: OrderRecord,
  { set, amountUsd }: { readonly set: Assessment['set']; readonly amountUsd: string },
): Promise<Assessment> {
  const recipient = await ensureRecipient(ctx, order);
  const { cardReference, preparation } = await createPayment(ctx, order);
  return {
    event: 'checks-passed',
    set: { ...set, ...recipient.set, cardReference },
    facts: { amountUsd, ...recipient.facts, preparation },
  };
}

/** The user behind the order, made when nobody knows them yet. */
async function ensureUser(
  ctx: Ctx,
  order: OrderRecord,
): Promise<{ readonly userId: string; readonly userLocator: string }> {
  const locator = payerLocator(order)!;
  if (order.userId !== undefined) return { userId: order.userId, userLocator: locator };
  return {
    userId: await ensurePerson(ctx, { projectId: order.projectId, locator }),
    userLocator: locator,
  };
}

/**
 * The acquirer knows the payment by the order's id, or by one of its own after a new quote: asked
 * again, it answers the same one.
 */
async function createPayment(
  ctx: Ctx,
  order: OrderRecord,
): Promise<{ readonly cardReference: string; readonly preparation: JsonObject }> {
  const card = requireCard(ctx);
  const { pay } = order.terms!;
  try {
    const { reference, preparation } = await card.createPayment({
      paymentId:
        typeof order.facts.cardPaymentId === 'string' ? order.facts.cardPaymentId : order.id,
      amountMinor: pay.amountMinor,
      currency: pay.asset,
      reference: order.id,
      receiptEmail: order.request.payment.receiptEmail,
      description: `${formatAmount(order.terms!.receive.amountMinor, order.terms!.receive.decimals)} ${order.terms!.receive.currency}`,
    });
    return {
      cardReference: `${card.name}/${reference}`,
      preparation: { card: { ...preparation } },
    };
  } catch (error) {
    if (error instanceof CardRefusedError)
      throw new ServiceError('upstream-error', {
        message: 'The acquirer does not take this payment.',
        cause: error,
      });
    if (error instanceof CardProviderError)
      throw new ServiceError('provider-unavailable', {
        message: 'The acquirer cannot be reached: retry later.',
        cause: error,
      });
    throw error;
  }
}

/** @throws provider-unavailable */
export function requireCard(ctx: Pick<Ctx, 'providers'>): CardProvider {
  const { card } = ctx.providers;
  if (!card)
    throw new ServiceError('provider-unavailable', {
      message: 'This instance takes no card payments (CARD is off).',
    });
  return card;
}

/** Worth of an order in US dollars, as it was priced. */
export function worthInUsd(order: Pick<OrderRecord, 'facts' | 'terms'>): string {
  if (order.facts.amountUsd !== undefined) return order.facts.amountUsd;
  const value = order.terms?.value;
  if (value?.currency === 'usd') return formatAmount(value.amountMinor, value.decimals);
  throw new Error('an order in another currency than US dollars says its worth when it is priced');
}
