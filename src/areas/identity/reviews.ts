import type { Ctx } from '../../context.ts';
import type { Inquiry, InquiryNotTaken, KycPerson, KycProvider } from '../../providers/kyc/kyc.ts';
import type { Providers } from '../../providers/registry.ts';
import type { Tx } from '../../store/types.ts';
import {
  listDocuments,
  lockUser,
  openDocuments,
  openUser,
  selectUserById,
  type UserRecord,
} from '../users/index.ts';
import { gapsOf, loadEntries, moved, storeEntries } from './eligibility.ts';
import type { EligibilityEvent } from './machine.ts';
import {
  type EntryRow,
  endReview,
  type ReviewRow,
  type ReviewStatus,
  selectReview,
} from './store.ts';

/** What reviews need of a context; the command line has no more either. */
export type ReviewCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids' | 'log'> & {
  readonly providers: Pick<Providers, 'kyc'>;
};

/** How a review ended. */
export type ReviewEnd =
  | { readonly status: 'passed' | 'refused' | 'expired' | 'failed' | 'superseded' }
  | {
      readonly status: 'document-requested';
      readonly requestedDocuments: EntryRow['requestedDocuments'];
    };

const events: Readonly<Record<Exclude<ReviewStatus, 'active'>, EligibilityEvent>> = {
  passed: 'passed',
  refused: 'refused',
  'document-requested': 'document-requested',
  expired: 'not-reviewed',
  failed: 'not-reviewed',
  superseded: 'data-changed',
};

/** What the end of an inquiry means; undefined while it goes on. */
export function endOf(inquiry: Inquiry): ReviewEnd | undefined {
  switch (inquiry.state) {
    case 'waiting':
    case 'in-review':
      return undefined;
    case 'document-requested':
      return {
        status: 'document-requested',
        requestedDocuments: inquiry.requestedDocuments ?? ['id'],
      };
    default:
      return { status: inquiry.state };
  }
}

/**
 * Ends a review and moves the entries that waited for it. Does nothing when it has ended, or its
 * user was erased: so it may come twice and late.
 */
export async function settleReview(
  ctx: ReviewCtx,
  tx: Tx,
  input: { readonly reviewId: string; readonly end: ReviewEnd },
): Promise<void> {
  const { reviewId, end } = input;
  const review = await selectReview(tx, reviewId);
  const user = review?.status === 'active' ? await lockUser(ctx, tx, review.userId) : undefined;
  if (!user || !(await endReview(tx, { id: reviewId, status: end.status, now: ctx.clock.now() })))
    return;
  const before = await loadEntries(tx, user.id);
  const waiting = [...before.values()].filter(
    (entry) => entry.reviewId === reviewId && entry.status === 'pending-review',
  );
  const uploads = end.status === 'document-requested' ? await listDocuments(tx, user) : [];
  const changed = waiting.map((entry) =>
    moved(entry, events[end.status], {
      ...(['passed', 'refused'].includes(end.status) && { reviewId, basis: entry.basis }),
      ...(end.status === 'document-requested' && {
        requestedDocuments: end.requestedDocuments,
        outdatedUploads: uploads.map((upload) => upload.documentId),
      }),
    }),
  );
  await storeEntries(ctx, tx, { user, before, changed });
  ctx.log.info(
    { reviewId, provider: review!.provider, outcome: end.status },
    'an identity review ended',
  );
}

/**
 * The company that reviews are made with now.
 * @throws Error when there is none: a start-up without one takes no reviews
 */
export function requireKyc(ctx: Pick<ReviewCtx, 'providers'>): KycProvider {
  const { kyc } = ctx.providers;
  if (!kyc) throw new Error('No identity company is configured (KYC), and a review waits for one.');
  return kyc;
}

/**
 * Hands a review to the company. May be repeated: the company knows a review by its id, and the
 * same call gets the same inquiry.
 * @returns undefined when the review is over, or its user was erased
 */
export async function submitReview(
  ctx: ReviewCtx,
  reviewId: string,
  signal?: AbortSignal,
): Promise<Inquiry | InquiryNotTaken | undefined> {
  const review = await selectReview(ctx.store, reviewId);
  const row =
    review?.status === 'active' ? await selectUserById(ctx.store, review.userId) : undefined;
  if (!review || !row) return undefined;
  const kyc = requireKyc(ctx);
  if (kyc.name !== review.provider)
    return { notTaken: `the review is for ${review.provider}, and the company is ${kyc.name} now` };
  const user = openUser(ctx, row);
  const entries = [...(await loadEntries(ctx.store, review.userId)).values()].filter(
    (entry) => entry.reviewId === review.id,
  );
  const uploads = await listDocuments(ctx.store, user);
  const missing = [...new Set(entries.flatMap((entry) => gapsOf(ctx, user, entry, uploads)))];
  const requested = new Set(entries.flatMap((entry) => entry.requestedDocuments));
  const hasConsent = !missing.includes('consent');
  const documents = review.level === 'full' && hasConsent ? await openDocuments(ctx, user) : [];
  return kyc.createInquiry(
    {
      level: review.level,
      reference: review.id,
      idempotencyKey: review.id,
      person: hasConsent ? personOf(user.record, review) : {},
      documents,
      answered: [...requested].filter((document) => !missing.includes(document)),
      missing,
    },
    signal,
  );
}

/** Ends a review because its data is no longer what the project says. */
export async function supersedeReview(ctx: ReviewCtx, tx: Tx, reviewId: string): Promise<void> {
  await endReview(tx, { id: reviewId, status: 'superseded', now: ctx.clock.now() });
}

/** The light check gets no more than it needs. */
function personOf({ userDetails, kycData }: UserRecord, { level }: ReviewRow): KycPerson {
  const { email, phoneNumber } = kycData ?? {};
  const contact = {
    ...(email !== undefined && { email }),
    ...(phoneNumber !== undefined && { phoneNumber }),
  };
  if (level === 'light' || !kycData) return { ...userDetails, ...contact };
  const { nationality, addressOfResidence: address, identityDocument } = kycData;
  return { ...userDetails, ...contact, nationality, address, identityDocument };
}
