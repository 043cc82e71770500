import type { RequestCtx } from '../../context.ts';
import { wakeFlow } from '../../jobs/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type InquirySession, isNotTaken, KycOutage } from '../../providers/kyc/kyc.ts';
import type { Tx } from '../../store/types.ts';
import { changeUser, listDocuments, saveRecord, type User } from '../users/index.ts';
import { basisOf, hasPolicy, isHeld, loadEntries, missingOf, moved, requirementFor, storeEntries } from './eligibility.ts';
import { identityReviewFlow } from './flow.ts';
import { startReview } from './identity.ts';
import { requireProduct } from './product.ts';
import { type EligibilityType, eligibilityTypes, isNothingMissing } from './requirements.ts';
import { type ReviewCtx, requireKyc, submitReview } from './reviews.ts';
import { selectReview, setInquiry } from './store.ts';

/** How a person gets on with a check on the company's page: what `kyc` of an order's preparation carries. */
export interface OpenInquiry extends InquirySession {
  readonly provider: string;
}

export type InquiryCtx = ReviewCtx & Pick<RequestCtx, 'caller'>;

/** The flow leaves the first try to this call, and takes over when this process dies. */
const headStartMs = 30_000;

/**
 * Opens an inquiry for a type, or goes on with the one under way; what data is lacking the person enters on the company's page.
 * @throws project:addon.required, invalid-locator, not-authorized, user-not-found, kyc-required when the privacy policy was not
 *   accepted or the type is rejected, conflict when the type is verified or the inquiry takes no more input, rate-limited,
 *   provider-unavailable
 */
export async function openInquiry(
  ctx: InquiryCtx,
  input: { readonly locator: string; readonly type: EligibilityType },
): Promise<OpenInquiry> {
  await requireProduct(ctx);
  const reviewId = await changeUser(ctx, { locator: input.locator, create: false }, (tx, user) => ensureReview(ctx, tx, user, input.type));
  try {
    return await openSession(ctx, reviewId);
  } catch (error) {
    if (!(error instanceof KycOutage)) throw error;
    throw new ServiceError('provider-unavailable', { message: 'The identity company cannot be reached: retry later.', cause: error });
  }
}

async function ensureReview(ctx: InquiryCtx, tx: Tx, user: User, type: EligibilityType): Promise<string> {
  const before = await loadEntries(tx, user.id);
  const asked = before.get(type)!;
  if (asked.status === 'verified') throw new ServiceError('conflict', { message: `The user is verified for ${type} already.` });
  if (asked.status === 'rejected' || isHeld(user, before, asked))
    throw new ServiceError('kyc-required', { message: `The identity check of the user for ${type} was refused.` });
  if (asked.status === 'pending-review' && asked.reviewId !== undefined) return asked.reviewId;
  if (!hasPolicy(ctx, user))
    throw new ServiceError('kyc-required', {
      message: 'The user has not accepted the privacy policy: send PUT …/legal-documents with type "svc-privacy-policy" first.',
    });
  const { level } = requirementFor(user, type);
  const reviewId = await startReview(ctx, tx, { user, level, runAt: new Date(ctx.clock.now().getTime() + headStartMs) });
  const covered = eligibilityTypes
    .map((one) => before.get(one)!)
    .filter((entry) => ['not-started', 'requires-data', 'pending-privacy-policy'].includes(entry.status) && !isHeld(user, before, entry))
    .filter((entry) => level === 'full' || requirementFor(user, entry.type).level === 'light');
  const uploads = await listDocuments(tx, user);
  const changed = await Promise.all(
    covered.map(async (stored) => {
      const entry = stored.status === 'pending-privacy-policy' ? moved(stored, 'policy-accepted') : stored;
      // Data that the person is still to enter there cannot be compared with ours later.
      const isComplete = isNothingMissing(missingOf(user, entry, uploads));
      const { requestedDocuments, outdatedUploads } = entry;
      return moved(entry, 'submitted', {
        reviewId,
        requestedDocuments,
        outdatedUploads,
        ...(isComplete && { basis: await basisOf(ctx, user, entry.type) }),
      });
    }),
  );
  await storeEntries(ctx, tx, { user, before, changed });
  // From here on two users of one person could not be told apart by who has the reviews.
  if (!user.hasData) await saveRecord(ctx, tx, user, { record: user.record, hasData: true });
  return reviewId;
}

async function openSession(ctx: InquiryCtx, reviewId: string): Promise<OpenInquiry> {
  const kyc = requireKyc(ctx);
  const inquiryId = (await selectReview(ctx.store, reviewId))?.inquiryId ?? (await submitNow(ctx, reviewId));
  const session = inquiryId === undefined ? undefined : await kyc.openSession(inquiryId);
  if (!session)
    throw new ServiceError('conflict', {
      message: 'The identity check takes no more input from the user: wait for its result, then start anew.',
    });
  return { provider: kyc.name, ...session };
}

async function submitNow(ctx: InquiryCtx, reviewId: string): Promise<string | undefined> {
  const answer = await submitReview(ctx, reviewId);
  const inquiryId = answer && !isNotTaken(answer) ? answer.id : undefined;
  // Also when the company did not take it: the flow finds that out for itself, and ends the review.
  await ctx.store.transaction(async (tx) => {
    if (inquiryId !== undefined) await setInquiry(tx, { reviewId, inquiryId });
    await wakeFlow(ctx, tx, identityReviewFlow, reviewId);
  });
  return inquiryId;
}
