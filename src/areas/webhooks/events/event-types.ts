import type { Json } from '../../../lib/json/json.ts';

/**
 * Every type of event that projects are told of (supplement, section 16). Whatever else is in the
 * outbox stays inside.
 */
export const publicEventTypes = [
  'orders.quote.created',
  'orders.quote.updated',
  'orders.payment.succeeded',
  'orders.payment.failed',
  'orders.payment.refunded',
  'orders.delivery.initiated',
  'orders.delivery.completed',
  'orders.delivery.failed',
  'wallets.transfer.in',
  'wallets.transfer.out',
  'wallets.signer.exported',
  'users.identity-verification.updated',
  'agent-checkouts.updated',
] as const;

export type PublicEventType = (typeof publicEventTypes)[number];

/** Type of the event that an endpoint gets when somebody tests it. */
export const testEventType = 'webhooks.test';

const known: ReadonlySet<string> = new Set(publicEventTypes);
const orderPrefix = 'order:';

/** True for an outbox event that a project may see. */
export function isPublicType(type: string): boolean {
  return known.has(type);
}

/** What is sent, as text: `{actionId, type, data}` for orders, `{id, type, data}` for the rest. */
export function formatPayload(event: {
  readonly id: string;
  readonly type: string;
  readonly object: string;
  readonly data: Json;
}): string {
  const { id, type, object, data } = event;
  if (type.startsWith('orders.') && object.startsWith(orderPrefix))
    return JSON.stringify({ actionId: object.slice(orderPrefix.length), type, data });
  return JSON.stringify({ id, type, data });
}
