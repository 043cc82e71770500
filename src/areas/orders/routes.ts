import { type AnyRoute, route } from '../../http/route.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import { findOrder } from './access.ts';
import { createOrder } from './create.ts';
import { createdOrderSchema, createOrderBodySchema, orderParamsSchema, orderSchema } from './schema.ts';
import { orderView } from './view.ts';

const tag = 'Orders';
const family = 'O';
const path = '/2022-06-09/orders';

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
  'kyc-required',
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
      'An **onramp** is paid by card and delivers a token (`tokenLocator`), an **offramp** is paid by a deposit and delivers fiat (`currencyLocator`), a **checkout** is paid by a deposit and delivers a token.',
    tag,
    family,
    auth: { keys: 'both', user: 'optional', scopes: ['orders.create'] },
    body: createOrderBodySchema,
    responses: { 201: { description: 'The order, and the secret that opens it.', schema: createdOrderSchema } },
    errors: quoteErrors,
    handler: async (ctx, { body }) => ({ status: 201, body: await createOrder(ctx, body) }),
  }),
  route({
    method: 'GET',
    path: `${path}/:orderId`,
    operationId: 'getOrder',
    summary: 'Read an order',
    description: 'With a client-side key send the client secret of the order as `Authorization: <clientSecret>`.',
    tag,
    family,
    auth: { keys: 'both', user: 'optional', scopes: [], serverScopes: ['orders.read'] },
    params: orderParamsSchema,
    responses: { 200: { description: 'The order.', schema: orderSchema } },
    errors: ['not-authorized', 'order-not-found'],
    handler: async (ctx, { params }) => ({ status: 200, body: orderView(await findOrder(ctx, params.orderId)) }),
  }),
];
