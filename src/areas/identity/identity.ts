import type { Ctx, RequestCtx } from '../../context.ts';
import { startFlow, wakeFlow } from '../../jobs/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { KycLevel } from '../../providers/kyc/kyc.ts';
import type { Tx } from '../../store/types.ts';
import { changeUser, claimAllowance, findUser, listDocuments, type User } from '../users/index.ts';
import {
  basisOf,
  type EligibilityEntry,
  type Entries,
  hasPolicy,
  isHeld,
  isOvertaken,
  loadEntries,
  missingOf,
  moved,
  readEligibility,
  requirementFor,
  storeEntries,
} from './eligibility.ts';
import { identityReviewFlow } from './flow.ts';
import { requireProduct } from './product.ts';
import { isNothingMissing, type UploadedDocument } from './requirements.ts';
import { type ReviewCtx, supersedeReview } from './reviews.ts';
import { type EntryRow, insertReview } from './store.ts';

const reviewsPerUserAndDayMax = 20;

/** @throws project:addon.required, invalid-locator, not-authorized, user-not-found */
export async function getEligibility(
  ctx: RequestCtx,
  locator: string,
): Promise<EligibilityEntry[]> {
  await requireProduct(ctx);
  return readEligibility(ctx.store, await findUser(ctx, locator));
}

/**
 * Starts the checks of every type that is open: what is complete goes to the company, the rest says
 * what it lacks.
 * @throws project:addon.required, invalid-locator, not-authorized, user-not-found, rate-limited,
 * provider-unavailable
 */
export async function startIdentityVerification(
  ctx: RequestCtx,
  locator: string,
): Promise<EligibilityEntry[]> {
  await requireProduct(ctx);
  return changeUser(ctx, { locator, create: false }, async (tx, user) => {
    const before = await loadEntries(tx, user.id);
    const uploads = await listDocuments(tx, user);
    const sorted = sortEntries(ctx, { user, entries: before, uploads });
    const submitted = await submitEntries(ctx, tx, user, sorted.complete);
    const eligibility = await storeEntries(ctx, tx, {
      user,
      before,
      changed: [...sorted.changed, ...submitted],
    });
    await abandonReviews(ctx, tx, { user, before, changed: submitted });
    return eligibility;
  });
}

/**
 * What a changed user means for its entries: reviewed data that is no longer the user's has to be
 * reviewed again, and whoever accepted the policy may start. To be called in the transaction that
 * changed the user. A rejection falls only where `mayReopen` says that the project itself stands
 * behind the other data: else whoever was refused could try names until one passes.
 */
export async function followUserChange(
  ctx: Ctx,
  tx: Tx,
  { user, mayReopen }: { readonly user: User; readonly mayReopen: boolean },
): Promise<void> {
  const before = await loadEntries(tx, user.id);
  const changed: EntryRow[] = [];
  for (const entry of before.values()) {
    if (entry.status === 'pending-privacy-policy' && hasPolicy(ctx, user))
      changed.push(moved(entry, 'policy-accepted'));
    if (entry.status === 'rejected' && !mayReopen) continue;
    if (entry.basis && !entry.basis.equals(await basisOf(ctx, user, entry.type)))
      changed.push(moved(entry, 'data-changed'));
  }
  if (changed.length === 0) return;
  await storeEntries(ctx, tx, { user, before, changed });
  await abandonReviews(ctx, tx, { user, before, changed });
}

/** Ends the reviews that changed entries waited for, once no entry waits for them any more. */
export async function abandonReviews(
  ctx: ReviewCtx,
  tx: Tx,
  input: { readonly user: User; readonly before: Entries; readonly changed: readonly EntryRow[] },
): Promise<void> {
  const { user, before, changed } = input;
  const waiting = (entry: EntryRow) =>
    entry.status === 'pending-review' && entry.reviewId !== undefined ? [entry.reviewId] : [];
  const left = new Set(changed.flatMap(({ type }) => waiting(before.get(type)!)));
  if (left.size === 0) return;
  const awaited = new Set([...(await loadEntries(tx, user.id)).values()].flatMap(waiting));
  for (const reviewId of left) {
    if (awaited.has(reviewId)) continue;
    await supersedeReview(ctx, tx, reviewId);
    await wakeFlow(ctx, tx, identityReviewFlow, reviewId);
  }
}

interface Sorted {
  /** Entries that stop here, with what they lack. */
  readonly changed: readonly EntryRow[];
  /** Entries that can be reviewed. */
  readonly complete: readonly EntryRow[];
}

function sortEntries(
  ctx: Pick<Ctx, 'config'>,
  input: {
    readonly user: User;
    readonly entries: Entries;
    readonly uploads: readonly UploadedDocument[];
  },
): Sorted {
  const { user, entries, uploads } = input;
  const changed: EntryRow[] = [];
  const complete: EntryRow[] = [];
  const policy = hasPolicy(ctx, user);
  for (const stored of entries.values()) {
    if (isOvertaken(ctx, user, stored, uploads)) {
      const { requestedDocuments, outdatedUploads } = stored;
      complete.push(moved(stored, 'data-changed', { requestedDocuments, outdatedUploads }));
      continue;
    }
    if (
      ['pending-review', 'verified', 'rejected'].includes(stored.status) ||
      isHeld(user, entries, stored)
    )
      continue;
    const { requestedDocuments, outdatedUploads } = stored;
    const request = { requestedDocuments, outdatedUploads };
    if (!policy) {
      changed.push(moved(stored, 'policy-missing', request));
      continue;
    }
    const entry =
      stored.status === 'pending-privacy-policy'
        ? moved(stored, 'policy-accepted', request)
        : stored;
    if (isNothingMissing(missingOf(user, entry, uploads))) complete.push(entry);
    else changed.push(moved(entry, 'data-missing', request));
  }
  return { changed, complete };
}

/** One review for all that is complete: the deepest check covers the others. */
async function submitEntries(
  ctx: RequestCtx,
  tx: Tx,
  user: User,
  complete: readonly EntryRow[],
): Promise<EntryRow[]> {
  if (complete.length === 0) return [];
  const isFull = complete.some((entry) => requirementFor(user, entry.type).level === 'full');
  const reviewId = await startReview(ctx, tx, { user, level: isFull ? 'full' : 'light' });
  return Promise.all(
    complete.map(async (entry) => {
      const basis = await basisOf(ctx, user, entry.type);
      const { requestedDocuments, outdatedUploads } = entry;
      return moved(entry, 'submitted', { reviewId, basis, requestedDocuments, outdatedUploads });
    }),
  );
}

/**
 * Stores a review and the flow that carries it on, in the caller's transaction.
 * @returns its id
 * @throws rate-limited, provider-unavailable
 */
export async function startReview(
  ctx: ReviewCtx,
  tx: Tx,
  input: { readonly user: User; readonly level: KycLevel; readonly runAt?: Date },
): Promise<string> {
  const { kyc } = ctx.providers;
  if (!kyc)
    throw new ServiceError('provider-unavailable', {
      message: 'No identity company is configured on this instance.',
    });
  const { id: userId, projectId } = input.user;
  const kind = 'identity-start';
  await claimAllowance(ctx, { projectId, userId, kind, perDayMax: reviewsPerUserAndDayMax }, tx);
  await claimAllowance(
    ctx,
    { projectId, kind, perDayMax: ctx.config.identity.limits.identityStartsPerDayMax },
    tx,
  );
  const id = ctx.ids.randomUuid();
  await insertReview(tx, {
    id,
    projectId,
    userId,
    level: input.level,
    provider: kyc.name,
    createdAt: ctx.clock.now(),
  });
  const { runAt } = input;
  await startFlow(ctx, tx, identityReviewFlow, {
    projectId,
    key: id,
    state: { reviewId: id, polls: 0 },
    ...(runAt && { runAt }),
  });
  return id;
}
