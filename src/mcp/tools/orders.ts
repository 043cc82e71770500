import { z } from 'zod';
import { createOrderBodySchema } from '../../areas/orders/api/schema-input.ts';
import {
  ask,
  attempt,
  defineTool,
  path,
  repeated,
  type Tool,
  type ToolCtx,
  ToolRefusal,
} from '../tool.ts';

const root = '/2022-06-09/orders';

const moneyView = z.object({ amount: z.string(), currency: z.string() });
const movedView = moneyView.extend({ chain: z.string().optional(), txId: z.string().optional() });
const lineItemView = z.object({
  chain: z.string().optional(),
  executionMode: z.string(),
  executionParams: z.object({
    mode: z.string(),
    amount: z.string(),
    outFiatCurrency: z.string().optional(),
    effectiveAmount: z.string().optional(),
  }),
  quantity: z.number(),
  quote: z.object({
    status: z.string(),
    unavailabilityReason: z.object({ code: z.string(), message: z.string() }).optional(),
    totalPrice: moneyView.optional(),
  }),
  delivery: z.object({
    status: z.string(),
    rail: z.string().optional(),
    completedAt: z.string().optional(),
    txId: z.string().optional(),
    tokens: z.array(z.object({ locator: z.string(), quantity: z.string() })).optional(),
  }),
});
/**
 * Of what prepares a payment only what a payer of a deposit sends where: no secret of a card, of an
 * identity check or of the order.
 */
const orderView = z.object({
  orderId: z.string().optional(),
  phase: z.string(),
  lineItems: z.array(lineItemView),
  quote: z.object({
    status: z.string(),
    quotedAt: z.string().optional(),
    expiresAt: z.string().optional(),
    totalPrice: moneyView.optional(),
  }),
  payment: z.object({
    status: z.string(),
    method: z.string(),
    currency: z.string(),
    received: movedView.optional(),
    refunded: movedView.optional(),
    totalPaid: movedView.optional(),
    failureReason: z
      .object({ code: z.string(), message: z.string(), retryPolicy: z.string().optional() })
      .optional(),
    preparation: z
      .object({
        chain: z.string().optional(),
        payerAddress: z.string().optional(),
        transactionParameters: z
          .object({ amount: z.string().optional(), memo: z.string().optional() })
          .optional(),
      })
      .optional(),
  }),
});
type Order = z.output<typeof orderView>;

function say({ phase, payment }: Order): string {
  if (phase === 'completed')
    return 'The order is over: payment.status and each delivery.status say how.';
  if (phase === 'payment' || phase === 'quote')
    return `The order waits (${payment.status}). The user pays it, and shows who they are where that is asked, in their app: no tool pays an order or passes an identity check.`;
  return 'It is paid, and is being delivered: read it again later.';
}

const createInput = createOrderBodySchema
  .pick({ state: true, recipient: true, payment: true, lineItems: true })
  .extend({ attempt });

const read = async (ctx: ToolCtx, orderId: string): Promise<Order> =>
  (await ask(ctx, { method: 'GET', path: `${root}${path`/${orderId}`}` }, orderView)).data;

/**
 * A repeated call is answered as the first one was; only a server key may read an order without its
 * secret.
 */
async function readAgain(ctx: ToolCtx, orderId: string, known: Order): Promise<Order> {
  return read(ctx, orderId).catch((error: unknown) => {
    if (error instanceof ToolRefusal) return known;
    throw error;
  });
}

export const orderTools: readonly Tool[] = [
  defineTool({
    name: 'create_order',
    title: 'Prepare an order',
    description:
      'Prepares an onramp (a card buys tokens), an offramp (tokens become money in a saved bank account) or a swap, and answers its quote. With state "draft" nothing is stored. The user pays it: this tool moves no money. Purchase limits of the project hold.',
    input: createInput,
    examples: [
      {
        recipient: { walletAddress: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94' },
        payment: { method: 'card', receiptEmail: 'alice@example.com' },
        lineItems: [
          {
            tokenLocator: 'base-sepolia:usdxm',
            executionParameters: { mode: 'exact-in', amount: '10' },
          },
        ],
      },
    ],
    kind: 'writes',
    operations: ['createOrder', 'getOrder'],
    run: async (ctx, { attempt: _, ...body }, idempotencyKey) => {
      const created = await ask(
        ctx,
        { method: 'POST', path: root, body, idempotencyKey },
        z.object({ order: orderView }),
      );
      const { order } = created.data;
      const now =
        created.isReplayed && order.orderId !== undefined
          ? await readAgain(ctx, order.orderId, order)
          : order;
      return { says: `${say(now)}${repeated(created.isReplayed)}`, data: now };
    },
  }),
  defineTool({
    name: 'get_order',
    title: 'Read an order',
    description:
      'How an order stands: quote, payment, delivery. Needs a server key: the secret of an order is for the app of its user.',
    input: z.strictObject({ orderId: z.string().min(1).max(100) }),
    examples: [{ orderId: '6f1c1d1e-5b1a-4a52-9d0b-0d6f2f6f3c11' }],
    kind: 'reads',
    operations: ['getOrder'],
    run: async (ctx, { orderId }) => {
      const order = await read(ctx, orderId);
      return { says: say(order), data: order };
    },
  }),
  defineTool({
    name: 'list_orders',
    title: 'List orders',
    description: 'Orders of the project, newest first. Needs a server key.',
    input: z.strictObject({ limit: z.int().min(1).max(20).optional().describe('10 when absent.') }),
    examples: [{ limit: 5 }],
    kind: 'reads',
    operations: ['listOrders'],
    run: async (ctx, { limit = 10 }) => {
      const { data } = await ask(
        ctx,
        { method: 'GET', path: `${root}?limit=${limit}` },
        z.object({ data: z.array(orderView) }),
      );
      const orders = data.data.map(
        ({ orderId, phase, payment: { status, method, currency }, quote: { totalPrice } }) => ({
          orderId,
          phase,
          payment: { status, method, currency },
          totalPrice,
        }),
      );
      return { says: 'Newest first. get_order tells more of one.', data: { orders } };
    },
  }),
];
