import { z } from 'zod';

/** `type` names the account scheme, not the rail. */
export const paymentMethodTypes = [
  'bank-account-us',
  'bank-account-mx-clabe',
  'bank-account-co',
  'bank-account-sepa-iban',
  'card',
] as const;
export type PaymentMethodType = (typeof paymentMethodTypes)[number];

/**
 * What the vault tells about a payment method. The same on its own host, on the API host and
 * between processes.
 */

const addressSchema = z
  .looseObject({
    line1: z.string(),
    line2: z.string().optional(),
    city: z.string(),
    stateOrRegion: z.string().optional(),
    postalCode: z.string(),
    country: z.string(),
  })
  .meta({ id: 'PostalAddressView' });
const billingSchema = z
  .looseObject({ name: z.string(), phone: z.string().optional(), address: addressSchema })
  .meta({ id: 'PaymentMethodBillingView' });

const bankAccountSchema = z
  .looseObject({
    accountSuffix: z.string().describe('Last 4 characters of the account number.'),
    routingNumber: z.string().optional().describe('`bank-account-us`.'),
    bankCode: z.string().optional().describe('`bank-account-co`.'),
    bic: z.string().optional().describe('`bank-account-sepa-iban`.'),
    accountType: z.string().optional(),
    bankName: z.string().optional(),
    bankAddress: addressSchema.optional(),
    currency: z.string(),
    country: z.string(),
    entityType: z.string(),
    billing: billingSchema,
    rails: z.looseObject({
      supported: z.array(z.string()).describe('Payout rails; the first is the default.'),
      status: z.enum(['active', 'pending', 'unavailable']),
    }),
  })
  .meta({ id: 'PaymentMethodBankAccount' });
const cardSchema = z
  .looseObject({
    brand: z.string(),
    last4: z.string(),
    expiration: z.looseObject({ month: z.string(), year: z.string() }),
    billing: billingSchema,
    fundingType: z.string(),
    bin: z.string(),
    country: z.string(),
  })
  .meta({ id: 'PaymentMethodCard' });

export const paymentMethodSchema = z
  .looseObject({
    paymentMethodId: z.uuid(),
    type: z.string(),
    default: z.boolean(),
    displayName: z.string().describe('Bank or brand, `••` and the last 4.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    lastPayoutAt: z.iso.datetime().optional().describe('Latest successful payout.'),
    bankAccount: bankAccountSchema.optional(),
    card: cardSchema.optional(),
  })
  .meta({ id: 'PaymentMethod' });
export type PaymentMethod = z.output<typeof paymentMethodSchema>;

export const paymentMethodListSchema = z
  .looseObject({ data: z.array(paymentMethodSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'PaymentMethodList' });
export type PaymentMethodList = z.output<typeof paymentMethodListSchema>;

/** As processes of the main side see it: with its owner. */
export const ownedPaymentMethodSchema = z.object({
  paymentMethod: paymentMethodSchema,
  userLocator: z.string(),
});
export type OwnedPaymentMethod = z.output<typeof ownedPaymentMethodSchema>;
