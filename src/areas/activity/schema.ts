import { z } from 'zod';
import { walletParamsSchema } from '../wallets/schema.ts';

export const activityParamsSchema = walletParamsSchema;

const activityPageSizeMax = 100;
export const activityPageSizeDefault = 20;

const instant = z.iso.datetime({ offset: true });

export const activityQuerySchema = z.object({
  chain: z
    .string()
    .min(1)
    .max(64)
    .describe("Chain name of the wallet's family, e.g. `base-sepolia`."),
  status: z.enum(['successful', 'failed']),
  tokens: z
    .string()
    .min(1)
    .max(4_000)
    .optional()
    .describe('Comma-separated symbols or token locators; every token when absent.'),
  sort: z.enum(['asc', 'desc']).optional().describe('By time; `desc`, newest first, when absent.'),
  cursor: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('`nextCursor` or `previousCursor` of an answer to the same query.'),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, `must be a whole number from 1 to ${activityPageSizeMax}`)
    .optional()
    .describe(`Events per page, 1 to ${activityPageSizeMax}; default ${activityPageSizeDefault}.`),
  fromDate: instant.optional().describe('Events completed at or after this instant.'),
  toDate: instant.optional().describe('Events completed at or before this instant.'),
});
export type ActivityQuery = z.output<typeof activityQuerySchema>;

const partySchema = z
  .looseObject({
    address: z.string(),
    chain: z.string().optional(),
    locator: z.string().describe('`<chain>:<address>`'),
    owner: z
      .string()
      .optional()
      .describe('Owner of the wallet, when it is one of the project that the caller may see.'),
  })
  .meta({ id: 'TransferParty' });

const transferEventSchema = z
  .looseObject({
    type: z.enum(['wallets.transfer.in', 'wallets.transfer.out']),
    status: z.enum(['succeeded', 'failed']),
    sender: partySchema,
    recipient: partySchema,
    token: z.looseObject({
      locator: z.string(),
      amount: z.string().describe('In whole tokens.'),
      rawAmount: z.string().describe('In the smallest unit.'),
      symbol: z.string().optional(),
      decimals: z.number().int(),
      type: z.literal('fungible'),
      chain: z.string(),
      contractAddress: z.string().optional(),
      mintHash: z.string().optional(),
      contractId: z.string().optional(),
    }),
    transferId: z
      .string()
      .optional()
      .describe('The transaction of this service that made the transfer, or an id of the event.'),
    completedAt: z.iso.datetime(),
    onChain: z.looseObject({ txId: z.string(), explorerLink: z.string().optional() }).optional(),
    error: z.looseObject({ message: z.string(), reason: z.string() }).optional(),
  })
  .meta({ id: 'TransferEvent' });

/** What a webhook says of it: its type stands beside it (supplement, section 16). */
export const transferNoticeSchema = transferEventSchema
  .omit({ type: true })
  .meta({ id: 'TransferNotice' });

export const activityPageSchema = z
  .object({
    data: z.array(transferEventSchema),
    nextCursor: z.string().optional(),
    previousCursor: z.string().optional(),
  })
  .meta({ id: 'ActivityPage' });
