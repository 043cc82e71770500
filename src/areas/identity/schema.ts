import { z } from 'zod';
import { requestableDocuments } from '../../providers/kyc/kyc.ts';
import { dataBlocks, eligibilityTypes } from './requirements.ts';

export const eligibilitySchema = z
  .looseObject({
    eligibility: z.array(
      z.looseObject({
        type: z.enum(eligibilityTypes),
        status: z.enum([
          'not-started',
          'pending-privacy-policy',
          'requires-data',
          'pending-review',
          'verified',
          'rejected',
        ]),
        missingData: z.array(z.enum(dataBlocks)).optional(),
        missingDocuments: z.array(z.enum(requestableDocuments)).optional(),
      }),
    ),
  })
  .meta({
    id: 'Eligibility',
    description:
      'What the user may do. The `-light` types cover US$1,000 in twelve months, the full ones more; residents of the US always need the full `offramp`.',
  });
