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
  PaymentToken,
} from '../types.ts';
import { CommerceAwayError, CommerceRefusedError } from '../types.ts';
import { readHandlers, type UcpVersion } from './profile.ts';

/**
 * Checkouts as UCP writes them (specification “Checkout” and “Fulfillment”): amounts are integers
 * in smallest units.
 */

const amount = z.int();
const total = z.looseObject({ type: z.string(), display_text: z.string().optional(), amount });
const line = z.looseObject({
  id: z.string(),
  item: z.looseObject({
    id: z.string(),
    title: z.string(),
    price: amount,
    quantity_unit: z.looseObject({ unit: z.string(), scale: z.int().optional() }).optional(),
  }),
  quantity: z.int().positive(),
  totals: z.array(total),
});
const option = z.looseObject({
  id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  totals: z.array(total).optional(),
  total: amount.optional(),
});
const group = z.looseObject({
  id: z.string(),
  options: z.array(option).optional(),
  selected_option_id: z.string().nullish(),
});
const destination = z.looseObject({ id: z.string() });
const method = z.looseObject({
  id: z.string(),
  type: z.string(),
  line_item_ids: z.array(z.string()).optional(),
  destinations: z.array(destination).optional(),
  selected_destination_id: z.string().nullish(),
  groups: z.array(group).optional(),
});
const message = z.looseObject({
  type: z.enum(['error', 'warning', 'info']),
  code: z.string().optional(),
  severity: z.string().optional(),
  content: z.string(),
  path: z.string().optional(),
});
const messages = z.array(message).optional();
const checkoutSchema = z.looseObject({
  ucp: z.looseObject({ payment_handlers: z.unknown().optional() }).optional(),
  id: z.string().min(1).max(500),
  status: z.enum([
    'incomplete',
    'requires_escalation',
    'ready_for_complete',
    'complete_in_progress',
    'completed',
    'canceled',
  ]),
  currency: z.string().regex(/^[A-Za-z]{3}$/),
  line_items: z.array(line).max(100),
  totals: z.array(total).max(100),
  messages,
  fulfillment: z.looseObject({ methods: z.array(method).optional() }).optional(),
  payment: z.looseObject({ handlers: z.unknown().optional() }).optional(),
  continue_url: z.string().optional(),
  order: z.looseObject({ id: z.string(), permalink_url: z.string().optional() }).nullish(),
  // The public sample of 2026-01-11 writes the order so.
  order_id: z.string().optional(),
  order_permalink_url: z.string().optional(),
});
const refusalSchema = z.looseObject({
  ucp: z.looseObject({ status: z.string().optional() }).optional(),
  messages,
  content: z.string().optional(),
  detail: z.string().optional(),
  error: z.string().optional(),
});

/** @throws CommerceRefusedError, or CommerceAwayError when the answer cannot be read */
export function readCheckout(status: number, body: unknown): CommerceCheckout {
  const refusal = refusalSchema.safeParse(body);
  const said = refusal.success ? refusal.data : undefined;
  if (status >= 500) throw new CommerceAwayError(`The shop’s interface fails (${status}).`);
  if (status >= 400 || said?.ucp?.status === 'error') {
    const told = readMessages(said?.messages);
    const why =
      told.find(({ type }) => type === 'error')?.text ??
      said?.content ??
      said?.detail ??
      said?.error ??
      `status ${status}`;
    throw new CommerceRefusedError(why.slice(0, 300), status, told);
  }
  const parsed = checkoutSchema.safeParse(body);
  if (!parsed.success)
    throw new CommerceAwayError('The shop’s interface answers something that is no checkout.');
  return checkoutOf(parsed.data);
}

function checkoutOf(raw: z.infer<typeof checkoutSchema>): CommerceCheckout {
  const grand = raw.totals.filter(({ type }) => type === 'total');
  if (grand.length !== 1)
    throw new CommerceAwayError('The shop’s interface names no total, or several.');
  const orderId = raw.order?.id ?? raw.order_id;
  const orderUrl = raw.order?.permalink_url ?? raw.order_permalink_url;
  return {
    id: raw.id,
    status: raw.status satisfies CheckoutStatus,
    currency: raw.currency.toUpperCase(),
    lines: raw.line_items.map(lineOf),
    totals: raw.totals.map(totalOf),
    totalMinor: BigInt(grand[0]!.amount),
    deliveries: (raw.fulfillment?.methods ?? [])
      .filter(({ type }) => type === 'shipping')
      .map(deliveryOf),
    messages: readMessages(raw.messages),
    handlers: readHandlers(raw.ucp?.payment_handlers ?? raw.payment?.handlers),
    ...(raw.continue_url !== undefined && { continueUrl: raw.continue_url }),
    ...(orderId !== undefined && {
      order: { id: orderId, ...(orderUrl !== undefined && { url: orderUrl }) },
    }),
  };
}

function lineOf({ id, item, quantity, totals }: z.infer<typeof line>): CommerceLine {
  const unit = item.quantity_unit;
  if (unit !== undefined && (unit.unit !== 'C62' || (unit.scale ?? 0) !== 0))
    throw new CommerceRefusedError(
      `“${item.title}” is sold by measure (${unit.unit}), not by piece.`,
      200,
    );
  const sum =
    totals.find(({ type }) => type === 'total') ?? totals.find(({ type }) => type === 'subtotal');
  if (sum === undefined) throw new CommerceAwayError('A line of the shop’s checkout has no total.');
  return {
    id,
    itemId: item.id,
    title: item.title,
    unitPriceMinor: BigInt(item.price),
    quantity,
    totalMinor: BigInt(sum.amount),
  };
}

const titles: Readonly<Record<string, string>> = {
  subtotal: 'Subtotal',
  discount: 'Discount',
  items_discount: 'Item discounts',
  fulfillment: 'Shipping',
  tax: 'Tax',
  fee: 'Fee',
  total: 'Total',
};

/** Version 2026-01-11 writes what is taken off without a sign. */
function totalOf({
  type,
  display_text: title,
  amount: value,
}: z.infer<typeof total>): CommerceTotal {
  const isOff = type === 'discount' || type === 'items_discount';
  return {
    type,
    title: title ?? titles[type] ?? type,
    amountMinor: BigInt(isOff ? -Math.abs(value) : value),
  };
}

function deliveryOf(raw: z.infer<typeof method>): Delivery {
  const selected = raw.selected_destination_id ?? undefined;
  return {
    id: raw.id,
    lineIds: raw.line_item_ids ?? [],
    destinations: (raw.destinations ?? []).map((one) => ({ id: one.id, address: addressOf(one) })),
    ...(selected !== undefined && { selectedDestinationId: selected }),
    groups: (raw.groups ?? []).map(({ id, options = [], selected_option_id: chosen }) => ({
      id,
      options: options.map(optionOf),
      ...(chosen != null && { selectedOptionId: chosen }),
    })),
  };
}

function optionOf({
  id,
  title,
  description = '',
  totals = [],
  total: flat,
}: z.infer<typeof option>): Delivery['groups'][number]['options'][number] {
  const sum =
    totals.find(({ type }) => type === 'total')?.amount ??
    flat ??
    totals.find(({ type }) => type === 'subtotal')?.amount ??
    0;
  return { id, title, description, totalMinor: BigInt(sum) };
}

const addressFields = [
  ['first_name', 'last_name'],
  ['street_address'],
  ['extended_address'],
  ['postal_code', 'address_locality'],
  ['address_region'],
  ['address_country'],
] as const;

/** One line, in the shop's own spelling. A place to collect from nests its address. */
function addressOf(raw: z.infer<typeof destination>): string {
  const source =
    typeof raw['address'] === 'object' && raw['address'] !== null
      ? (raw['address'] as Record<string, unknown>)
      : raw;
  return addressFields
    .map((names) =>
      names
        .flatMap((name) =>
          typeof source[name] === 'string' && source[name] !== '' ? [source[name]] : [],
        )
        .join(' '),
    )
    .filter((part) => part !== '')
    .join(', ');
}

const readMessages = (raw: z.infer<typeof messages>): readonly CommerceMessage[] =>
  (raw ?? []).slice(0, 50).map(({ type, code = '', severity = '', content, path = '' }) => ({
    type,
    code,
    severity,
    text: content.slice(0, 300),
    path,
  }));

/**
 * The whole wish, as each create and update says it. `existing.lines`: as the shop has numbered
 * them.
 */
export function writeCheckout(
  version: UcpVersion,
  wish: CheckoutWish,
  existing?: { readonly id: string; readonly lines: readonly CommerceLine[] },
): JsonObject {
  const own = existing?.lines.find(({ itemId }) => itemId === wish.itemId);
  const country = wish.buyer.shipping?.countryCode;
  return {
    line_items: [
      { ...(own && { id: own.id }), item: { id: wish.itemId }, quantity: wish.quantity },
    ],
    buyer: writeBuyer(wish),
    ...(wish.delivery && { fulfillment: { methods: [writeDelivery(wish, wish.delivery)] } }),
    ...(version === '2026-01-11' && { currency: wish.currency, payment: {} }),
    ...(version !== '2026-01-11' &&
      country !== undefined && { context: { address_country: country } }),
    ...(version !== '2026-04-08' && existing && { id: existing.id }),
  };
}

function writeBuyer({ buyer }: CheckoutWish): JsonObject {
  const rows = {
    first_name: buyer.firstName,
    last_name: buyer.lastName,
    email: buyer.email,
    phone_number: buyer.phone,
  };
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  );
}

function writeDelivery(
  { buyer }: CheckoutWish,
  delivery: NonNullable<CheckoutWish['delivery']>,
): JsonObject {
  const address = buyer.shipping && writeAddress(buyer);
  const groups = delivery.options.map(({ groupId, optionId }) => ({
    id: groupId,
    selected_option_id: optionId,
  }));
  return {
    ...(delivery.id !== undefined && { id: delivery.id }),
    type: 'shipping',
    ...(delivery.lineIds.length > 0 && { line_item_ids: [...delivery.lineIds] }),
    ...(address && {
      destinations: [
        { ...(delivery.destinationId !== undefined && { id: delivery.destinationId }), ...address },
      ],
    }),
    ...(delivery.destinationId !== undefined && {
      selected_destination_id: delivery.destinationId,
    }),
    ...(groups.length > 0 && { groups }),
  };
}

/** The region without its country: `CA` of `US-CA`. */
function writeAddress({ firstName, lastName, phone, shipping }: CheckoutWish['buyer']): JsonObject {
  const [street, ...more] = shipping?.addressLines ?? [];
  const rows = {
    first_name: firstName,
    last_name: lastName,
    street_address: street,
    extended_address: more.join(', '),
    address_locality: shipping?.locality,
    address_region: shipping?.administrativeAreaCode?.replace(/^[A-Z]{2}-/, ''),
    postal_code: shipping?.postalCode,
    address_country: shipping?.countryCode,
    phone_number: phone,
  };
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  );
}

export function writePayment(
  version: UcpVersion,
  { handler, token, display }: PaymentToken,
): JsonObject {
  const { brand, lastDigits, expirationMonth, expirationYear } = display;
  const shown = {
    brand,
    last_digits: lastDigits,
    expiry_month: expirationMonth,
    expiry_year: expirationYear,
  };
  const base = {
    id: 'instrument_1',
    handler_id: handler.id,
    type: 'card',
    credential: { type: 'token', token },
  };
  return version === '2026-01-11'
    ? { payment_data: { ...base, ...shown }, risk_signals: {} }
    : { payment: { instruments: [{ ...base, selected: true, display: shown }] } };
}
