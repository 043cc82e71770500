import { z } from 'zod';
import { jsonSchema } from '../../../lib/json/json-schema.ts';
import { lineItemsMax } from '../state/items.ts';

/** What callers send to make, change and pay an order. */

const jsonBytesMax = 16 * 1024;
/** What is echoed in every answer and event has to be small. */
const smallJson = z
  .record(z.string().max(100), jsonSchema)
  .refine(
    (value) => JSON.stringify(value).length <= jsonBytesMax,
    'must be at most 16 KiB as JSON',
  );

/** Languages of hosted pages and mails (supplement, section 13). */
const locales = [
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

const physicalAddressSchema = z
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

const paymentInputSchema = z
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
    receiptEmail: z
      .string()
      .trim()
      .min(3)
      .max(254)
      .optional()
      .describe('For the receipt and the identity check.'),
    payerAddress: text(128).optional().describe('Wallet the user pays from.'),
  })
  .meta({ id: 'OrderPaymentInput' });
export type PaymentInput = z.output<typeof paymentInputSchema>;

const recipientInputSchema = z
  .strictObject({
    walletAddress: text(128).optional(),
    email: z.string().trim().min(3).max(254).optional(),
    physicalAddress: physicalAddressSchema.optional(),
    paymentMethodId: text(100).optional().describe('Saved payout method.'),
    bankAccountId: text(100).optional().describe('As `paymentMethodId`.'),
    rail: text(32)
      .optional()
      .describe("One of the payout method's `rails.supported`; its default when absent."),
  })
  .meta({
    id: 'OrderRecipientInput',
    description:
      '`{paymentMethodId, rail?}` for fiat; `{walletAddress}` or `{email}`, each with `physicalAddress?`, for tokens.',
  });
export type RecipientInput = z.output<typeof recipientInputSchema>;

const executionParametersSchema = z.strictObject({
  mode: z
    .enum(['exact-in', 'exact-out'])
    .describe('`exact-in`: what is paid; `exact-out`: what is received.'),
  amount: z.string().min(1).max(80).describe('In whole units, a decimal.'),
  maxSlippageBps: z
    .string()
    .regex(/^(?:\d{1,3}|[1-4]\d{3}|5000)$/, 'must be a whole number from 0 to 5000, as a string')
    .optional()
    .describe('How far the price may move until execution, in hundredths of a percent.'),
});

const lineItemInputSchema = z
  .strictObject({
    tokenLocator: text(200)
      .optional()
      .describe(
        'Token that is delivered, e.g. `base-sepolia:usdc`; with a token id one that the treasury holds and the project sells.',
      ),
    collectionLocator: text(200)
      .optional()
      .describe(
        'Collection of which new items are minted: its id, `<chain>:<contract>`, or `<chain>:<contract>:<tokenId>` of an edition.',
      ),
    currencyLocator: text(40).optional().describe('Fiat that is delivered: `fiat:<currency>`.'),
    executionParameters: executionParametersSchema.optional(),
    callData: smallJson
      .optional()
      .describe(
        'Echoed. Of new items: `quantity`, and the arguments of the mint function by their names, where it takes more.',
      ),
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
    state: z
      .enum(['create', 'draft'])
      .optional()
      .describe('`draft`: a priced preview, neither stored nor payable.'),
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
      .describe(
        'Several only where tokens are delivered and paid by a deposit, and all of one network.',
      ),
    externalOrder: z
      .unknown()
      .optional()
      .describe('An order of another shop: refused, nothing is stored. Send `lineItems`.'),
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
