import { z } from 'zod';
import { userParamsSchema } from '../users/schema.ts';

export const linkedWalletParamsSchema = userParamsSchema.extend({
  address: z.string().min(1).max(100),
});

export const linkWalletBodySchema = z
  .object({
    chain: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Chain name, required. The older name `chainType` is taken too.'),
    chainType: z.string().min(1).max(64).optional(),
    proof: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .describe(
        'The signature of `verificationChallenge`: `personal_sign` of a key or ERC-1271 signature of a smart wallet (0x…) on EVM chains, base64 of an Ed25519 signature on Solana and Stellar, of a signature of the personal message with its scheme and key on Sui.',
      ),
  })
  .refine(({ chain, chainType }) => (chain ?? chainType) !== undefined, {
    path: ['chain'],
    message: 'is required: a chain name, e.g. base',
  })
  .refine(
    ({ chain, chainType }) => chain === undefined || chainType === undefined || chain === chainType,
    {
      path: ['chainType'],
      message: 'is the older name of `chain` and says something else: send `chain` only',
    },
  )
  .transform(({ chain, chainType, proof }) => ({ chain: (chain ?? chainType)!, proof }))
  .meta({ id: 'LinkWalletBody' });
export type LinkWalletBody = z.output<typeof linkWalletBodySchema>;

export const linkedWalletSchema = z
  .looseObject({
    address: z.string(),
    chain: z.string(),
    type: z.literal('external-wallet'),
    ownership: z.union([
      z.looseObject({ verified: z.literal(true) }),
      z.looseObject({ verified: z.literal(false), verificationChallenge: z.string() }),
    ]),
  })
  .meta({
    id: 'LinkedWallet',
    description: 'A wallet of the user that this service does not hold.',
  });
