import { z } from 'zod';
import { signerNameSchema, signerSchema } from '../wallets/schema.ts';

const index = z
  .union([z.int().min(0).max(100_000), z.string().regex(/^\d{1,6}$/, 'must be a whole number')])
  .transform(Number);

/** r and s of a P-256 signature; which spelling of a number it takes is the family's to say. */
const scalarsSchema = z.strictObject({
  r: z.string().min(1).max(100),
  s: z.string().min(1).max(100),
});

/** What an authenticator signed beside the challenge; all of it is checked by the family. */
const metadataSchema = z
  .object({
    authenticatorData: z.string().min(1).max(4_000).optional(),
    challengeIndex: index.optional(),
    clientDataJSON: z.string().min(2).max(8_000).optional(),
    typeIndex: index.optional(),
    userVerificationRequired: z.boolean().optional(),
    deviceInfo: z.string().max(500).optional(),
    ipAddress: z.string().max(64).optional(),
    userAgent: z.string().max(500).optional(),
  })
  .meta({
    id: 'ApprovalMetadata',
    description:
      'A passkey’s approval needs authenticatorData, challengeIndex, clientDataJSON, typeIndex and userVerificationRequired. The others are kept as sent.',
  });

export const submitApprovalsBodySchema = z
  .object({
    approvals: z
      .array(
        z.object({
          signer: signerNameSchema.describe(
            'Locator of the approving signer; of a quorum, of the member.',
          ),
          signature: z
            .union([z.string().min(1).max(20_000), scalarsSchema])
            .describe('Text; of passkeys and devices `{r, s}`.'),
          metadata: metadataSchema.optional(),
        }),
      )
      .max(50),
  })
  .meta({ id: 'SubmitApprovalsBody' });
export type SubmitApprovalsBody = z.output<typeof submitApprovalsBodySchema>;

const pendingSchema = z.looseObject({ signer: signerSchema, message: z.string() });
const submittedSchema = z.looseObject({
  signer: signerSchema,
  message: z.string(),
  signature: z.unknown(),
  submittedAt: z.number().describe('Epoch milliseconds.'),
});
const quorumEntrySchema = z
  .looseObject({
    signer: z.looseObject({ type: z.literal('quorum'), locator: z.string() }),
    quorumApprovals: z.looseObject({
      threshold: z.int(),
      remaining: z.int(),
      pending: z.array(pendingSchema),
      submitted: z.array(submittedSchema),
    }),
  })
  .meta({ id: 'QuorumApprovals' });

export const approvalsSchema = z
  .looseObject({
    required: z.number().optional(),
    pending: z.array(z.union([pendingSchema, quorumEntrySchema])),
    submitted: z.array(z.union([submittedSchema, quorumEntrySchema])),
  })
  .meta({ id: 'Approvals' });
