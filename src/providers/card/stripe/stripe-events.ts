import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { parseJson } from '../../../lib/json/parse-json.ts';
import type { Secret } from '../../../lib/sealing/secret.ts';
import type { CardEvent } from '../card.ts';
import { fromStripeAmount } from './stripe-amounts.ts';
import { metadataNames } from './stripe-shapes.ts';

/** Older and newer callbacks are refused: whoever recorded one cannot send it again later. */
const toleranceMs = 5 * 60_000;
const pairsMax = 20;

/**
 * `stripe-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of t.body>`, with one `v1` per secret
 * while one is replaced. The check of the package needs the package loaded and its own clock; this
 * one is tested against what the package signs.
 */
export function isStripeSignature(
  {
    headers,
    body,
    now,
  }: { readonly headers: IncomingHttpHeaders; readonly body: Buffer; readonly now: Date },
  secrets: readonly Secret[],
): boolean {
  const header = headers['stripe-signature'];
  const pairs = typeof header === 'string' ? header.split(',').slice(0, pairsMax) : [];
  const seconds = pairs.flatMap((pair) => /^t=(\d{1,12})$/.exec(pair)?.[1] ?? [])[0];
  if (seconds === undefined) return false;
  const given = pairs
    .flatMap((pair) => /^v1=([0-9a-f]{64})$/.exec(pair)?.[1] ?? [])
    .map((hex) => Buffer.from(hex, 'hex'));
  const expected = secrets.map((secret) =>
    createHmac('sha256', secret.reveal()).update(`${seconds}.`).update(body).digest(),
  );
  if (!expected.some((digest) => given.some((one) => timingSafeEqual(one, digest)))) return false;
  return Math.abs(now.getTime() - Number(seconds) * 1_000) <= toleranceMs;
}

const idOrObject = z
  .union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)])
  .nullish();
const eventSchema = z.looseObject({
  id: z.string().min(1).max(200),
  type: z.string(),
  data: z.looseObject({
    object: z.looseObject({
      id: z.string().min(1).max(200),
      object: z.string(),
      payment_intent: idOrObject,
      metadata: z.record(z.string(), z.string()).nullish(),
      amount: z.int().min(0).nullish(),
      currency: z.string().nullish(),
      reason: z.string().nullish(),
      status: z.string().nullish(),
    }),
  }),
});
type StripeEvent = z.output<typeof eventSchema>;

/** What a genuine event says to look at; nothing, where it is not about a payment. */
export function readStripeEvent(body: Buffer): CardEvent[] {
  const read = eventSchema.safeParse(parseJson(body));
  if (!read.success) return [];
  const { id: eventId, data } = read.data;
  const { object } = data;
  if (object.object === 'payment_intent') {
    const paymentId = object.metadata?.[metadataNames.paymentId];
    return [
      {
        type: 'payment-changed',
        eventId,
        reference: object.id,
        ...(paymentId !== undefined && { paymentId }),
      },
    ];
  }
  if (!object.payment_intent) return [];
  const paymentReference = object.payment_intent;
  if (object.object === 'charge')
    return [{ type: 'payment-changed', eventId, reference: paymentReference }];
  if (object.object === 'refund')
    return [{ type: 'refund-changed', eventId, reference: object.id, paymentReference }];
  return object.object === 'dispute' ? readDispute(read.data, paymentReference) : [];
}

function readDispute(
  { id: eventId, type, data: { object } }: StripeEvent,
  paymentReference: string,
): CardEvent[] {
  const kind = disputeKind(type, object.status ?? '');
  if (
    kind === undefined ||
    typeof object.amount !== 'number' ||
    typeof object.currency !== 'string'
  )
    return [];
  const amountMinor = fromStripeAmount(object.amount, object.currency);
  return [
    {
      type: kind,
      eventId,
      reference: object.id,
      paymentReference,
      amountMinor,
      currency: object.currency,
      reason: object.reason ?? 'general',
    },
  ];
}

/**
 * Inquiries (`warning_…`) take nothing back. One that becomes a dispute is told of by the funds
 * that are withdrawn.
 */
function disputeKind(
  type: string,
  status: string,
): 'disputed' | 'dispute-won' | 'dispute-lost' | undefined {
  if (status.startsWith('warning_')) return undefined;
  if (type === 'charge.dispute.created' || type === 'charge.dispute.funds_withdrawn')
    return 'disputed';
  if (type !== 'charge.dispute.closed') return undefined;
  if (status === 'won') return 'dispute-won';
  return status === 'lost' ? 'dispute-lost' : undefined;
}
