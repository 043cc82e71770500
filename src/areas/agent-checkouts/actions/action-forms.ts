import type { JsonObject } from '../../../lib/json/json.ts';
import { addressNeedsRegion } from '../../../lib/people/address-regions.ts';
import type { ShopMoney, UserActionKind, UserActionRequest } from '../../../runner/types.ts';
import { moneyView } from '../money.ts';
import type { ActionRecord } from '../types.ts';

/**
 * What the user is asked, as a sentence and a JSON Schema of the interface's subset (supplement,
 * section 15): type, title, description, enum, const, oneOf, anyOf, format, default, properties,
 * required, items.
 */
export interface ActionForm {
  readonly message: string;
  readonly responseSchema: JsonObject;
  /** How long the user has. */
  readonly lifeMs: number;
}

const minute = 60_000;
const lifeMs: Readonly<Record<UserActionKind, number>> = {
  'contact-and-shipping': 30 * minute,
  'option-choice': 30 * minute,
  'merchant-login': 15 * minute,
  'one-time-code': 5 * minute,
  'payment-credential': 15 * minute,
  'approve-purchase': 15 * minute,
  'three-d-secure': 5 * minute,
  'human-verification': 10 * minute,
  // After the click nothing can be lost by waiting.
  'confirm-outcome': 24 * 60 * minute,
  'free-question': 30 * minute,
};

const text = (title: string, more: JsonObject = {}): JsonObject => ({
  type: 'string',
  title,
  ...more,
});
const object = (
  properties: JsonObject,
  required: readonly string[] = Object.keys(properties),
): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const money = (total: ShopMoney): string => `${moneyView(total).amount} ${total.currency}`;

/** Fields of contact and shipping, by the names that a run asks for them. */
const contactFields: JsonObject = {
  fullName: text('Full name'),
  email: text('E-mail address', { format: 'email' }),
  phone: text('Phone number, with country code'),
  addressLine1: text('Street and number'),
  addressLine2: text('Apartment, floor, company'),
  city: text('City'),
  state: text('State or region', {
    description: 'ISO 3166-2, e.g. US-CA. Only in countries whose addresses have one',
  }),
  postalCode: text('Postal code'),
  countryCode: text('Country', { description: 'Two letters (ISO 3166-1), e.g. US' }),
};

const contactLengthMax = 200;

/** What the schema of an address cannot say. @returns what is wrong with it */
export function checkContact(
  { responseSchema }: Pick<ActionRecord, 'responseSchema'>,
  values: JsonObject,
): string | undefined {
  for (const [name, value] of Object.entries(values))
    if (
      typeof value === 'string' &&
      (value.length > contactLengthMax || /[\p{C}\p{Zl}\p{Zp}]/u.test(value))
    )
      return `values.${name} must be one line of at most ${contactLengthMax} characters`;
  const asked = responseSchema.properties as JsonObject;
  const { state, countryCode } = values;
  const isLeftOut = state === undefined || (typeof state === 'string' && state.trim() === '');
  if (
    !Object.hasOwn(asked, 'state') ||
    !isLeftOut ||
    typeof countryCode !== 'string' ||
    !addressNeedsRegion(countryCode)
  )
    return undefined;
  return `values.state is needed in ${countryCode.toUpperCase()}, whose addresses have a region`;
}

const cardFields: JsonObject = {
  number: text('Card number', { format: 'password' }),
  expirationMonth: { type: 'integer', title: 'Month of expiry (1 to 12)' },
  expirationYear: { type: 'integer', title: 'Year of expiry, four digits' },
  cvc: text('Security code', { format: 'password' }),
  holder: text('Name on the card'),
  postalCode: text('Postal code of the billing address'),
};
const cardRequired = ['number', 'expirationMonth', 'expirationYear', 'cvc', 'holder'];
const cardSchema = object(cardFields, cardRequired);
/** The security code is kept nowhere, so it is asked for a saved card too. */
const savedCardSchema: JsonObject = {
  type: 'object',
  properties: {
    paymentMethodId: text('Saved card', {
      description: 'Id of a payment method of the type card, in place of number, expiry and name',
    }),
    ...cardFields,
  },
  anyOf: [
    { title: 'A card', required: cardRequired },
    { title: 'A saved card', required: ['paymentMethodId', 'cvc'] },
  ],
};

export interface FormOptions {
  /** The user may pay with a card that the vault keeps. */
  readonly hasSavedCards: boolean;
}

/** One of each value: what a list has twice would fit two of `oneOf`, and so none. */
function choicesOf(
  options: readonly { readonly value: string; readonly title: string }[],
): JsonObject[] {
  const titles = new Map<string, Set<string>>();
  for (const { value, title } of options)
    titles.set(value, (titles.get(value) ?? new Set()).add(title));
  return [...titles].map(([value, same]) => ({ const: value, title: [...same].join(' / ') }));
}

export function formOf(request: UserActionRequest, options: FormOptions): ActionForm {
  return { ...bodyOf(request, options), lifeMs: lifeMs[request.kind] };
}

function bodyOf(
  request: UserActionRequest,
  { hasSavedCards }: FormOptions,
): Omit<ActionForm, 'lifeMs'> {
  switch (request.kind) {
    case 'contact-and-shipping': {
      const asked = request.missing.filter((name) => Object.hasOwn(contactFields, name));
      const country = request.countries
        ? {
            countryCode: {
              ...(contactFields.countryCode as JsonObject),
              enum: [...request.countries],
            },
          }
        : {};
      const properties = {
        ...Object.fromEntries(asked.map((name) => [name, contactFields[name]])),
        ...(asked.includes('countryCode') && country),
      };
      return {
        message: 'The shop needs to know who buys and where to deliver.',
        responseSchema: object(
          properties,
          // Who may name any country may name one whose addresses have no region: `checkContact`
          // wants it where there is one.
          asked.filter(
            (name) =>
              name !== 'addressLine2' && !(name === 'state' && asked.includes('countryCode')),
          ),
        ),
      };
    }
    case 'option-choice':
      return {
        message: request.question,
        responseSchema: object({
          choice: { title: request.question, oneOf: choicesOf(request.options) },
        }),
      };
    case 'merchant-login':
      return {
        message: `Sign in at ${request.origin}. What you enter goes to the shop and is not kept. With a browser profile the shop knows you next time.`,
        responseSchema: {
          type: 'object',
          properties: {
            ...Object.fromEntries(
              request.needs.map((need) => [
                need,
                need === 'password'
                  ? text('Password', { format: 'password' })
                  : text('User name or e-mail address'),
              ]),
            ),
            done: { type: 'boolean', title: 'I have signed in in the live page', const: true },
          },
          anyOf: [
            { title: 'Sign in for me', required: [...request.needs] },
            { title: 'I have signed in in the live page', required: ['done'] },
          ],
        },
      };
    case 'one-time-code':
      return {
        message: `${request.origin} has sent a code${request.sentTo === undefined ? '' : ` to ${request.sentTo}`}. Enter it.`,
        responseSchema: object({ code: text('Code') }),
      };
    case 'payment-credential':
      return {
        message: `Which card pays ${money(request.total)} at ${request.origin}? It is used for this purchase and not kept.`,
        responseSchema: hasSavedCards ? savedCardSchema : cardSchema,
      };
    case 'approve-purchase':
      return {
        message: [
          `Buy for ${money(request.total)} at ${request.origin}?`,
          ...request.lines.map(({ title, amount }) =>
            amount === undefined ? title : `${title}: ${amount}`,
          ),
          ...(request.delivery === undefined ? [] : [`Delivery: ${request.delivery}`]),
          ...(request.paying === undefined ? [] : [`Paid by: ${request.paying}`]),
        ].join('\n'),
        // Not in the message: agents and the log of steps have that, and neither gets who lives
        // where.
        responseSchema: object({
          approved: {
            type: 'boolean',
            title: 'Buy it',
            const: true,
            ...(request.address !== undefined && { description: `Sent to: ${request.address}` }),
          },
        }),
      };
    case 'three-d-secure':
      return {
        message: `Your bank wants you to confirm the payment at ${request.origin}. Do it in the live page or in your bank's app, then continue.`,
        responseSchema: object({
          done: { type: 'boolean', title: 'I have confirmed it', const: true },
        }),
      };
    case 'human-verification':
      return {
        message: `${request.origin} wants to see that you are human. Solve it in the live page, then continue.`,
        responseSchema: object({ done: { type: 'boolean', title: 'It is solved', const: true } }),
      };
    case 'confirm-outcome':
      return {
        message: request.question,
        responseSchema: object(
          {
            outcome: {
              title: 'Does the shop have the order?',
              oneOf: [
                { const: 'placed', title: 'Yes, the shop has the order' },
                { const: 'not-placed', title: 'No, there is no such order' },
              ],
            },
            merchantOrderId: text('Order number, if there is one'),
          },
          ['outcome'],
        ),
      };
    case 'free-question':
      return { message: request.question, responseSchema: object({ answer: text('Answer') }) };
  }
}
