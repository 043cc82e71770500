import validator from 'validator';
import { z } from 'zod';
import { isPhoneNumber } from '../../lib/locator/locator.ts';
import { normalizeEmail } from '../../lib/people/email.ts';

export const buyerProfilePageSizeDefault = 20;
const buyerProfilePageSizeMax = 100;

/** Visible text of one line. */
const line = (lengthMax: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(lengthMax)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'must have no control characters');

const email = z
  .string()
  .max(254)
  .refine((text) => normalizeEmail(text) !== undefined, 'must be an e-mail address');
const phone = z.string().refine(isPhoneNumber, 'must be an E.164 phone number, e.g. +14155550123');
const countryCode = z
  .string()
  .refine((text) => /^[A-Z]{2}$/.test(text) && validator.isISO31661Alpha2(text), {
    message: 'must be a country as two capital letters (ISO 3166-1 alpha-2), e.g. US',
  });
const administrativeAreaCode = z
  .string()
  .regex(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'must be an ISO 3166-2 code as <country>-<code>, e.g. US-CA')
  .nullable();

const nameSchema = z.strictObject({ first: line(100).optional(), last: line(100).optional() });
const contactSchema = z.strictObject({ email: email.optional(), phone: phone.optional() });
const shippingSchema = z.strictObject({
  addressLines: z.array(line(200)).min(1).max(5),
  locality: line(100),
  administrativeAreaCode: administrativeAreaCode.optional(),
  postalCode: line(20).nullable().optional(),
  countryCode,
});

const areaFits = (shipping: {
  administrativeAreaCode?: string | null | undefined;
  countryCode?: string | undefined;
}) =>
  typeof shipping.administrativeAreaCode !== 'string' ||
  shipping.countryCode === undefined ||
  shipping.administrativeAreaCode.startsWith(`${shipping.countryCode}-`);
const areaMessage = {
  message: 'administrativeAreaCode must be of countryCode, e.g. US-CA with US',
  path: ['administrativeAreaCode'],
};

export const createBuyerProfileSchema = z
  .strictObject({
    label: line(120).optional(),
    name: nameSchema.optional(),
    contact: contactSchema.optional(),
    shipping: shippingSchema.refine(areaFits, areaMessage),
  })
  .meta({ id: 'CreateBuyerProfile' });
export type BuyerProfileContent = z.output<typeof createBuyerProfileSchema>;

export const updateBuyerProfileSchema = z
  .strictObject({
    label: line(120).optional(),
    name: nameSchema.optional(),
    contact: contactSchema.optional(),
    shipping: shippingSchema.partial().optional(),
  })
  .refine(
    (body) => Object.values(body).some((value) => value !== undefined),
    'name at least one field to change',
  )
  .meta({ id: 'UpdateBuyerProfile' });
export type BuyerProfileChange = z.output<typeof updateBuyerProfileSchema>;

/** What the change left has to be a whole profile again. */
export const buyerProfileContentSchema = createBuyerProfileSchema;

export const buyerProfileSchema = z
  .looseObject({
    id: z.uuid(),
    label: z.string().optional(),
    name: z.looseObject({ first: z.string().optional(), last: z.string().optional() }).optional(),
    contact: z
      .looseObject({ email: z.string().optional(), phone: z.string().optional() })
      .optional(),
    shipping: z.looseObject({
      addressLines: z.array(z.string()),
      locality: z.string(),
      administrativeAreaCode: z.string().nullable().optional(),
      postalCode: z.string().nullable().optional(),
      countryCode: z.string(),
    }),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({
    id: 'BuyerProfile',
    description: 'Who buys and where to, for agent checkouts. It holds no payment data.',
  });

export const buyerProfileListSchema = z
  .looseObject({ data: z.array(buyerProfileSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'BuyerProfileList' });

export const buyerProfileParamsSchema = z.object({ id: z.string().max(100) });

export const buyerProfileListQuerySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a number from 1 to 100')
    .transform(Number)
    .refine(
      (limit) => limit >= 1 && limit <= buyerProfilePageSizeMax,
      'must be a number from 1 to 100',
    )
    .optional(),
  cursor: z.string().max(300).optional(),
});
