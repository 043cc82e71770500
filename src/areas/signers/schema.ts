import { z } from 'zod';
import {
  scopesSchema,
  signerNameSchema,
  signerOrLocatorSchema,
  signerSchema,
  walletParamsSchema,
} from '../wallets/schema.ts';

export const addSignerBodySchema = z
  .object({
    signer: signerOrLocatorSchema.describe(
      'A locator, or an object; objects for passkey and quorum. A device is named `device:<base64>` of its public key: 65 bytes, 04 and the coordinates x and y (SEC 1, uncompressed); other usual forms of the key are understood too.',
    ),
    chain: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Required for evm wallets, ignored for others.'),
    expiresAt: z.iso.datetime().optional(),
    scopes: scopesSchema.optional(),
    deployImmediately: z
      .boolean()
      .optional()
      .describe(
        'False: a signature request registers the signer. True: a transaction does. Both are sent to the chain once approved.',
      ),
    approver: signerNameSchema
      .optional()
      .describe('Locator of the recovery method; only where the wallet has several.'),
  })
  .meta({ id: 'AddSignerBody' });
export type AddSignerBody = z.output<typeof addSignerBodySchema>;

export const signerParamsSchema = walletParamsSchema.extend({
  signer: z.string().min(1).max(1500).describe('Signer locator, percent-encoded as a whole.'),
});

export const removeSignerQuerySchema = z.object({
  chain: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Required for evm wallets: one of the names that take signer removal, which are fewer than the other chain names; a refusal lists them.',
    ),
  approver: z
    .string()
    .min(1)
    .max(1500)
    .optional()
    .describe('Locator of the recovery method; only where the wallet has several.'),
});

export const delegatedSignerSchema = signerSchema
  .extend({
    chains: z
      .record(
        z.string(),
        z.looseObject({
          status: z.enum(['success', 'pending', 'awaiting-approval', 'failed']),
          id: z.string().optional(),
        }),
      )
      .optional()
      .describe(
        'evm, by chain name. Empty: part of the wallet, valid on every chain. Else only the chains that are named.',
      ),
    transaction: z
      .looseObject({ id: z.string(), status: z.string() })
      .optional()
      .describe('Not evm: the transaction that registers it.'),
    expiresAt: z.iso.datetime().optional(),
    scopes: z.array(z.looseObject({})).optional(),
  })
  .meta({ id: 'DelegatedSigner' });
