import type { CallOptions, Schema } from './call-types.ts';
import { OperationFailedError } from './errors.ts';
import { webhookEventTypes } from './event-types.ts';
import { createBell } from './events.ts';
import type { PurserOptions } from './send.ts';
import { type WaitOptions, waitUntil } from './wait.ts';

export type Order = Schema<'Order'>;

export interface OrderWaitOptions extends WaitOptions, Pick<CallOptions, 'clientSecret'> {
  /** Default: until everything is delivered. */
  readonly until?: (order: Order) => boolean;
}

const orderEvents = webhookEventTypes.filter((type) => type.startsWith('orders.')).join(',');

/**
 * Waits until `until` holds, by default until everything is delivered: with a server key it hears
 * of changes at once, else it looks.
 * @throws OperationFailedError when the order ended otherwise, WaitTimeoutError
 */
export async function waitForOrder(
  options: PurserOptions,
  read: () => Promise<Order>,
  orderId: string,
  { until = isDelivered, ...wait }: OrderWaitOptions,
): Promise<Order> {
  const bell = options.apiKey.startsWith('sk_')
    ? createBell(options, orderEvents, `order:${orderId}`)
    : undefined;
  try {
    const order = await waitUntil(read, (one) => until(one) || hasEnded(one), wait, bell?.rest);
    if (until(order)) return order;
    throw new OperationFailedError(whyEnded(order), { status: 0, body: order });
  } finally {
    bell?.close();
  }
}

const isDelivered = ({ phase, lineItems }: Order): boolean =>
  phase === 'completed' && lineItems.every(({ delivery }) => delivery.status === 'completed');

/** An expired quote ends by itself only: `updateOrder` may price it anew. */
const hasEnded = ({ phase, quote }: Order): boolean =>
  phase === 'completed' || (phase === 'quote' && quote.status === 'expired');

function whyEnded({ phase, payment }: Order): string {
  if (phase !== 'completed') return 'The quote has expired before the order was paid.';
  return (
    payment.failureReason?.message ??
    `The order has ended: its payment is ${payment.status}, and not everything was delivered.`
  );
}
