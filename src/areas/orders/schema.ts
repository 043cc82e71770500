import { z } from 'zod';
import { jsonSchema } from '../../lib/json-schema.ts';
import { retryPolicies } from './failures.ts';
import { lineItemsMax } from './items.ts';
import { deliveryStatuses, paymentStatuses } from './outer.ts';

const jsonBytesMax = 16 * 1024;
/** What is echoed in every answer and event has to be small. */
const smallJson = z
  .record(z.string().max(100), jsonSchema)
  .refine((value) => JSON.stringify(value).length <= jsonBytesMax, 'must be at most 16 KiB as JSON');

/** Languages of hosted pages and mails (supplement, section 13). */
export const locales = [
  'en-US',
  'es-ES',
  'fr-FR',
  'it-IT',
  'ko-KR',
  'pt-PT',
  'ja-JP',
  'zh-CN',
  'zh-TW',
  'de-DE',
  'ru-RU',
  'tr-TR',
  'uk-UA',
  'th-TH',
  'vi-VN',
  'Klingon',
] as const;

const text = (max: number) => z.string().trim().min(1).max(max);

export const physicalAddressSchema = z
  .strictObject({
    name: text(100),
    line1: text(200),
    line2: z.string().trim().max(60).optional(),
    city: text(50),
    stateOrRegion: z.string().trim().max(50).optional(),
    state: z.string().trim().max(50).optional().describe('Deprecated: `stateOrRegion`.'),
    postalCode: text(20),
    country: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/, 'has exactly 2 letters')
      .describe('ISO 3166-1, two letters.'),
  })
  .meta({ id: 'OrderPhysicalAddress' });

export const paymentInputSchema = z
  .strictObject({
    method: text(64).describe('`card`, or the chain on which the deposit is paid.'),
    currency: z
      .string()
      .trim()
      .toLowerCase()
      .min(1)
      .max(20)
      .optional()
      .describe('e.g. `usdc`; with `card` a fiat currency, `usd` when absent.'),
    receiptEmail: z.string().trim().min(3).max(254).optional().describe('For the receipt and the identity check.'),
    payerAddress: text(128).optional().describe('Wallet the user pays from.'),
  })
  .meta({ id: 'OrderPaymentInput' });
export type PaymentInput = z.output<typeof paymentInputSchema>;

export const recipientInputSchema = z
  .strictObject({
    walletAddress: text(128).optional(),
    email: z.string().trim().min(3).max(254).optional(),
    physicalAddress: physicalAddressSchema.optional(),
    paymentMethodId: text(100).optional().describe('Saved payout method.'),
    bankAccountId: text(100).optional().describe('As `paymentMethodId`.'),
    rail: text(32).optional().describe("One of the payout method's `rails.supported`; its default when absent."),
  })
  .meta({
    id: 'OrderRecipientInput',
    description: '`{paymentMethodId, rail?}` for fiat; `{walletAddress}` or `{email}`, each with `physicalAddress?`, for tokens.',
  });
export type RecipientInput = z.output<typeof recipientInputSchema>;

const executionParametersSchema = z.strictObject({
  mode: z.enum(['exact-in', 'exact-out']).describe('`exact-in`: what is paid; `exact-out`: what is received.'),
  amount: z.string().min(1).max(80).describe('In whole units, a decimal.'),
  maxSlippageBps: z
    .string()
    .regex(/^(?:\d{1,3}|[1-4]\d{3}|5000)$/, 'must be a whole number from 0 to 5000, as a string')
    .optional()
    .describe('How far the price may move until execution, in hundredths of a percent.'),
});

const lineItemInputSchema = z
  .strictObject({
    tokenLocator: text(200).optional().describe('Token that is delivered, e.g. `base-sepolia:usdc`.'),
    collectionLocator: text(200).optional().describe('Collection of which a new item is delivered.'),
    currencyLocator: text(40).optional().describe('Fiat that is delivered: `fiat:<currency>`.'),
    executionParameters: executionParametersSchema.optional(),
    callData: smallJson.optional().describe('Passed through and echoed.'),
  })
  .meta({ id: 'OrderLineItemInput' });
export type LineItemInput = z.output<typeof lineItemInputSchema>;

/** Says what is wrong with the item that was meant; a union alone says that nothing fits. */
function problemOfLineItems({ code, input, errors }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'invalid_union') return undefined;
  if (input === null || typeof input !== 'object') return 'must be a line item, or a list of them';
  const [ofList, ofItem] = errors as readonly (readonly z.core.$ZodIssue[])[];
  const issue = (Array.isArray(input) ? ofList : ofItem)?.[0];
  const field = issue?.path.filter((key) => typeof key === 'string').join('.');
  return issue && (field ? `${field}: ${issue.message}` : issue.message);
}

export const createOrderBodySchema = z
  .strictObject({
    state: z.enum(['create', 'draft']).optional().describe('`draft`: a priced preview, neither stored nor payable.'),
    locale: z.enum(locales).optional().describe('`en-US` when absent.'),
    recipient: recipientInputSchema.optional(),
    payment: paymentInputSchema,
    lineItems: z
      .union(
        [
          z
            .array(lineItemInputSchema)
            .min(1, 'an order has a line item')
            .max(lineItemsMax, `an order has at most ${lineItemsMax} line items`),
          lineItemInputSchema,
        ],
        { error: problemOfLineItems },
      )
      .optional()
      .describe('Several only where tokens are delivered and paid by a deposit, and all of one network.'),
    externalOrder: z.unknown().optional().describe('An order of another shop, instead of line items: it is `item-unavailable` here.'),
    metadata: smallJson.optional(),
  })
  .meta({ id: 'CreateOrderBody' });
export type CreateOrderBody = z.output<typeof createOrderBodySchema>;

export const patchOrderBodySchema = z
  .strictObject({
    recipient: recipientInputSchema.optional().describe('Sent whole.'),
    locale: z.enum(locales).optional(),
    payment: paymentInputSchema.optional().describe('Sent whole.'),
    lineItems: z.unknown().optional().describe('Never changes: create a new order.'),
  })
  .meta({ id: 'PatchOrderBody' });
export type PatchOrderBody = z.output<typeof patchOrderBodySchema>;

export const postPaymentBodySchema = z
  .strictObject({
    type: z.literal('crypto-tx-id'),
    txId: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{16,128}$/, 'must be a transaction id')
      .describe('Transaction in which the deposit was made.'),
  })
  .meta({ id: 'PostOrderPaymentBody' });

export const orderParamsSchema = z.object({ orderId: z.string().min(1).max(100) });

const moneySchema = z.looseObject({ amount: z.string(), currency: z.string() }).meta({ id: 'OrderMoney' });
const movedMoneySchema = z
  .looseObject({ amount: z.string(), currency: z.string(), chain: z.string().optional(), txId: z.string().optional() })
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
    metadata: z.looseObject({ name: z.string(), description: z.string(), imageUrl: z.string().optional() }),
    quote: z.looseObject({
      status: z.enum(['valid', 'expired', 'requires-recipient', 'item-unavailable']),
      unavailabilityReason: z.looseObject({ code: z.string(), message: z.string() }).optional(),
      charges: z
        .looseObject({
          unit: moneySchema.describe('Price of what is delivered.'),
          fees: z.array(z.looseObject({ type: z.string(), amount: z.string(), currency: z.string() })),
          salesTax: moneySchema,
          shipping: moneySchema,
        })
        .optional(),
      totalPrice: moneySchema.optional().describe('`unit` and all `fees`, to the last smallest unit.'),
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
    phase: z.enum(['quote', 'payment', 'delivery', 'completed']).describe('`completed` is not success: read `delivery.status`.'),
    locale: z.string(),
    lineItems: z.array(lineItemSchema),
    quote: z.looseObject({
      status: z.enum(['valid', 'expired', 'requires-recipient', 'requires-physical-address', 'all-line-items-unavailable']),
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
      requirements: z.array(z.looseObject({ display: z.string(), type: z.string(), url: z.string() })),
    }),
  })
  .meta({ id: 'Order' });

export const createdOrderSchema = z
  .looseObject({
    clientSecret: z.string().optional().describe('Opens this order with a client key; a draft has none.'),
    order: orderSchema,
  })
  .meta({ id: 'CreatedOrder' });

export const orderPageSizeDefault = 30;

const filterText = z.string().min(1).max(4_000).optional();

export const listQuerySchema = z.strictObject({
  paymentStatus: filterText.describe('Comma-separated: `quote-phase`, `in-progress`, `succeeded`, `declined`, `expired`, `refunded`.'),
  deliveryStatus: filterText.describe('Comma-separated: `not-started`, `in-progress`, `partial-delivery`, `delivered`, `failed`.'),
  paymentMethod: filterText.describe('Comma-separated currencies of `payment.totalPaid`; `fiat` stands for all fiat currencies.'),
  recipientAddress: filterText.describe('Comma-separated wallet addresses that tokens are delivered to.'),
  orderId: filterText.describe('Comma-separated order ids.'),
  cursor: z.string().min(1).max(500).optional().describe('`nextCursor` or `previousCursor` of an answer with the same filters.'),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .optional()
    .describe(`Orders per page, 1 to 100; ${orderPageSizeDefault} when absent.`),
  sort: z.enum(['asc', 'desc']).optional().describe('By creation; `desc`, newest first, when absent.'),
});
export type ListQuery = z.output<typeof listQuerySchema>;

export const orderListSchema = z
  .object({ data: z.array(orderSchema), nextCursor: z.string().nullable(), previousCursor: z.string().nullable() })
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
    status: z.enum(['refund-request-initiated', 'refund-request-accepted', 'refund-request-rejected', 'refund-request-completed']),
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
      packageTracking: z.looseObject({ carrierName: z.string(), carrierTrackingNumber: z.string() }).optional(),
      deliveryTimeRange: z.looseObject({ lowerBound: z.iso.datetime(), upperBound: z.iso.datetime() }).optional(),
    }),
  )
  .meta({ id: 'OrderTracking' });

export const limitsQuerySchema = z.strictObject({
  userLocator: z.string().min(1).max(400).optional().describe('Whose limits; those of the project alone when absent.'),
  kind: z.enum(['onramp', 'offramp', 'checkout']).optional().describe('Every kind when absent.'),
  rail: z.string().min(1).max(64).optional().describe('`card`, a chain, or a payout rail: adds the limits that hold for it.'),
  token: z.string().min(1).max(20).optional().describe('Symbol of a token, e.g. `usdc`: adds the limit of its volume per day.'),
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
