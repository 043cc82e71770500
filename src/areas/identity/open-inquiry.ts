import type { RequestCtx } from '../../context.ts';
import { wakeFlow } from '../../jobs/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type InquirySession, isNotTaken, KycOutage } from '../../providers/kyc/kyc.ts';
import type { Tx } from '../../store/types.ts';
import { changeUser, listDocuments, saveRecord, type User } from '../users/index.ts';
import {
  basisOf,
  gapsOf,
  isHeld,
  isOvertaken,
  loadEntries,
  moved,
  requirementFor,
  storeEntries,
} from './eligibility.ts';
import { identityReviewFlow } from './flow.ts';
import { abandonReviews, startReview } from './identity.ts';
import { requireProduct } from './product.ts';
import { type EligibilityType, eligibilityTypes } from './requirements.ts';
import { type ReviewCtx, requireKyc, submitReview } from './reviews.ts';
import { type EntryRow, selectReview, setInquiry } from './store.ts';

/**
 * How a person gets on with a check on the company's page: what `kyc` of an order's preparation
 * carries.
 */
export interface OpenInquiry extends InquirySession {
  readonly provider: string;
}

export type InquiryCtx = ReviewCtx & Pick<RequestCtx, 'caller'>;

/** The flow leaves the first try to this call, and takes over when this process dies. */
const headStartMs = 30_000;

/**
 * Opens an inquiry for a type, or goes on with the one under way; what is lacking the person enters
 * on the company's page, which takes the consent to the privacy policy, too. Where all of that has
 * come since, the inquiry is begun anew with it. It covers the other types that need nothing but
 * what the person has given or is asked for.
 * @throws project:addon.required, invalid-locator, not-authorized, user-not-found, kyc-required
 *   when the type is rejected, conflict when the type is verified or the inquiry takes no more
 *   input, rate-limited, provider-unavailable
 */
export async function openInquiry(
  ctx: InquiryCtx,
  input: { readonly locator: string; readonly type: EligibilityType },
): Promise<OpenInquiry> {
  await requireProduct(ctx);
  const reviewId = await changeUser(ctx, { locator: input.locator, create: false }, (tx, user) =>
    ensureReview(ctx, tx, user, input.type),
  );
  try {
    return await openSession(ctx, reviewId);
  } catch (error) {
    if (!(error instanceof KycOutage)) throw error;
    throw new ServiceError('provider-unavailable', {
      message: 'The identity company cannot be reached: retry later.',
      cause: error,
    });
  }
}

async function ensureReview(
  ctx: InquiryCtx,
  tx: Tx,
  user: User,
  type: EligibilityType,
): Promise<string> {
  const before = await loadEntries(tx, user.id);
  const asked = before.get(type)!;
  if (asked.status === 'verified')
    throw new ServiceError('conflict', { message: `The user is verified for ${type} already.` });
  if (asked.status === 'rejected' || isHeld(user, before, asked))
    throw new ServiceError('kyc-required', {
      message: `The identity check of the user for ${type} was refused.`,
    });
  const uploads = await listDocuments(tx, user);
  if (
    asked.status === 'pending-review' &&
    asked.reviewId !== undefined &&
    !isOvertaken(ctx, user, asked, uploads)
  )
    return asked.reviewId;
  const { level } = requirementFor(user, type);
  const reviewId = await startReview(ctx, tx, {
    user,
    level,
    runAt: new Date(ctx.clock.now().getTime() + headStartMs),
  });
  const asks = gapsOf(ctx, user, asked, uploads);
  const covered = eligibilityTypes
    .map((one) => before.get(one)!)
    .filter((entry) => isOpen(entry) || isOvertaken(ctx, user, entry, uploads))
    .filter(
      (entry) =>
        !isHeld(user, before, entry) &&
        (level === 'full' || requirementFor(user, entry.type).level === 'light'),
    )
    .filter((entry) => gapsOf(ctx, user, entry, uploads).every((gap) => asks.includes(gap)));
  const changed = await Promise.all(
    covered.map(async (stored) => {
      const { requestedDocuments, outdatedUploads } = stored;
      const entry = isOpen(stored) ? stored : moved(stored, 'data-changed');
      // Data that the person is still to enter there cannot be compared with ours later.
      const basis = asks.length === 0 ? { basis: await basisOf(ctx, user, entry.type) } : {};
      return moved(entry, 'submitted', { reviewId, requestedDocuments, outdatedUploads, ...basis });
    }),
  );
  await storeEntries(ctx, tx, { user, before, changed });
  await abandonReviews(ctx, tx, { user, before, changed });
  // From here on two users of one person could not be told apart by who has the reviews.
  if (!user.hasData) await saveRecord(ctx, tx, user, { record: user.record, hasData: true });
  return reviewId;
}

function isOpen({ status }: EntryRow): boolean {
  return ['not-started', 'requires-data', 'pending-privacy-policy'].includes(status);
}

async function openSession(ctx: InquiryCtx, reviewId: string): Promise<OpenInquiry> {
  const kyc = requireKyc(ctx);
  const inquiryId =
    (await selectReview(ctx.store, reviewId))?.inquiryId ?? (await submitNow(ctx, reviewId));
  const session = inquiryId === undefined ? undefined : await kyc.openSession(inquiryId);
  if (!session)
    throw new ServiceError('conflict', {
      message:
        'The identity check takes no more input from the user: wait for its result, then start anew.',
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
