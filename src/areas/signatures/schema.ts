import { z } from 'zod';
import { signatureTypesText } from '../../chains/families.ts';
import { chainTypes, walletTypes } from '../../chains/family.ts';
import { approvalsSchema } from '../approvals/schema.ts';
import { walletParamsSchema } from '../wallets/schema.ts';

export const signatureParamsSchema = walletParamsSchema.extend({
  signatureId: z.string().min(1).max(100),
});

const signatureTypeSchema = z.enum(['message', 'typed-data', 'auth-entries']);

/** `params` depends on type and family and is read by the family (supplement, section 8). */
export const createSignatureBodySchema = z
  .object({
    type: signatureTypeSchema,
    params: z
      .record(z.string().max(100), z.unknown())
      .describe(
        'message: `message`, `chain`, `signer?`. typed-data: `typedData`, `chain`, `signer?`, `isSmartWalletSignature?`. auth-entries: `authorizationEntries`, `signer?`. An mpc wallet has no signer. ' +
          signatureTypesText(),
      ),
  })
  .meta({ id: 'CreateSignatureBody' });

const positive = z.string().regex(/^[1-9]\d{0,8}$/, 'must be a positive whole number');
export const listSignaturesQuerySchema = z.object({
  page: positive.optional(),
  perPage: positive.optional().describe('Default 10, at most 100.'),
});

export const signatureSchema = z
  .looseObject({
    id: z.uuid(),
    chainType: z.enum(chainTypes),
    walletType: z.enum(walletTypes),
    type: signatureTypeSchema,
    status: z.enum(['awaiting-approval', 'failed', 'pending', 'success']),
    params: z.looseObject({}),
    approvals: approvalsSchema,
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().optional(),
    error: z.looseObject({ reason: z.string(), message: z.string() }).optional(),
    outputSignature: z.string().optional(),
  })
  .meta({ id: 'Signature' });

export const signatureListSchema = z.object({ signatures: z.array(signatureSchema) });
