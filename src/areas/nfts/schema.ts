import { z } from 'zod';

export const nftsParamsSchema = z.object({
  walletLocator: z.string().min(1).max(200).describe('`<chain>:<walletAddress>`'),
});

const nftsPerPageMax = 50;
export const nftsPerPageDefault = 10;

export const nftsQuerySchema = z.object({
  page: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a whole number from 1 to 9999')
    .optional()
    .describe('From 1; default 1.'),
  perPage: z
    .string()
    .regex(/^(?:[1-9]|[1-4]\d|50)$/, `must be a whole number from 1 to ${nftsPerPageMax}`)
    .optional()
    .describe(`1 to ${nftsPerPageMax}; default ${nftsPerPageDefault}.`),
});
export type NftsQuery = z.output<typeof nftsQuerySchema>;

export const nftsSchema = z
  .array(
    z.looseObject({
      chain: z.string(),
      contractAddress: z.string().optional(),
      mintHash: z.string().optional(),
      tokenId: z.string().optional(),
      amount: z.string().describe('How many of this id; 1 unless the contract has editions.'),
      metadata: z
        .looseObject({
          name: z.string().optional(),
          description: z.string().optional(),
          image: z.string().optional(),
        })
        .describe('As far as the contract tells it and it can be read.'),
    }),
  )
  .meta({ id: 'Nfts' });
