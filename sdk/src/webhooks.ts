import type { Answer, Schema } from './call-types.ts';
import type { webhookEventTypes } from './event-types.ts';
import type { Order } from './orders.ts';

/** Types of events that webhooks and `listEvents` carry. */
export type WebhookEventType = (typeof webhookEventTypes)[number];
type OrderEventType = Extract<WebhookEventType, `orders.${string}`>;
type TransferEventType = Extract<WebhookEventType, `wallets.transfer.${string}`>;
type CheckoutEventType = 'agent-checkouts.updated';
type IdentityEventType = 'users.identity-verification.updated';
type OtherEventType = Exclude<
  WebhookEventType,
  OrderEventType | TransferEventType | CheckoutEventType | IdentityEventType
>;

/** What webhooks carry, and `payload` of events. New types may come: have a `default`. */
export type WebhookEvent =
  | {
      readonly type: OrderEventType /** The order's id. */;
      readonly actionId: string;
      readonly data: Order;
    }
  | {
      readonly type: TransferEventType;
      readonly id: string;
      readonly data: Omit<Schema<'TransferEvent'>, 'type'>;
    }
  | {
      readonly type: CheckoutEventType;
      readonly id: string;
      readonly data: Schema<'AgentCheckout'>;
    }
  | {
      readonly type: IdentityEventType;
      readonly id: string;
      readonly data: { readonly userLocator: string } & Answer<'getIdentityVerification'>;
    }
  | {
      readonly type: OtherEventType | 'webhooks.test';
      readonly id: string;
      readonly data: unknown;
    };

/**
 * What arrived. `id` is the same for each attempt, resend and replay; `position` rises with each
 * event of the project.
 */
export interface Webhook {
  readonly id: string;
  readonly position: string | undefined;
  readonly sentAt: Date;
  readonly event: WebhookEvent;
}

export interface VerifyWebhookInput {
  /** `whsec_…`, or several while a secret is rotated. */
  readonly secret: string | readonly string[];
  /** As they came: a `Headers`, or the object of Node.js. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body, before anything has parsed it. */
  readonly body: string | Uint8Array;
  /** Default: now. */
  readonly now?: Date;
}

/** A request that does not come from the service, or too late: answer 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const toleranceSeconds = 5 * 60;

/**
 * Whether a request is a webhook of the service (Standard Webhooks), and what it says.
 * @throws WebhookVerificationError; TypeError for a secret or body that cannot be one
 */
export async function verifyWebhook({
  secret,
  headers,
  body,
  now = new Date(),
}: VerifyWebhookInput): Promise<Webhook> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures)
    throw new WebhookVerificationError(
      'webhook-id, webhook-timestamp or webhook-signature is missing.',
    );
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now.getTime() / 1_000 - seconds) <= toleranceSeconds))
    throw new WebhookVerificationError(
      `webhook-timestamp is not within ${toleranceSeconds / 60} minutes of this machine's clock.`,
    );
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError(
      '`body` is the raw body, as text or bytes: what a parser has made of it cannot be verified.',
    );
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!secrets?.length)
    throw new TypeError('`secret` is missing: it is the `whsec_…` of the endpoint, or several.');
  const text =
    typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const one of secrets) {
    const key = await importSecret(one);
    for (const [version, signature] of signatures.split(' ').map((part) => part.split(',')))
      if (
        version === 'v1' &&
        signature &&
        (await crypto.subtle.verify('HMAC', key, bytesOfBase64(signature), signed))
      )
        return {
          id,
          position: headerOf(headers, 'purser-event-position'),
          sentAt: new Date(seconds * 1_000),
          event: JSON.parse(text.replace(/^\uFEFF/, '')),
        };
  }
  throw new WebhookVerificationError(
    'No signature fits: another secret, or a body that was changed on its way.',
  );
}

function headerOf(headers: VerifyWebhookInput['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = bytesOfBase64(secret.replace(/^whsec_/, ''));
  if (bytes.length === 0)
    throw new TypeError('The secret of a webhook endpoint is `whsec_` and base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

/** Nothing for what is no base64: it fits no signature. */
function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
