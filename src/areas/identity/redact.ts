import type { Ctx } from '../../context.ts';
import { startFlow } from '../../jobs/index.ts';
import type { Tx } from '../../store/types.ts';
import { identityRedactFlow } from './flow.ts';
import { selectReviewsOfUsers } from './store.ts';

/**
 * Has the company forget every inquiry of users who are being erased. To be called in the transaction that erases them.
 * @returns how many inquiries
 */
export async function redactPerson(
  ctx: Pick<Ctx, 'store' | 'clock' | 'ids' | 'log'>,
  tx: Tx,
  input: { readonly projectId: string; readonly userIds: readonly string[] },
): Promise<number> {
  const inquiries = (await selectReviewsOfUsers(tx, input.userIds)).flatMap(({ provider, inquiryId }) =>
    inquiryId === undefined ? [] : [{ provider, inquiryId }],
  );
  for (const { provider, inquiryId } of inquiries)
    await startFlow(ctx, tx, identityRedactFlow, {
      projectId: input.projectId,
      key: `${provider}/${inquiryId}`,
      state: { provider, inquiryId },
    });
  return inquiries.length;
}
