import { z } from 'zod';
import { orderSchema } from './schema-order.ts';

/**
 * What is asked and answered about orders beside themselves: lists, refund requests, tracking,
 * limits.
 */

export const orderPageSizeDefault = 30;

const filterText = z.string().min(1).max(4_000).optional();

export const listQuerySchema = z.strictObject({
  paymentStatus: filterText.describe(
    'Comma-separated: `quote-phase`, `in-progress`, `succeeded`, `declined`, `expired`, `refunded`.',
  ),
  deliveryStatus: filterText.describe(
    'Comma-separated: `not-started`, `in-progress`, `partial-delivery`, `delivered`, `failed`.',
  ),
  paymentMethod: filterText.describe(
    'Comma-separated currencies of `payment.totalPaid`; `fiat` stands for all fiat currencies.',
  ),
  recipientAddress: filterText.describe(
    'Comma-separated wallet addresses that tokens are delivered to.',
  ),
  orderId: filterText.describe('Comma-separated order ids.'),
  cursor: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('`nextCursor` or `previousCursor` of an answer with the same filters.'),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .optional()
    .describe(`Orders per page, 1 to 100; ${orderPageSizeDefault} when absent.`),
  sort: z
    .enum(['asc', 'desc'])
    .optional()
    .describe('By creation; `desc`, newest first, when absent.'),
});
export type ListQuery = z.output<typeof listQuerySchema>;

export const orderListSchema = z
  .object({
    data: z.array(orderSchema),
    nextCursor: z.string().nullable(),
    previousCursor: z.string().nullable(),
  })
  .meta({ id: 'OrderList' });

export const refundStatuses = ['initiated', 'accepted', 'rejected', 'completed'] as const;

export const refundBodySchema = z
  .strictObject({
    lineItem: z.number().int().min(0).max(99).describe('Index of the line item.'),
    reason: z.string().trim().min(1).max(1_000),
  })
  .meta({ id: 'RefundRequestBody' });
export type RefundBody = z.output<typeof refundBodySchema>;

export const refundSchema = z
  .looseObject({
    orderId: z.uuid(),
    lineItem: z.number().int(),
    reason: z.string(),
    status: z.enum([
      'refund-request-initiated',
      'refund-request-accepted',
      'refund-request-rejected',
      'refund-request-completed',
    ]),
  })
  .meta({ id: 'RefundRequest' });

export const refundQuerySchema = z.strictObject({
  lineItem: z
    .string()
    .regex(/^\d{1,2}$/, 'must be the index of a line item')
    .transform(Number)
    .optional(),
});

export const trackingSchema = z
  .array(
    z.looseObject({
      status: z.enum(['shipped', 'delivered']),
      packageTracking: z
        .looseObject({ carrierName: z.string(), carrierTrackingNumber: z.string() })
        .optional(),
      deliveryTimeRange: z
        .looseObject({ lowerBound: z.iso.datetime(), upperBound: z.iso.datetime() })
        .optional(),
    }),
  )
  .meta({ id: 'OrderTracking' });

export const limitsQuerySchema = z.strictObject({
  userLocator: z
    .string()
    .min(1)
    .max(400)
    .optional()
    .describe('Whose limits; those of the project alone when absent.'),
  kind: z.enum(['onramp', 'offramp', 'checkout']).optional().describe('Every kind when absent.'),
  rail: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('`card`, a chain, or a payout rail: adds the limits that hold for it.'),
  token: z
    .string()
    .min(1)
    .max(20)
    .optional()
    .describe('Symbol of a token, e.g. `usdc`: adds the limit of its volume per day.'),
});
export type LimitsQuery = z.output<typeof limitsQuerySchema>;

export const limitsSchema = z
  .object({
    data: z.array(
      z.looseObject({
        subject: z.enum(['user', 'project', 'token']),
        kind: z.string().optional(),
        method: z.string().optional(),
        token: z.string().optional().describe('Of a limit of the volume of one token: its symbol.'),
        period: z.enum(['single', 'daily', 'monthly']),
        limit: z.string(),
        used: z.string(),
        remainingAmount: z.string(),
        hoursUntilReset: z.string(),
        currency: z.literal('usd'),
      }),
    ),
  })
  .meta({ id: 'OrderLimits' });
