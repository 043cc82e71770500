import '../kinds/checkout/flow.ts';
import '../kinds/offramp/flow.ts';
import '../kinds/onramp/flow.ts';
import { z } from 'zod';
import type { RequestCtx } from '../../../context.ts';
import { type AnyRoute, route } from '../../../http/routes/route.ts';
import type { ErrorCode } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { postPayment } from '../legs/deposit/posted-tx.ts';
import { listRefundRequests, requestRefund } from '../legs/refund/requests.ts';
import { readRemainingLimits } from '../limits/remaining-limits.ts';
import { orderView } from '../state/view.ts';
import { findOrder } from './access.ts';
import { createOrder } from './create.ts';
import { listOrders } from './list.ts';
import { patchOrder } from './patch.ts';
import {
  createOrderBodySchema,
  patchOrderBodySchema,
  postPaymentBodySchema,
} from './schema-input.ts';
import { createdOrderSchema, orderParamsSchema, orderSchema } from './schema-order.ts';
import {
  limitsQuerySchema,
  limitsSchema,
  listQuerySchema,
  orderListSchema,
  refundBodySchema,
  refundQuerySchema,
  refundSchema,
  trackingSchema,
} from './schema-reads.ts';

const tag = 'Orders';
const family = 'O';
const path = '/2022-06-09/orders';
const unstablePath = '/unstable/orders';

/** What pricing and the checks of the parties refuse with. */
const quoteErrors: readonly ErrorCode[] = [
  'not-authorized',
  'payment-method-not-supported',
  'chain-not-supported',
  'token-not-supported',
  'payment-method-not-found',
  'rail-not-supported',
  'amount-below-minimum',
  'single_purchase_exceeded',
  'daily_transaction_exceeded',
  'monthly_transaction_exceeded',
  'limits:token-daily-volume.exceeded',
  'ExternalWalletNotLinkedToUserError',
  'payer-wallet-mismatch',
  'sanctioned-address',
  'provider-unavailable',
];

export const orderRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path,
    operationId: 'createOrder',
    summary: 'Create an order',
    description:
      'An **onramp** is paid by card and delivers a token (`tokenLocator`), an **offramp** is paid by a deposit and delivers fiat (`currencyLocator`), a **checkout** is paid by a deposit and delivers a token. Items of collections that the project has registered (`collectionLocator`, or `tokenLocator` with a token id) are paid either way, or free.',
    tag,
    family,
    auth: { keys: 'both', user: 'optional', scopes: ['orders.create'] },
    body: createOrderBodySchema,
    responses: {
      201: { description: 'The order, and the secret that opens it.', schema: createdOrderSchema },
    },
    errors: ['conflict', ...quoteErrors],
    handler: async (ctx, { body }) => ({ status: 201, body: await createOrder(ctx, body) }),
  }),
  route({
    method: 'GET',
    path: `${path}/:orderId`,
    operationId: 'getOrder',
    summary: 'Read an order',
    description:
      'With a client-side key send the client secret of the order as `Authorization: <clientSecret>`.',
    tag,
    family,
    auth: { keys: 'both', user: 'optional', scopes: [], serverScopes: ['orders.read'] },
    params: orderParamsSchema,
    responses: { 200: { description: 'The order.', schema: orderSchema } },
    errors: ['not-authorized', 'order-not-found'],
    handler: async (ctx, { params }) => ({
      status: 200,
      body: orderView(await findOrder(ctx, params.orderId)),
    }),
  }),
  route({
    method: 'PATCH',
    path: `${path}/:orderId`,
    operationId: 'updateOrder',
    summary: 'Change recipient, payment or locale of an unpaid order',
    description:
      'Recipient and payment are sent whole and make a new quote. Line items never change.',
    tag,
    family,
    auth: { keys: 'both', user: 'optional', scopes: [], serverScopes: ['orders.update'] },
    params: orderParamsSchema,
    body: patchOrderBodySchema,
    responses: { 200: { description: 'The order as it is now.', schema: orderSchema } },
    errors: ['order-not-found', 'order-not-editable', 'conflict', ...quoteErrors],
    handler: async (ctx, { params, body }) => ({
      status: 200,
      body: orderView(await patchOrder(ctx, { ...params, body })),
    }),
  }),
  route({
    method: 'POST',
    path: `${path}/:orderId/payment`,
    operationId: 'postOrderPayment',
    summary: 'Tell the transaction in which the deposit was made',
    description:
      'Deposits are found without it by their memo; where a memo could not be sent, this says whose it is.',
    tag,
    family,
    auth: { keys: 'both', user: 'optional', scopes: [], serverScopes: ['orders.update'] },
    params: orderParamsSchema,
    body: postPaymentBodySchema,
    responses: { 200: { description: 'The order.', schema: orderSchema } },
    errors: [
      'not-authorized',
      'order-not-found',
      'payment-method-not-supported',
      'quote-expired',
      'order-not-editable',
      'tx-id-already-used',
    ],
    handler: async (ctx, { params, body }) => ({
      status: 200,
      body: orderView(await postPayment(ctx, { ...params, txId: body.txId })),
    }),
  }),
  route({
    method: 'GET',
    path,
    operationId: 'listOrders',
    summary: "List the project's orders",
    description:
      'Each filter takes at most 20 comma-separated terms, of which any may fit; every filter that is sent has to fit.',
    tag,
    family,
    auth: { keys: 'server', user: 'none', scopes: ['orders.read'] },
    query: listQuerySchema,
    responses: { 200: { description: 'A page of orders.', schema: orderListSchema } },
    errors: [],
    handler: async (ctx, { query }) => ({ status: 200, body: await listOrders(ctx, query) }),
  }),
  route({
    method: 'POST',
    path: `${unstablePath}/:orderId/refunds`,
    operationId: 'requestOrderRefund',
    summary: 'Ask for a refund of a delivered line item',
    tag,
    family,
    auth: { keys: 'server', user: 'none', scopes: ['orders.update'] },
    params: orderParamsSchema,
    body: refundBodySchema,
    responses: {
      201: { description: 'The request; an operator decides it.', schema: refundSchema },
    },
    errors: ['order-not-found', 'refund-not-allowed'],
    handler: async (ctx, { params, body }) => ({
      status: 201,
      body: await requestRefund(ctx, { ...params, body }),
    }),
  }),
  route({
    method: 'GET',
    path: `${unstablePath}/:orderId/refunds`,
    operationId: 'listOrderRefunds',
    summary: 'Read the refund requests of an order',
    tag,
    family,
    auth: { keys: 'server', user: 'none', scopes: ['orders.read'] },
    params: orderParamsSchema,
    query: refundQuerySchema,
    responses: { 200: { description: 'Oldest first.', schema: z.array(refundSchema) } },
    errors: ['order-not-found'],
    handler: async (ctx, { params, query }) => ({
      status: 200,
      body: await listRefundRequests(ctx, { ...params, ...query }),
    }),
  }),
  route({
    method: 'GET',
    path: `${unstablePath}/:orderId/tracking`,
    operationId: 'getOrderTracking',
    summary: 'Where the parcels of an order are',
    description: 'Tokens and money have no carrier: the list is empty until they are delivered.',
    tag,
    family,
    auth: { keys: 'server', user: 'none', scopes: ['orders.read'] },
    params: orderParamsSchema,
    responses: { 200: { description: 'One entry per parcel.', schema: trackingSchema } },
    errors: ['order-not-found'],
    handler: async (ctx, { params }) => ({
      status: 200,
      body: await readTracking(ctx, params.orderId),
    }),
  }),
  route({
    method: 'GET',
    path: `${unstablePath}/limits`,
    operationId: 'getOrderLimits',
    summary: 'Limits of orders, and what is left of them',
    tag,
    family,
    auth: { keys: 'server', user: 'none', scopes: ['orders.read'] },
    query: limitsQuerySchema,
    responses: { 200: { description: 'In US dollars.', schema: limitsSchema } },
    errors: ['invalid-locator'],
    handler: async (ctx, { query }) => ({
      status: 200,
      body: await readRemainingLimits(ctx, query),
    }),
  }),
];

/**
 * Where the parcels of an order are. Money and tokens have no carrier: one entry once they arrived.
 * Of goods that somebody else sends nothing is known here.
 * @throws order-not-found
 */
async function readTracking(ctx: RequestCtx, orderId: string): Promise<JsonObject[]> {
  const { publicStatus, facts } = await findOrder(ctx, orderId);
  if (publicStatus.delivery !== 'completed' || facts.isShipped === true) return [];
  const { deliveredAt } = facts;
  return [
    {
      status: 'delivered',
      ...(deliveredAt !== undefined && {
        deliveryTimeRange: { lowerBound: deliveredAt, upperBound: deliveredAt },
      }),
    },
  ];
}
