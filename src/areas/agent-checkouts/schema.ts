import { z } from 'zod';
import { jsonSchema } from '../../lib/json/json-schema.ts';
import { agentCheckoutStatuses } from './machine.ts';
import { decimalsOf } from './money.ts';

export const checkoutPageSizeDefault = 20;
const checkoutPageSizeMax = 100;
const metadataBytesMax = 16 * 1024;

function isProductAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

const targetSchema = z.strictObject({
  kind: z.literal('direct_url'),
  url: z
    .string()
    .max(2_048)
    .refine(
      isProductAddress,
      'must be the http(s) address of a product, without a user name or password in it',
    ),
  request: z.string().min(1).max(2_000).optional(),
  merchantContext: z.string().min(1).max(2_000).optional(),
});

const currencies = new Set(Intl.supportedValuesOf('currency'));

const maxCostSchema = z
  .strictObject({
    amount: z
      .string()
      .regex(/^\d{1,12}(?:\.\d{1,4})?$/, 'must be a decimal amount such as "49.90"')
      .refine((amount) => Number(amount) > 0, 'must be more than zero'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in capital letters, e.g. USD')
      .refine(
        (currency) => !/^[A-Z]{3}$/.test(currency) || currencies.has(currency),
        'is no currency of ISO 4217',
      ),
  })
  .refine(
    ({ amount, currency }) =>
      !currencies.has(currency) ||
      (amount.split('.')[1]?.replace(/0+$/, '').length ?? 0) <= decimalsOf(currency),
    { message: 'has more digits behind the point than the currency', path: ['amount'] },
  );

export const createAgentCheckoutSchema = z
  .strictObject({
    target: targetSchema,
    constraints: z.strictObject({
      maxCost: maxCostSchema,
      dailyMax: maxCostSchema
        .optional()
        .describe(
          'Refuse this one with 429 when it and the checkouts of the user of the last 24 hours may cost more together. Counted where they are created, whoever creates them.',
        ),
    }),
    buyerProfileId: z.uuid().optional(),
    browserProfileId: z.uuid().optional(),
    metadata: z
      .record(z.string(), jsonSchema)
      .refine(
        (metadata) => JSON.stringify(metadata).length <= metadataBytesMax,
        'must be at most 16 KiB as JSON',
      )
      .optional(),
  })
  .meta({ id: 'CreateAgentCheckout' });
export type CreateAgentCheckoutBody = z.output<typeof createAgentCheckoutSchema>;

export const respondSchema = z
  .discriminatedUnion('action', [
    z.strictObject({ action: z.literal('submit'), values: z.record(z.string(), jsonSchema) }),
    z.strictObject({ action: z.literal('decline'), reason: z.string().max(500).optional() }),
  ])
  .meta({ id: 'RespondToUserAction' });
export type RespondBody = z.output<typeof respondSchema>;

export const acknowledgementSchema = z
  .looseObject({
    checkoutId: z.uuid(),
    actionId: z.uuid(),
    status: z.literal('accepted'),
    acceptedAt: z.string(),
  })
  .meta({ id: 'UserActionAcknowledgement' });

export const agentCheckoutSchema = z
  .looseObject({
    id: z.uuid(),
    createdAt: z.string(),
    updatedAt: z.string(),
    target: z.looseObject({ kind: z.string(), url: z.string() }),
    constraints: z.looseObject({
      maxCost: z.looseObject({ amount: z.string(), currency: z.string() }),
    }),
    metadata: z.record(z.string(), jsonSchema).optional(),
    status: z.enum(agentCheckoutStatuses),
    progressItems: z.array(
      z.looseObject({
        type: z.string(),
        title: z.string().optional(),
        message: z.string().optional(),
        createdAt: z.string(),
      }),
    ),
    pendingUserAction: z
      .looseObject({
        id: z.uuid(),
        kind: z
          .string()
          .optional()
          .describe('What is asked: `option-choice`, `approve-purchase`, …'),
        message: z.string(),
        url: z
          .string()
          .optional()
          .describe('Where the user answers it: a page of the app (setting `CHECKOUT_PAGE_URL`).'),
        responseSchema: z.record(z.string(), jsonSchema),
        expiresAt: z.string().optional(),
      })
      .optional(),
    browser: z
      .looseObject({ embedUrl: z.string().optional(), permissions: z.array(z.string()).optional() })
      .optional(),
    receipt: z
      .looseObject({
        total: z.looseObject({ amount: z.string(), currency: z.string() }).optional(),
        capturedAt: z.string().optional(),
        merchantOrderId: z.string().optional(),
        evidence: z
          .looseObject({
            confirmationUrl: z.string().optional(),
            confirmationText: z.string().optional(),
            screenshotSha256: z
              .string()
              .optional()
              .describe('Of the last picture of the run, as hex.'),
          })
          .optional(),
      })
      .optional(),
    failure: z
      .looseObject({
        reason: z.enum([
          'max_cost_exceeded',
          'user_cancelled',
          'user_action_expired',
          'automation_failed',
        ]),
        message: z.string().optional(),
        failedAt: z.string().optional(),
      })
      .optional(),
  })
  .meta({
    id: 'AgentCheckout',
    description:
      'A purchase that an agent makes in a shop. `pendingUserAction` is there only while it waits for the user.',
  });

export const agentCheckoutListSchema = z
  .looseObject({ data: z.array(agentCheckoutSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'AgentCheckoutList' });

export const stepListSchema = z
  .looseObject({
    data: z.array(
      z.looseObject({
        nr: z.number().int(),
        step: z.string(),
        at: z.string(),
        url: z.string().optional(),
        detail: z.record(z.string(), jsonSchema).optional(),
        hasPicture: z.boolean(),
      }),
    ),
    nextCursor: z.string().nullable(),
    replayUrl: z.string().optional(),
  })
  .meta({
    id: 'AgentCheckoutSteps',
    description:
      'What the browser did, oldest first. `replayUrl` is relative to the service’s origin.',
  });
export const pictureParamsSchema = z.object({
  id: z.string().max(100),
  nr: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a step')
    .transform(Number),
});

export const checkoutParamsSchema = z.object({ id: z.string().max(100) });
export const actionParamsSchema = z.object({
  id: z.string().max(100),
  actionId: z.string().max(100),
});
export const checkoutListQuerySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a number from 1 to 100')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= checkoutPageSizeMax, 'must be a number from 1 to 100')
    .optional(),
  cursor: z.string().max(300).optional(),
});
