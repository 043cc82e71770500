import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import validator from 'validator';
import { z } from 'zod';
import { ServiceError } from '../../lib/errors.ts';
import { restorePlus } from '../../lib/locator.ts';
import { accountTypes, entityTypes, type PaymentMethodType, paymentMethodTypes } from './types.ts';

/**
 * No message of these schemas repeats what was sent: a caller may have put a number anywhere, and refusals are stored and
 * shown. Field names are repeated only where they look like one.
 */
const quiet = {
  error: (issue: { code?: string; keys?: readonly string[] }) =>
    issue.code === 'unrecognized_keys'
      ? `has an unknown field${(issue.keys ?? [])
          .filter((key) => /^[A-Za-z]{1,40}$/.test(key))
          .map((key) => ` \`${key}\``)
          .join(',')}`
      : undefined,
} as const;

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'has a character that cannot be printed');

const country = z
  .string()
  .trim()
  .toUpperCase()
  .length(2)
  .refine((text) => validator.isISO31661Alpha2(text), 'must be an ISO 3166-1 code of two letters, e.g. US')
  .describe('ISO 3166-1, two letters.');
const currency = z
  .string()
  .trim()
  .toLowerCase()
  .length(3)
  .refine((text) => validator.isISO4217(text), 'must be an ISO 4217 currency, e.g. usd')
  .describe('ISO 4217; lower case in answers.');
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
  .meta({ id: 'PaymentMethodBilling', description: 'Who holds the account or card, and where they live.' });

const digits = (description: string) => z.string().trim().min(1).max(64).describe(description);

const bankFields = {
  bankName: line(100),
  bankAddress: postalAddressSchema.optional(),
  currency,
  country,
  entityType: z.enum(entityTypes),
  billing: billingSchema,
};
const optionalPlace = { bankName: line(100).optional(), currency: currency.optional(), country: country.optional() };

const userLocator = z
  .string()
  .min(1)
  .max(400)
  .optional()
  .describe('The user: required with a server-side key; with a client-side key that of the JWT.');

const usBody = z
  .strictObject(
    {
      type: z.literal('bank-account-us'),
      userLocator,
      bankAccount: z.strictObject(
        {
          ...bankFields,
          accountNumber: digits('4 to 17 digits. Never returned.'),
          routingNumber: digits('ABA routing number, 9 digits.'),
          accountType: z.enum(accountTypes),
        },
        quiet,
      ),
    },
    quiet,
  )
  .meta({ id: 'CreateUsBankAccount' });
const clabeBody = z
  .strictObject(
    {
      type: z.literal('bank-account-mx-clabe'),
      userLocator,
      bankAccount: z.strictObject({ ...bankFields, ...optionalPlace, clabe: digits('CLABE, 18 digits. Never returned.') }, quiet),
    },
    quiet,
  )
  .meta({ id: 'CreateClabeBankAccount' });
const coBody = z
  .strictObject(
    {
      type: z.literal('bank-account-co'),
      userLocator,
      bankAccount: z.strictObject(
        {
          ...bankFields,
          ...optionalPlace,
          bankCode: digits('Code of the bank, 3 or 4 digits.'),
          accountNumber: digits('5 to 20 digits. Never returned.'),
          accountType: z.enum(accountTypes),
          nationalDocument: digits('Document of the holder; a tax number with its check digit behind a hyphen. Never returned.'),
        },
        quiet,
      ),
    },
    quiet,
  )
  .meta({ id: 'CreateColombianBankAccount' });
const sepaBody = z
  .strictObject(
    {
      type: z.literal('bank-account-sepa-iban'),
      userLocator,
      bankAccount: z.strictObject(
        {
          ...bankFields,
          ...optionalPlace,
          iban: digits('IBAN of a SEPA country. Never returned.'),
          bic: digits('BIC of the bank.').optional(),
        },
        quiet,
      ),
    },
    quiet,
  )
  .meta({ id: 'CreateSepaBankAccount' });
const cardBody = z
  .strictObject(
    {
      type: z.literal('card'),
      userLocator,
      card: z.strictObject(
        {
          number: digits('12 to 19 digits. Never returned.'),
          expirationMonth: z.int().min(1).max(12),
          expirationYear: z.int().min(2000).max(2099),
          cvc: z
            .string()
            .regex(/^\d{3,4}$/, 'must be 3 digits, for American Express 4')
            .describe('Checked for its form, never stored.'),
          billing: billingSchema,
        },
        quiet,
      ),
    },
    quiet,
  )
  .meta({ id: 'CreateCard' });

const bodies = z.discriminatedUnion('type', [usBody, clabeBody, coBody, sepaBody, cardBody]);
export const createBodySchema = z
  .preprocess((value) => {
    const type = (value as { type?: unknown } | null)?.type;
    if (typeof type === 'string' && !paymentMethodTypes.includes(type as PaymentMethodType))
      throw new ServiceError('payment-method-not-supported', { message: `The type is one of ${paymentMethodTypes.join(', ')}.` });
    return value;
  }, bodies)
  .meta({ id: 'CreatePaymentMethodBody' });
export type CreateBody = z.output<typeof bodies>;

export const billingPatchSchema = z
  .strictObject({ name: line(140).optional(), phone: phone.optional(), address: postalAddressSchema.optional() }, quiet)
  .meta({ id: 'PaymentMethodBillingPatch', description: 'What changes; an address is sent whole.' });
export const updateBodySchema = z
  .strictObject(
    {
      default: z.boolean().optional().describe('`true` makes it the default of its user; the previous one loses it.'),
      billing: billingPatchSchema.optional(),
      bankAccount: z.strictObject({ billing: billingPatchSchema }, quiet).optional().describe('As `billing`, in the shape of the answer.'),
      card: z.strictObject({ billing: billingPatchSchema }, quiet).optional().describe('As `billing`, in the shape of the answer.'),
    },
    quiet,
  )
  .meta({ id: 'UpdatePaymentMethodBody', description: 'Billing details or `default`. Numbers never change: create a new method.' });
export type UpdateBody = z.output<typeof updateBodySchema>;

export const listQuerySchema = z.object({
  userLocator: z.string().min(1).max(400).transform(restorePlus).optional().describe('Required with a server-side key.'),
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
