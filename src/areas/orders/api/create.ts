import type { RequestCtx } from '../../../context.ts';
import { startFlow } from '../../../jobs/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { move } from '../../../machine/machine.ts';
import type { Tx } from '../../../store/types.ts';
import { orderFlowOf } from '../kinds/flow-registry.ts';
import { assessStored, type Lifecycle, lifecycles, type Opening } from '../kinds/lifecycle.ts';
import { claimStock, whileInStock } from '../legs/delivery/stock.ts';
import { claimOrderLimits, limitedPerson, limitsOf } from '../limits/order-limits.ts';
import { quoteTimes } from '../pricing/index.ts';
import { limitedOrder, type Quoted, quoteFacts, quoteRequest } from '../pricing/quote.ts';
import { changeOrder, type NewOrder, openOrder } from '../state/change-order.ts';
import { orderMachineOf } from '../state/machine.ts';
import { type PublicStatus, publicStatusOf } from '../state/public-status.ts';
import { selectOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';
import { orderView } from '../state/view.ts';
import { creatorOf, hashClientSecret, makeClientSecret } from './access.ts';
import { readRequest } from './request.ts';
import type { CreateOrderBody } from './schema-input.ts';
import { isShipped } from './shipping.ts';

export interface CreatedOrder {
  /** Absent of a draft. */
  readonly clientSecret?: string;
  readonly order: JsonObject;
}

/**
 * An order whose first step has an effect outside is left to its flow when the process dies: it
 * begins so much later.
 */
const takeoverAfterMs = 15_000;

/**
 * Creates an order: reads the body, prices it, checks limits and the parties, and stores it as far
 * as it can go at once.
 * @throws the codes of the route
 */
export async function createOrder(ctx: RequestCtx, body: CreateOrderBody): Promise<CreatedOrder> {
  const request = readRequest(ctx, body);
  const id = ctx.idempotency?.objectId ?? ctx.ids.uuid();
  if (body.state === 'draft')
    return { order: draftView(ctx, { id, quoted: await quoteRequest(ctx, request) }) };
  const { projectId } = ctx.caller;
  const clientSecret = await makeClientSecret(ctx, { id, projectId });
  const answer = (order: OrderRecord): CreatedOrder => ({ clientSecret, order: orderView(order) });
  // A call with this idempotency key may have stored it and died before it answered.
  const known = ctx.idempotency && (await selectOrder(ctx.store, { by: 'id', id }));
  if (known) return answer(known);
  return answer(
    await whileInStock(async () =>
      storeQuoted(ctx, { id, clientSecret, quoted: await quoteRequest(ctx, request) }),
    ),
  );
}

async function storeQuoted(
  ctx: RequestCtx,
  input: { readonly id: string; readonly clientSecret: string; readonly quoted: Quoted },
): Promise<OrderRecord> {
  const { quoted } = input;
  const lifecycle = lifecycles[quoted.kind];
  const times = quoteTimes(ctx, quoted.settings);
  const opening = await openParties(ctx, lifecycle, {
    id: input.id,
    quoted,
    quoteExpiresAt: times.quoteExpiresAt,
  });
  const opened = newOrder(ctx, { ...input, opening, times });
  const order = { ...opened, ...(await limitedPerson(ctx, opened, quoted.settings)) };
  const limits = quoted.priced && (await limitsOf(ctx, limitedOrder(order, quoted)));
  const isReady = opening.event === 'created';
  const assessment =
    isReady && !lifecycle.assessHasEffects
      ? await lifecycle.assess(ctx, preview(order))
      : undefined;
  const flow = orderFlowOf(order.kind);
  if (!flow) throw new Error(`The flow of ${order.kind} orders is not registered in this process.`);
  const store = async (tx: Tx) => {
    const first = await openOrder(ctx, tx, order, opening);
    await startFlow(ctx, tx, flow, {
      projectId: order.projectId,
      key: order.id,
      state: { orderId: order.id },
      ...(isReady &&
        lifecycle.assessHasEffects && {
          runAt: new Date(order.createdAt.getTime() + takeoverAfterMs),
        }),
    });
    const stored = assessment ? await changeOrder(ctx, tx, first, assessment) : first;
    // Last, since counters stay locked until the transaction ends.
    if (limits) await claimOrderLimits(ctx, tx, limits);
    await claimStock(ctx, tx, stored);
    return stored;
  };
  const stored = await ctx.store.transaction(store);
  return isReady && lifecycle.assessHasEffects ? assessStored(ctx, lifecycle, stored) : stored;
}

/**
 * What cannot be had is nobody's yet: it is stored as incomplete, so that its answer can be read
 * again.
 */
async function openParties(
  ctx: RequestCtx,
  lifecycle: Lifecycle,
  input: { readonly id: string; readonly quoted: Quoted; readonly quoteExpiresAt: Date },
): Promise<Opening> {
  const { id, quoted, quoteExpiresAt } = input;
  if (quoted.unavailable)
    return { event: 'created-incomplete', quote: 'all-line-items-unavailable', set: {} };
  const { request, priced } = quoted;
  return lifecycle.open(ctx, {
    orderId: id,
    projectId: ctx.caller.projectId,
    request,
    quoteExpiresAt,
    ...(priced && { terms: priced.terms }),
  });
}

function newOrder(
  ctx: RequestCtx,
  input: {
    readonly id: string;
    readonly clientSecret: string;
    readonly quoted: Quoted;
    readonly opening: Opening;
    readonly times: { readonly quotedAt: Date; readonly quoteExpiresAt: Date };
  },
): NewOrder {
  const { quoted, opening, times } = input;
  const creator = creatorOf(ctx.caller);
  return {
    id: input.id,
    projectId: ctx.caller.projectId,
    kind: quoted.kind,
    ...opening.set,
    clientSecretHash: hashClientSecret(input.clientSecret),
    request: quoted.request,
    ...(quoted.priced && { terms: quoted.priced.terms }),
    facts: { ...quoteFacts(quoted), ...(creator !== undefined && { creator }), ...opening.facts },
    ...times,
    createdAt: times.quotedAt,
  };
}

/** The order as it will be stored, for rules that run before it is. */
function preview(order: NewOrder): OrderRecord {
  const state = move(orderMachineOf(order.kind), '*', 'created');
  return {
    ...order,
    state,
    publicStatus: publicStatusOf(state, undefined),
    version: 1,
    updatedAt: order.createdAt,
  };
}

/** A priced preview: nothing is stored, and nobody can pay it. */
function draftView(
  ctx: Pick<RequestCtx, 'clock'>,
  input: { readonly id: string; readonly quoted: Quoted },
): JsonObject {
  const { id, quoted } = input;
  return orderView({
    id,
    kind: quoted.kind,
    request: quoted.request,
    ...(quoted.priced && { terms: quoted.priced.terms }),
    facts: quoteFacts(quoted),
    publicStatus: {
      phase: 'quote',
      quote: quoteStatus(quoted),
      payment: 'draft',
      delivery: 'draft',
    },
    ...quoteTimes(ctx, quoted.settings),
  });
}

function quoteStatus({ unavailable, request, settings, priced }: Quoted): PublicStatus['quote'] {
  if (unavailable) return 'all-line-items-unavailable';
  const { physicalAddress, ...recipient } = request.recipient;
  if (Object.keys(recipient).length === 0) return 'requires-recipient';
  return priced && !physicalAddress && isShipped(settings, priced.terms)
    ? 'requires-physical-address'
    : 'valid';
}
