import { z } from 'zod';
import { jsonSchema } from '../../../lib/json/json-schema.ts';
import { retryPolicies } from '../state/failures.ts';
import { deliveryStatuses, paymentStatuses } from '../state/public-status.ts';

/** An order as it is answered. */

export const orderParamsSchema = z.object({ orderId: z.string().min(1).max(100) });

const moneySchema = z
  .looseObject({ amount: z.string(), currency: z.string() })
  .meta({ id: 'OrderMoney' });
const movedMoneySchema = z
  .looseObject({
    amount: z.string(),
    currency: z.string(),
    chain: z.string().optional(),
    txId: z.string().optional(),
  })
  .meta({ id: 'OrderMovedMoney' });

const lineItemSchema = z
  .looseObject({
    chain: z.string().optional(),
    executionMode: z.enum(['exact-in', 'exact-out']),
    executionParams: z.looseObject({
      mode: z.enum(['exact-in', 'exact-out']),
      amount: z.string(),
      outFiatCurrency: z.string().optional(),
      effectiveAmount: z.string().optional().describe('Amount after fees.'),
    }),
    callData: z.record(z.string(), jsonSchema).optional(),
    maxSlippageBps: z.string().optional(),
    quantity: z.number().int(),
    metadata: z.looseObject({
      name: z.string(),
      description: z.string(),
      imageUrl: z
        .string()
        .optional()
        .describe('May be a `data:` address, which carries the picture itself.'),
    }),
    quote: z.looseObject({
      status: z.enum(['valid', 'expired', 'requires-recipient', 'item-unavailable']),
      unavailabilityReason: z.looseObject({ code: z.string(), message: z.string() }).optional(),
      charges: z
        .looseObject({
          unit: moneySchema.describe('Price of what is delivered.'),
          fees: z.array(
            z.looseObject({ type: z.string(), amount: z.string(), currency: z.string() }),
          ),
          salesTax: moneySchema,
          shipping: moneySchema,
        })
        .optional(),
      totalPrice: moneySchema
        .optional()
        .describe('`unit` and all `fees`, to the last smallest unit.'),
      quantityRange: z.looseObject({ lowerBound: z.string(), upperBound: z.string() }).optional(),
    }),
    delivery: z.looseObject({
      status: z.enum(deliveryStatuses),
      rail: z.string().optional().describe('Payout rail, set once at routing.'),
      completedAt: z.iso.datetime().optional(),
      recipient: z.looseObject({}).optional(),
      txId: z.string().optional(),
      tokens: z.array(z.looseObject({ locator: z.string(), quantity: z.string() })).optional(),
    }),
  })
  .meta({ id: 'OrderLineItem' });

export const orderSchema = z
  .looseObject({
    orderId: z.uuid(),
    phase: z
      .enum(['quote', 'payment', 'delivery', 'completed'])
      .describe('`completed` is not success: read `delivery.status`.'),
    locale: z.string(),
    lineItems: z.array(lineItemSchema),
    quote: z.looseObject({
      status: z.enum([
        'valid',
        'expired',
        'requires-recipient',
        'requires-physical-address',
        'all-line-items-unavailable',
      ]),
      quotedAt: z.iso.datetime().optional(),
      expiresAt: z.iso.datetime().optional(),
      totalPrice: moneySchema.optional(),
    }),
    payment: z.looseObject({
      status: z.enum(paymentStatuses),
      method: z.string(),
      currency: z.string(),
      preparation: z.looseObject({}).optional(),
      receiptEmail: z.string().optional(),
      received: movedMoneySchema.optional(),
      refunded: movedMoneySchema.optional(),
      totalPaid: movedMoneySchema.optional(),
      failureReason: z
        .looseObject({
          code: z.string(),
          message: z.string(),
          category: z.string().optional().describe('e.g. `verification_error`.'),
          retryPolicy: z
            .enum(retryPolicies)
            .optional()
            .describe(
              '`retry`: this order may be paid as it is, with the same card too. `other-card`: this order, with another card. `new-order`: this order can no longer be paid, a new one may. `none`: a new one would fail alike. Never pay again by yourself: ask the payer.',
            ),
        })
        .optional(),
    }),
    legal: z.looseObject({
      requirements: z.array(
        z.looseObject({ display: z.string(), type: z.string(), url: z.string() }),
      ),
    }),
  })
  .meta({ id: 'Order' });

export const createdOrderSchema = z
  .looseObject({
    clientSecret: z
      .string()
      .optional()
      .describe('Opens this order with a client key; a draft has none.'),
    order: orderSchema,
  })
  .meta({ id: 'CreatedOrder' });
