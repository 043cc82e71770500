import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../../lib/json/parse-json.ts';
import type { Secret } from '../../../lib/sealing/secret.ts';
import type { CardEvent, SignedCardCallback } from '../card.ts';

/**
 * The sandbox acquirer's callbacks: JSON with
 * `sandbox-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of t.body>`.
 */

const signatureHeader = 'sandbox-signature';
const idSchema = z.string().min(1).max(200);
const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('payment-changed'),
    eventId: idSchema,
    reference: idSchema,
    paymentId: idSchema.optional(),
  }),
  z.object({
    type: z.literal('refund-changed'),
    eventId: idSchema,
    reference: idSchema,
    paymentReference: idSchema,
  }),
  z.object({
    type: z.enum(['disputed', 'dispute-won', 'dispute-lost']),
    eventId: idSchema,
    reference: idSchema,
    paymentReference: idSchema,
    amountMinor: z
      .string()
      .regex(/^\d{1,40}$/)
      .transform(BigInt),
    currency: z.string().min(3).max(3),
    reason: z.string().max(100),
  }),
]);

/** As it is kept until it is handed over: amounts are strings. */
export function writeEvent(event: CardEvent): unknown {
  return 'amountMinor' in event ? { ...event, amountMinor: event.amountMinor.toString() } : event;
}

export function signSandboxCallback(
  body: unknown,
  { now, secret }: { readonly now: Date; readonly secret: Secret },
): SignedCardCallback {
  const bytes = Buffer.from(JSON.stringify(body));
  const seconds = Math.floor(now.getTime() / 1_000);
  const headers = {
    'content-type': 'application/json',
    [signatureHeader]: `t=${seconds},v1=${hmac(secret, seconds, bytes).toString('hex')}`,
  };
  return { headers, body: bytes };
}

/** Undefined: not signed with one of the secrets, or signed for another time than now. */
export function readSandboxCallback(
  { headers, body }: SignedCardCallback,
  {
    now,
    secrets,
    windowMs,
  }: { readonly now: Date; readonly secrets: readonly Secret[]; readonly windowMs: number },
): CardEvent[] | undefined {
  const header = headers[signatureHeader];
  const [, seconds, given] =
    /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(typeof header === 'string' ? header : '') ?? [];
  if (seconds === undefined || given === undefined) return undefined;
  const digest = Buffer.from(given, 'hex');
  if (!secrets.some((secret) => timingSafeEqual(hmac(secret, Number(seconds), body), digest)))
    return undefined;
  if (Math.abs(now.getTime() - Number(seconds) * 1_000) > windowMs) return undefined;
  const read = eventSchema.safeParse(parseJson(body));
  return read.success ? [read.data] : [];
}

function hmac(secret: Secret, seconds: number, body: Buffer): Buffer {
  return createHmac('sha256', secret.reveal()).update(`${seconds}.`).update(body).digest();
}
