import validator from 'validator';
import { z } from 'zod';
import { isPhoneNumber } from '../../lib/locator/locator.ts';
import { normalizeEmail } from '../../lib/people/email.ts';

/** Visible text of one line. */
const line = (lengthMax: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(lengthMax)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'must have no control characters');
const country = z
  .string()
  .transform((text) => text.toUpperCase())
  .refine(
    (text) => validator.isISO31661Alpha2(text),
    'must be a country as two letters (ISO 3166-1 alpha-2), e.g. US',
  );
const instant = z.iso.datetime({
  offset: true,
  error: 'must be an instant as ISO 8601, e.g. 2026-01-15T12:00:00Z',
});

export const userDetailsSchema = z.object({
  firstName: line(100),
  lastName: line(100),
  dateOfBirth: z.iso
    .date('must be a date as YYYY-MM-DD')
    .refine((date) => date >= '1900-01-01', 'must not be before 1900'),
  countryOfResidence: country,
});

export const kycDataSchema = z.object({
  email: z
    .string()
    .max(254)
    .refine((text) => normalizeEmail(text) !== undefined, 'must be an e-mail address'),
  phoneNumber: z.string().refine(isPhoneNumber, 'must be an E.164 phone number, e.g. +14155550123'),
  nationality: country,
  addressOfResidence: z.object({
    line1: line(200),
    line2: line(200).optional(),
    city: line(100),
    stateOrRegion: line(100).optional(),
    postalCode: line(20),
  }),
  identityDocument: z
    .object({
      type: z.enum(['passport', 'ssn']),
      number: line(50),
      issuingCountryCode: country,
    })
    .refine(({ type, issuingCountryCode }) => type !== 'ssn' || issuingCountryCode === 'US', {
      path: ['issuingCountryCode'],
      message: 'must be US for a document of type "ssn"',
    })
    .refine(({ type, number }) => type !== 'ssn' || /^\d{3}-?\d{2}-?\d{4}$/.test(number), {
      path: ['number'],
      message: 'must have 9 digits for a document of type "ssn"',
    }),
});

export const dueDiligenceSchema = z.object({
  employmentStatus: line(100),
  sourceOfFunds: line(100),
  industry: line(100),
});

export const verificationHistorySchema = z.object({
  idVerificationTimestamp: instant,
  livenessVerificationTimestamp: instant,
});

/** What a project may tell of a person; each block is there as a whole or not at all. */
export const putUserBodySchema = z
  .object({
    userDetails: userDetailsSchema.optional(),
    kycData: kycDataSchema.optional(),
    dueDiligence: dueDiligenceSchema.optional(),
    verificationHistory: verificationHistorySchema.optional(),
    locators: z
      .array(z.string().min(1).max(1_500))
      .max(10)
      .optional()
      .describe(
        'Other locators of the same person, e.g. `email:alice@example.com`: from now on they name this user. Server-side keys only; what is linked stays linked.',
      ),
  })
  .meta({
    id: 'PutUserBody',
    description: 'Replaces the data of the user: a block that is left out is removed.',
  });
export type PutUserBody = z.output<typeof putUserBodySchema>;

export const legalDocumentTypes = ['svc-privacy-policy'] as const;
export const legalDocumentBodySchema = z
  .object({ type: z.enum(legalDocumentTypes), acceptedAt: instant })
  .meta({ id: 'LegalDocumentBody' });
export const legalDocumentAnswerSchema = z
  .looseObject({ acceptedAt: z.iso.datetime() })
  .meta({ id: 'LegalDocumentAcceptance' });

export const documentTypes = [
  'id-ssn',
  'id-passport',
  'id-idcard-front',
  'id-idcard-back',
  'proof-of-address',
  'proof-of-income',
] as const;
export type DocumentType = (typeof documentTypes)[number];

export const documentBodySchema = z
  .object({
    userLocator: z
      .string()
      .min(1)
      .max(1_500)
      .optional()
      .describe('The user of the path, once more.'),
    documentType: z.enum(documentTypes),
    content: z
      .string()
      .min(1)
      .describe(
        'The file as base64: JPEG, PNG, WebP, HEIC or PDF, at most 10 MiB. What it is is read from its bytes, not from its name.',
      ),
  })
  .meta({ id: 'UserDocumentBody' });
export const documentSchema = z
  .looseObject({
    documentId: z.uuid(),
    documentType: z.enum(documentTypes),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'UserDocument' });

export const userSchema = z
  .looseObject({
    userId: z.string(),
    email: z.string().optional(),
    phoneNumber: z.string().optional(),
    userDetails: z.boolean(),
    kycData: z.boolean(),
    dueDiligence: z.boolean(),
    verificationHistory: z.boolean(),
    legalDocuments: z.array(
      z.looseObject({
        type: z.string(),
        acceptedAt: z.iso.datetime(),
        isValidVersion: z.boolean(),
      }),
    ),
  })
  .meta({
    id: 'User',
    description: 'A user. The four booleans say whether that block of data has been provided.',
  });

export const userParamsSchema = z.object({ userLocator: z.string().min(1).max(1_500) });
export const documentParamsSchema = userParamsSchema.extend({
  documentId: z.string().min(1).max(100),
});
