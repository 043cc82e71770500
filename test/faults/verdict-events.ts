import type { PublishedEvent } from './published-events.ts';

/**
 * The receiver, which was killed, knows what the service has told, in that order; what it heard
 * last is what the order says.
 */
export function judgeEvents({
  feed,
  received,
  view,
}: {
  readonly feed: readonly PublishedEvent[];
  readonly received: readonly PublishedEvent[];
  readonly view: any;
}): string[] {
  const problems: string[] = [];
  const types = (events: readonly PublishedEvent[]) => events.map(({ type }) => type).join(', ');
  const ids = (events: readonly PublishedEvent[]) => events.map(({ id }) => id).join();
  if (ids(feed) !== ids(received))
    problems.push(`it was told ${types(feed)}, and the receiver knows ${types(received)}`);
  const last = feed.at(-1);
  if (last === undefined) return [...problems, 'nothing was told of it'];
  const seen: any = last.data;
  const expected: Record<string, string> = {
    completed: 'orders.delivery.completed',
    failed: 'orders.delivery.failed',
  };
  const ofPayment: Record<string, string> = {
    refunded: 'orders.payment.refunded',
    failed: 'orders.payment.failed',
    'failed-kyc': 'orders.payment.failed',
  };
  const wanted = ofPayment[view.payment.status] ?? expected[view.lineItems[0].delivery.status];
  if (wanted !== undefined && last.type !== wanted)
    problems.push(`the last event is ${last.type}, and the order says ${wanted}`);
  const parts = (one: any) =>
    JSON.stringify([
      one.orderId,
      one.lineItems[0].delivery.status,
      one.lineItems[0].quote.totalPrice,
      one.lineItems[0].delivery.txId,
    ]);
  if (wanted !== undefined && parts(seen) !== parts(view))
    problems.push(`the receiver saw last ${parts(seen)}, and the order is ${parts(view)}`);
  return problems;
}
