import { z } from 'zod';
import { signerNameSchema, walletParamsSchema } from '../wallets/schema.ts';

export const transferParamsSchema = walletParamsSchema.extend({
  tokenLocator: z.string().min(1).max(400),
});
export const getTransferParamsSchema = transferParamsSchema.extend({
  transactionId: z.string().min(1).max(100),
});

export const createTransferBodySchema = z
  .object({
    recipient: z
      .string()
      .min(1)
      .max(400)
      .describe(
        'An address, or a user locator: that user’s wallet on the chain, created when missing.',
      ),
    amount: z
      .string()
      .max(200)
      .optional()
      .describe(
        'Whole tokens as a decimal text, e.g. "1.5". Required for fungible tokens, ignored for a token id.',
      ),
    signer: signerNameSchema.optional().describe('Locator; the admin signer when absent.'),
    transactionType: z
      .enum(['direct', 'regulated-transfer', 'onramp'])
      .optional()
      .describe(
        'Default `direct`. `regulated-transfer`: the owner of the wallet has to be verified for it.',
      ),
    memo: z
      .strictObject({ type: z.enum(['text', 'id', 'hash']), value: z.string().min(1).max(64) })
      .optional()
      .describe('Stellar only.'),
  })
  .meta({ id: 'CreateTransferBody' });
export type CreateTransferBody = z.output<typeof createTransferBodySchema>;
