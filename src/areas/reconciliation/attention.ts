import { type AttentionItem, type AttentionSource, countRows } from '../operations/index.ts';
import { type Difference, selectConfirmed } from './differences-store.ts';

/**
 * What chain, bank or acquirer say otherwise than the books. It ends when they agree: nothing is to
 * be decided about it here.
 */
export const differenceAttention: readonly AttentionSource[] = [
  {
    kind: 'difference',
    async list(ctx, input) {
      return (await selectConfirmed(ctx.store, input)).map((one) =>
        differenceItem(one, input.projectId),
      );
    },
    count: (ctx, { projectId, max }) =>
      countRows(ctx, {
        text: `select 1 from reconciliation_differences where project_id = $1 and gone_at is null and confirmed_at is not null limit $2`,
        values: [projectId, max],
      }),
  },
];

function differenceItem(
  { id, comparison, object, asset, expectedMinor, foundMinor, problem, firstSeenAt }: Difference,
  projectId: string,
): AttentionItem {
  return {
    kind: 'difference',
    id,
    projectId,
    since: firstSeenAt,
    title: `Books and ${comparison} disagree`,
    reason: `${problem}: ${foundMinor} instead of ${expectedMinor} smallest units of ${asset} (${object}).`,
    decisions: [],
    command: 'purser reconcile',
  };
}
