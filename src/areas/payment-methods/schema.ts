import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import validator from 'validator';
import { z } from 'zod';
import { restorePlus } from '../../lib/locator/locator.ts';
import { paymentMethodTypes } from '../../providers/vault/wire.ts';

/**
 * No message of these schemas repeats what was sent: a caller may have put a number anywhere, and
 * refusals are stored and shown. Field names are repeated only where they look like one.
 */
export const quiet = {
  error: (issue: { code?: string; keys?: readonly string[] }) =>
    issue.code === 'unrecognized_keys'
      ? `has an unknown field${(issue.keys ?? [])
          .filter((key) => /^[A-Za-z]{1,40}$/.test(key))
          .map((key) => ` \`${key}\``)
          .join(',')}`
      : undefined,
} as const;

/** One line of text that can be printed. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'has a character that cannot be printed');

export const country = z
  .string()
  .trim()
  .toUpperCase()
  .length(2)
  .refine(
    (text) => validator.isISO31661Alpha2(text),
    'must be an ISO 3166-1 code of two letters, e.g. US',
  )
  .describe('ISO 3166-1, two letters.');
const phone = z
  .string()
  .trim()
  .max(32)
  .transform((text, ctx) => {
    const parsed = parsePhoneNumberFromString(text);
    if (parsed?.isPossible()) return parsed.number as string;
    ctx.addIssue({ code: 'custom', message: 'must be an E.164 phone number, e.g. +14155550123' });
    return z.NEVER;
  })
  .describe('E.164, e.g. +14155550123.');

export const postalAddressSchema = z
  .strictObject(
    {
      line1: line(200),
      line2: line(200).optional(),
      city: line(100),
      stateOrRegion: line(100).optional(),
      postalCode: line(20),
      country,
    },
    quiet,
  )
  .meta({ id: 'PostalAddress' });

export const billingSchema = z
  .strictObject({ name: line(140), phone: phone.optional(), address: postalAddressSchema }, quiet)
  .meta({
    id: 'PaymentMethodBilling',
    description: 'Who holds the account or card, and where they live.',
  });

export const billingPatchSchema = z
  .strictObject(
    {
      name: line(140).optional(),
      phone: phone.optional(),
      address: postalAddressSchema.optional(),
    },
    quiet,
  )
  .meta({
    id: 'PaymentMethodBillingPatch',
    description: 'What changes; an address is sent whole.',
  });
export const updateBodySchema = z
  .strictObject(
    {
      default: z
        .boolean()
        .optional()
        .describe('`true` makes it the default of its user; the previous one loses it.'),
      billing: billingPatchSchema.optional(),
      bankAccount: z
        .strictObject({ billing: billingPatchSchema }, quiet)
        .optional()
        .describe('As `billing`, in the shape of the answer.'),
      card: z
        .strictObject({ billing: billingPatchSchema }, quiet)
        .optional()
        .describe('As `billing`, in the shape of the answer.'),
    },
    quiet,
  )
  .meta({
    id: 'UpdatePaymentMethodBody',
    description: 'Billing details or `default`. Numbers never change: create a new method.',
  });
export type UpdateBody = z.output<typeof updateBodySchema>;

export interface MethodChange {
  readonly default?: boolean;
  /** Fields that are absent stay; an address is replaced whole. */
  readonly billing?: UpdateBody['billing'];
  /** Where the caller said that the billing details stand: it has to be what the method is. */
  readonly billingOf?: 'bankAccount' | 'card';
}

export const listQuerySchema = z.object({
  userLocator: z
    .string()
    .min(1)
    .max(400)
    .transform(restorePlus)
    .optional()
    .describe('Required with a server-side key.'),
  type: z.enum(paymentMethodTypes).optional(),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a number from 1 to 100')
    .transform(Number)
    .optional()
    .describe('1 to 100; 20 when absent.'),
  cursor: z.string().min(1).max(200).optional().describe('`nextCursor` of the page before.'),
});
export type ListQuery = z.output<typeof listQuerySchema>;

export const paymentMethodParamsSchema = z.object({ paymentMethodId: z.string().min(1).max(100) });
