import { isDeepStrictEqual } from 'node:util';
import type { RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Tx } from '../../../store/types.ts';
import { releaseItems } from '../../collections/index.ts';
import { releaseLimits } from '../../order-limits/index.ts';
import { assessStored, lifecycles, type Opening } from '../kinds/lifecycle.ts';
import { claimStock, whileInStock } from '../legs/delivery/stock.ts';
import { claimOrderLimits, limitedPerson, limitsOf } from '../limits/order-limits.ts';
import { canChange, endQuote } from '../pricing/end-quote.ts';
import { isQuoteOver, quoteTimes } from '../pricing/index.ts';
import { limitedOrder, type Quoted, quoteFacts, quoteRequest } from '../pricing/quote.ts';
import { changeOrder, noteOrder, type OrderChange } from '../state/change-order.ts';
import { isFree } from '../state/items.ts';
import type { OrderEvent, OrderKind } from '../state/machine.ts';
import { isExpired, stateRow } from '../state/states.ts';
import { lockOrder } from '../state/store.ts';
import type { OrderFacts, OrderRecord, OrderRequest } from '../state/types.ts';
import { findOrder } from './access.ts';
import { readPayment, readRecipient } from './request.ts';
import type { PatchOrderBody } from './schema-input.ts';

const attemptsMax = 4;

/**
 * Changes recipient, payment or locale of an order that nobody has paid. What decides the price or
 * how to pay makes a new quote.
 * @throws order-not-editable, conflict, and the codes of create order
 */
export async function patchOrder(
  ctx: RequestCtx,
  input: { readonly orderId: string; readonly body: PatchOrderBody },
): Promise<OrderRecord> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await patchOnce(ctx, input);
    } catch (error) {
      // The order's flow was faster, e.g. at the end of the quote: what it is now may be changed
      // all the same.
      if (!(error instanceof ServiceError) || error.code !== 'conflict' || attempt >= attemptsMax)
        throw error;
    }
  }
}

async function patchOnce(
  ctx: RequestCtx,
  { orderId, body }: { readonly orderId: string; readonly body: PatchOrderBody },
): Promise<OrderRecord> {
  const order = await findOrder(ctx, orderId);
  if (body.lineItems !== undefined)
    throw notEditable('Line items never change: create a new order.');
  const over = isOver(order, ctx.clock.now());
  if (stateRow(order.state).unpaid === undefined)
    throw notEditable('The order cannot be changed any more: it is paid, or under way.');
  if (over && order.kind === 'offramp')
    throw notEditable(
      'The quote has expired: create a new order. A deposit that was made goes back.',
    );
  const request = readChanged(ctx, order, body);
  // Whoever sends payment or recipient of an expired order wants a new price.
  const renews = over && (body.payment !== undefined || body.recipient !== undefined);
  if (!renews && isDeepStrictEqual(request, order.request)) return order;
  if (!renews && !needsQuote(order, request)) return editOrder(ctx, order, request);
  const current = renews ? await endQuote(ctx, order) : order;
  return whileInStock(() => requote(ctx, current, request));
}

function readChanged(ctx: RequestCtx, order: OrderRecord, body: PatchOrderBody): OrderRequest {
  const { kind, request } = order;
  if (body.locale === undefined && body.payment === undefined && body.recipient === undefined)
    throw new ServiceError('validation-error', {
      message: 'The body changes nothing: send recipient, locale or payment.',
    });
  // A card is not taken without it, and it was asked for before.
  if (
    kind === 'onramp' &&
    request.payment.receiptEmail !== undefined &&
    body.payment &&
    body.payment.receiptEmail === undefined
  )
    throw new ServiceError('validation-error', {
      message:
        'The request is not valid. body.payment.receiptEmail is missing: payment is sent whole, and a card needs it.',
    });
  return {
    ...request,
    ...(body.locale !== undefined && { locale: body.locale }),
    ...(body.payment && {
      payment: readPayment(ctx, paymentKind(order, body.payment), body.payment),
    }),
    ...(body.recipient && { recipient: readRecipient(kind, body.recipient) }),
  };
}

/** What is free may name any method. */
function paymentKind(
  { kind, terms }: OrderRecord,
  { method }: NonNullable<PatchOrderBody['payment']>,
): OrderKind {
  return method === 'card' && terms && isFree(terms) ? 'onramp' : kind;
}

/**
 * The receipt's address and the language decide neither price nor instructions, except where the
 * address is waited for.
 */
function needsQuote({ request, state }: OrderRecord, next: OrderRequest): boolean {
  const core = ({ recipient, payment: { receiptEmail: _, ...payment } }: OrderRequest) => ({
    recipient,
    payment,
  });
  return (
    !isDeepStrictEqual(core(request), core(next)) ||
    (state === 'email_needed' && next.payment.receiptEmail !== undefined)
  );
}

async function editOrder(
  ctx: RequestCtx,
  order: OrderRecord,
  request: OrderRequest,
): Promise<OrderRecord> {
  return ctx.store.transaction(async (tx) =>
    noteOrder(ctx, tx, await lockSame(tx, order), {
      event: 'edited',
      set: { request },
      priced: false,
    }),
  );
}

async function requote(
  ctx: RequestCtx,
  order: OrderRecord,
  request: OrderRequest,
): Promise<OrderRecord> {
  const event = eventOf(order);
  const quoted = await quoteRequest(ctx, { kind: order.kind, request, orderId: order.id });
  const isCard = request.payment.method === 'card';
  if (
    quoted.kind !== order.kind ||
    (isCard && order.kind === 'checkout' && quoted.priced && !isFree(quoted.priced.terms))
  )
    throw notEditable('The price was made free, or is not free any more: create a new order.');
  const times = quoteTimes(ctx, quoted.settings);
  const lifecycle = lifecycles[order.kind];
  const opening: Opening = quoted.unavailable
    ? { event: 'created-incomplete', quote: 'all-line-items-unavailable', set: {} }
    : await lifecycle.open(ctx, {
        orderId: order.id,
        projectId: order.projectId,
        request,
        quoteExpiresAt: times.quoteExpiresAt,
        ...(quoted.priced && { terms: quoted.priced.terms }),
      });
  const drafted = changeOf(ctx, order, { request, quoted, opening, times });
  const person = await limitedPerson(ctx, withChange(order, drafted), quoted.settings);
  const change = { ...drafted, set: { ...drafted.set, ...person } };
  if (opening.event === 'created-incomplete' && order.state !== 'incomplete')
    throw notEditable('The change would leave the order without what it needs: create a new one.');
  if (opening.event === 'created-incomplete') return saveRequoted(ctx, order, { quoted, change });
  const changed = withChange(order, change);
  const assessment = lifecycle.assessHasEffects
    ? undefined
    : await lifecycle.assess(ctx, { ...changed, state: 'quoted' });
  const saved = await saveRequoted(ctx, order, {
    quoted,
    change,
    event,
    ...(assessment && { assessment }),
  });
  return lifecycle.assessHasEffects ? assessStored(ctx, lifecycle, saved) : saved;
}

async function saveRequoted(
  ctx: RequestCtx,
  order: OrderRecord,
  input: {
    readonly quoted: Quoted;
    readonly change: Change;
    readonly event?: OrderEvent;
    readonly assessment?: OrderChange;
  },
): Promise<OrderRecord> {
  const { quoted, change, event, assessment } = input;
  const limits =
    quoted.priced && (await limitsOf(ctx, limitedOrder(withChange(order, change), quoted)));
  return ctx.store.transaction(async (tx) => {
    const locked = await lockSame(tx, order);
    const saved =
      event === undefined
        ? await noteOrder(ctx, tx, locked, { ...change, event: 'edited' })
        : await changeOrder(ctx, tx, locked, { ...change, event });
    const moved = assessment ? await changeOrder(ctx, tx, saved, assessment) : saved;
    await releaseLimits(ctx, tx, order.id);
    if (limits) await claimOrderLimits(ctx, tx, limits);
    if (quoted.priced) await claimStock(ctx, tx, moved);
    else await releaseItems(tx, { orderId: order.id });
    return moved;
  });
}

type Change = Pick<OrderChange, 'facts' | 'set' | 'quote' | 'priced'>;

function changeOf(
  ctx: Pick<RequestCtx, 'ids'>,
  order: OrderRecord,
  input: {
    readonly request: OrderRequest;
    readonly quoted: Quoted;
    readonly opening: Opening;
    readonly times: { readonly quotedAt: Date; readonly quoteExpiresAt: Date };
  },
): Change {
  const { request, quoted, opening, times } = input;
  return {
    // A deposit may be on its way with the memo that was given out.
    set: {
      ...opening.set,
      ...(order.memo !== undefined && { memo: order.memo }),
      ...(isExpired(order) && { cardReference: undefined }),
      request,
      ...(quoted.priced && { terms: quoted.priced.terms }),
      ...times,
    },
    facts: {
      ...quoteFacts(quoted),
      ...(isExpired(order) && forgottenOf(ctx, order)),
      ...opening.facts,
    },
    ...(opening.quote && { quote: opening.quote }),
    priced: quoted.priced !== undefined,
  };
}

/**
 * What an expired quote leaves behind. A card is paid anew, under an id that the acquirer has not
 * seen: it closed the old payment.
 */
function forgottenOf({ ids }: Pick<RequestCtx, 'ids'>, { kind }: OrderRecord): Partial<OrderFacts> {
  const facts = { failure: undefined, preparation: undefined };
  return kind === 'onramp'
    ? {
        ...facts,
        cardClosed: undefined,
        cardDecline: undefined,
        authorizedAt: undefined,
        cardPaymentId: ids.uuid(),
      }
    : facts;
}

function withChange(order: OrderRecord, { set, facts }: Change): OrderRecord {
  return { ...order, ...set, facts: { ...order.facts, ...facts } };
}

/** @throws order-not-editable where payment or identity check of this very order are under way */
function eventOf(order: OrderRecord): OrderEvent {
  if (order.state === 'incomplete') return 'completed';
  if (canChange(order)) return 'changed';
  throw notEditable(
    'Recipient and payment cannot be changed while this is under way; receiptEmail and locale can.',
  );
}

/** @throws conflict when the order has changed since it was read */
async function lockSame(tx: Tx, order: OrderRecord): Promise<OrderRecord> {
  const locked = await lockOrder(tx, { by: 'id', id: order.id });
  if (!locked || locked.version !== order.version) throw new ServiceError('conflict');
  return locked;
}

function isOver(order: OrderRecord, now: Date): boolean {
  return isExpired(order) || (isQuoteOver(order, now) && !order.state.startsWith('kyc'));
}

function notEditable(message: string): ServiceError {
  return new ServiceError('order-not-editable', { message });
}
