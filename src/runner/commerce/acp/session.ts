import { z } from 'zod';
import type { JsonObject } from '../../../lib/json/json.ts';
import type {
  CheckoutStatus,
  CheckoutWish,
  CommerceCheckout,
  CommerceLine,
  CommerceMessage,
  CommerceTotal,
  Delivery,
  PaymentHandler,
  PaymentToken,
} from '../types.ts';
import { CommerceAwayError, CommerceRefusedError } from '../types.ts';

/**
 * Checkout sessions as the Agentic Commerce Protocol writes them (`schema.agentic_checkout`):
 * amounts are integers in smallest units.
 */

const amount = z.int();
const total = z.looseObject({ type: z.string(), display_text: z.string().optional(), amount });
const value = z.looseObject({ value: z.string().optional() });
const line = z.looseObject({
  id: z.string(),
  item: z.looseObject({
    id: z.string(),
    name: z.string().optional(),
    unit_amount: amount.optional(),
  }),
  quantity: z.int().positive(),
  name: z.string().optional(),
  unit_amount: amount.optional(),
  variant_options: z.array(value).optional(),
  custom_attributes: z.array(value).optional(),
  totals: z.array(total),
});
const option = z.looseObject({
  type: z.string(),
  id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  totals: z.array(total).optional(),
});
const address = z.looseObject({
  name: z.string().optional(),
  line_one: z.string(),
  line_two: z.string().optional(),
  city: z.string(),
  state: z.string().optional(),
  postal_code: z.string(),
  country: z.string(),
});
const message = z.looseObject({
  type: z.enum(['error', 'warning', 'info']),
  code: z.string().optional(),
  severity: z.string().optional(),
  content: z.string(),
  param: z.string().optional(),
});
const handler = z.looseObject({
  id: z.string(),
  name: z.string(),
  requires_delegate_payment: z.boolean().optional(),
  psp: z.string().optional(),
  config: z.looseObject({}).optional(),
});
const sessionSchema = z.looseObject({
  // It becomes a part of addresses.
  id: z
    .string()
    .max(500)
    .regex(/^(?!\.{1,2}$)./),
  status: z.string(),
  currency: z.string().regex(/^[A-Za-z]{3}$/),
  line_items: z.array(line).max(100),
  totals: z.array(total).max(100),
  messages: z.array(message).optional(),
  fulfillment_details: z.looseObject({ address: address.optional() }).optional(),
  fulfillment_options: z.array(option).max(100).optional(),
  selected_fulfillment_options: z
    .array(z.looseObject({ type: z.string(), option_id: z.string() }))
    .optional(),
  capabilities: z
    .looseObject({ payment: z.looseObject({ handlers: z.array(handler).optional() }).optional() })
    .optional(),
  continue_url: z.string().optional(),
  order: z
    .looseObject({
      id: z.string(),
      order_number: z.string().optional(),
      permalink_url: z.string().optional(),
    })
    .nullish(),
});
type RawSession = z.infer<typeof sessionSchema>;
const refusalSchema = z.looseObject({
  code: z.string().optional(),
  message: z.string().optional(),
});

/**
 * Each status of the protocol. What is not among them is no status that an order may follow from.
 */
const statuses: Readonly<Record<string, CheckoutStatus>> = {
  incomplete: 'incomplete',
  not_ready_for_payment: 'incomplete',
  requires_escalation: 'requires_escalation',
  authentication_required: 'requires_escalation',
  pending_approval: 'requires_escalation',
  ready_for_payment: 'ready_for_complete',
  complete_in_progress: 'complete_in_progress',
  in_progress: 'complete_in_progress',
  completed: 'completed',
  canceled: 'canceled',
  expired: 'canceled',
};

/**
 * @throws CommerceRefusedError, or CommerceAwayError when the answer cannot be read, or another
 * call with this key is still on its way
 */
export function readSession(status: number, body: unknown): CommerceCheckout {
  const refusal = refusalSchema.safeParse(body);
  const said = refusal.success ? refusal.data : {};
  if (status >= 500 || said.code === 'idempotency_in_flight')
    throw new CommerceAwayError(`The shop’s interface fails (${status}).`);
  if (status >= 400)
    throw new CommerceRefusedError(
      (said.message ?? said.code ?? `status ${status}`).slice(0, 300),
      status,
    );
  const parsed = sessionSchema.safeParse(body);
  const known = parsed.success ? statuses[parsed.data.status] : undefined;
  if (!parsed.success || known === undefined)
    throw new CommerceAwayError('The shop’s interface answers something that is no checkout.');
  return sessionOf(parsed.data, known);
}

function sessionOf(raw: RawSession, status: CheckoutStatus): CommerceCheckout {
  const grand = raw.totals.filter(({ type }) => type === 'total');
  if (grand.length !== 1)
    throw new CommerceAwayError('The shop’s interface names no total, or several.');
  const { order } = raw;
  return {
    id: raw.id,
    status,
    currency: raw.currency.toUpperCase(),
    lines: raw.line_items.map(lineOf),
    totals: totalsOf(raw.totals),
    totalMinor: BigInt(grand[0]!.amount),
    deliveries: deliveriesOf(raw),
    messages: (raw.messages ?? []).slice(0, 50).map(messageOf),
    handlers: (raw.capabilities?.payment?.handlers ?? []).map(handlerOf),
    ...(raw.continue_url !== undefined && { continueUrl: raw.continue_url }),
    ...(order != null && {
      order: {
        id: order.order_number ?? order.id,
        ...(order.permalink_url !== undefined && { url: order.permalink_url }),
      },
    }),
  };
}

function lineOf({
  id,
  item,
  quantity,
  name,
  unit_amount: unit,
  variant_options,
  custom_attributes,
  totals,
}: z.infer<typeof line>): CommerceLine {
  const sumOf = (type: string) => totals.find((one) => one.type === type)?.amount;
  const base = sumOf('items_base_amount') ?? sumOf('subtotal');
  const each =
    unit ??
    item.unit_amount ??
    (base !== undefined && base % quantity === 0 ? base / quantity : undefined);
  const sum = sumOf('subtotal') ?? base ?? sumOf('total');
  if (each === undefined || sum === undefined)
    throw new CommerceAwayError('A line of the shop’s checkout has no price.');
  const title = name ?? item.name ?? '';
  const values = [...(variant_options ?? []), ...(custom_attributes ?? [])].flatMap(
    (one) => one.value ?? [],
  );
  const more = values.filter((one) => !title.includes(one));
  return {
    id,
    itemId: item.id,
    title: [title, ...new Set(more)].join(', '),
    unitPriceMinor: BigInt(each),
    quantity,
    totalMinor: BigInt(sum),
  };
}

/**
 * The subtotal already has what its own parts come to. What is taken off is negative, however it is
 * written.
 */
function totalsOf(raw: readonly z.infer<typeof total>[]): readonly CommerceTotal[] {
  const hasSubtotal = raw.some(({ type }) => type === 'subtotal');
  const inSubtotal = ['items_base_amount', 'items_discount'];
  const isOff = (type: string) => ['items_discount', 'discount', 'store_credit'].includes(type);
  return raw
    .filter(({ type }) => type !== 'amount_refunded' && !(hasSubtotal && inSubtotal.includes(type)))
    .map(({ type, display_text: title, amount: sum }) => ({
      type,
      title: title ?? type,
      amountMinor: BigInt(isOff(type) ? -Math.abs(sum) : sum),
    }));
}

const destinationId = 'address';
const groupId = 'shipping';

function deliveriesOf({
  line_items: lines,
  fulfillment_details,
  fulfillment_options,
  selected_fulfillment_options,
}: RawSession): readonly Delivery[] {
  const options = (fulfillment_options ?? []).filter(({ type }) => type === 'shipping');
  const to = fulfillment_details?.address;
  if (options.length === 0 && to === undefined) return [];
  const selected = selected_fulfillment_options?.find(({ type }) => type === 'shipping')?.option_id;
  return [
    {
      id: groupId,
      lineIds: lines.map(({ item }) => item.id),
      destinations: to === undefined ? [] : [{ id: destinationId, address: addressOf(to) }],
      ...(to !== undefined && { selectedDestinationId: destinationId }),
      groups:
        options.length === 0
          ? []
          : [
              {
                id: groupId,
                options: options.map(optionOf),
                ...(selected !== undefined && { selectedOptionId: selected }),
              },
            ],
    },
  ];
}

function optionOf({
  id,
  title,
  description = '',
  totals = [],
}: z.infer<typeof option>): Delivery['groups'][number]['options'][number] {
  const sum =
    totals.find(({ type }) => type === 'total')?.amount ??
    totals.find(({ type }) => type === 'fulfillment')?.amount ??
    0;
  return { id, title, description, totalMinor: BigInt(sum) };
}

/** One line, in the shop's own spelling. */
const addressOf = ({
  name,
  line_one,
  line_two,
  postal_code,
  city,
  state,
  country,
}: z.infer<typeof address>): string =>
  [name, line_one, line_two, `${postal_code} ${city}`, state, country]
    .filter((part) => part !== undefined && part.trim() !== '')
    .join(', ');

const messageOf = ({
  type,
  code = '',
  severity = '',
  content,
  param = '',
}: z.infer<typeof message>): CommerceMessage => ({
  type,
  code,
  severity,
  text: content.slice(0, 300),
  path: param,
});

/**
 * Cards are paid with where a token is made of them first; a card that the seller keeps is not the
 * user's to choose here.
 */
const handlerOf = ({
  id,
  name,
  requires_delegate_payment: delegates,
  psp,
  config,
}: z.infer<typeof handler>): PaymentHandler => ({
  id,
  name,
  takesCards: delegates === true && psp !== 'seller_managed',
  config: (config ?? {}) as JsonObject,
});

const filled = (rows: Readonly<Record<string, string | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([name, text]) =>
      text === undefined || text === '' ? [] : [[name, text]],
    ),
  );

/**
 * Several of one item are said by naming it so often: the protocol's request has no number of
 * pieces.
 */
export const writeCreate = (wish: CheckoutWish): JsonObject => ({
  line_items: Array.from({ length: wish.quantity }, () => ({ id: wish.itemId })),
  currency: wish.currency.toLowerCase(),
  capabilities: {},
  ...whoAndWhere(wish),
});

export const writeUpdate = (wish: CheckoutWish): JsonObject => ({
  ...whoAndWhere(wish),
  ...(wish.delivery &&
    wish.delivery.options.length > 0 && {
      selected_fulfillment_options: wish.delivery.options.map(({ optionId }) => ({
        type: 'shipping',
        option_id: optionId,
        item_ids: [...new Set(wish.delivery!.lineIds)],
      })),
    }),
});

/** No news is taken: the protocol's consents are left out. */
export const writeComplete = ({ handler: { id }, token }: PaymentToken): JsonObject => ({
  payment_data: {
    handler_id: id,
    instrument: { type: 'card', credential: { type: 'spt', token } },
  },
});

function whoAndWhere({ buyer }: CheckoutWish): JsonObject {
  const name = [buyer.firstName, buyer.lastName].filter(Boolean).join(' ');
  const contact = filled({ email: buyer.email, phone_number: buyer.phone });
  const { shipping } = buyer;
  const [first = '', ...more] = shipping?.addressLines ?? [];
  return {
    ...(buyer.email && {
      buyer: { ...filled({ first_name: buyer.firstName, last_name: buyer.lastName }), ...contact },
    }),
    ...(shipping && {
      fulfillment_details: {
        ...filled({ name }),
        ...contact,
        address: {
          name,
          line_one: first,
          ...filled({ line_two: more.join(', ') }),
          city: shipping.locality,
          state: shipping.administrativeAreaCode?.replace(/^[A-Z]{2}-/, '') ?? '',
          country: shipping.countryCode,
          postal_code: shipping.postalCode ?? '',
        },
      },
    }),
  };
}
