import { type AttentionItem, type AttentionSource, countRows } from '../../operations/index.ts';
import type { CheckoutRecord } from '../types.ts';
import { selectUnknownCheckouts } from './decisions-store.ts';

/** Checkouts of which nobody knows whether the shop has the order. */
export const checkoutAttention: readonly AttentionSource[] = [
  {
    kind: 'checkout',
    async list(ctx, input) {
      return (await selectUnknownCheckouts(ctx.store, input)).map(checkoutItem);
    },
    count: (ctx, { projectId, max }) =>
      countRows(ctx, {
        text: `select 1 from agent_checkouts where project_id = $1 and outcome = 'unknown' and ended_at is not null limit $2`,
        values: [projectId, max],
      }),
  },
];

function checkoutItem(record: Omit<CheckoutRecord, 'itemKey'>): AttentionItem {
  const { id, projectId, target, failure } = record;
  const params = { checkoutId: id };
  return {
    kind: 'checkout',
    id,
    projectId,
    since: record.endedAt!,
    title: `Purchase at ${new URL(target.url).hostname} with an unknown end`,
    reason:
      failure?.message === undefined
        ? 'Nobody knows whether the shop has the order.'
        : String(failure.message),
    decisions: [
      {
        rule: 'checkouts.decide',
        label: 'The shop has no order',
        effect: 'No money moves. The card is closed, and the item can be bought again.',
        params: { ...params, outcome: 'not-placed' },
      },
      {
        rule: 'checkouts.decide',
        label: 'The shop has the order',
        effect: 'No money moves. The purchase gets its receipt, and the item can be bought again.',
        params: { ...params, outcome: 'placed' },
        asks: [{ name: 'merchantOrderId', label: 'The shop’s name of the order', optional: true }],
      },
    ],
    command: `purser checkouts show ${id}`,
  };
}

/** Of a checkout that waits for a decision; undefined for every other. */
export const attentionOfCheckout = (
  record: Omit<CheckoutRecord, 'itemKey'>,
): AttentionItem | undefined =>
  record.outcome === 'unknown' && record.endedAt ? checkoutItem(record) : undefined;
