import validator from 'validator';
import { z } from 'zod';
import {
  billingSchema,
  country,
  line,
  postalAddressSchema,
  quiet,
} from '../../areas/payment-methods/schema.ts';
import { ServiceError } from '../../lib/errors.ts';
import { accountTypes, entityTypes, type PaymentMethodType, paymentMethodTypes } from './types.ts';

/** Bodies that hold numbers: only the vault reads them. */

const currency = z
  .string()
  .trim()
  .toLowerCase()
  .length(3)
  .refine((text) => validator.isISO4217(text), 'must be an ISO 4217 currency, e.g. usd')
  .describe('ISO 4217; lower case in answers.');
const digits = (description: string) => z.string().trim().min(1).max(64).describe(description);

const bankFields = {
  bankName: line(100),
  bankAddress: postalAddressSchema.optional(),
  currency,
  country,
  entityType: z.enum(entityTypes),
  billing: billingSchema,
};
const optionalPlace = {
  bankName: line(100).optional(),
  currency: currency.optional(),
  country: country.optional(),
};

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
      bankAccount: z.strictObject(
        { ...bankFields, ...optionalPlace, clabe: digits('CLABE, 18 digits. Never returned.') },
        quiet,
      ),
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
          nationalDocument: digits(
            'Document of the holder; a tax number with its check digit behind a hyphen. Never returned.',
          ),
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
      throw new ServiceError('payment-method-not-supported', {
        message: `The type is one of ${paymentMethodTypes.join(', ')}.`,
      });
    return value;
  }, bodies)
  .meta({ id: 'CreatePaymentMethodBody' });
export type CreateBody = z.output<typeof bodies>;
