import { isDeepStrictEqual } from 'node:util';
import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { compareDecimals } from '../../../lib/money/amount.ts';
import { type InquiryGap, KycOutage } from '../../../providers/kyc/kyc.ts';
import {
  type EligibilityType,
  isProductEnabled,
  lightVolumeUsd,
  type OpenInquiry,
  openInquiry,
  policyType,
  policyUrl,
  readEligibility,
  readGaps,
  requiredType,
} from '../../identity/index.ts';
import { openUser, selectUserById, type User, userLocatorOf } from '../../users/index.ts';
import { selectVolumeUsd, volumeMonths } from '../limits/volume.ts';
import { readOrderSettings } from '../pricing/settings-store.ts';
import type { OrderFacts, OrderRecord } from '../state/types.ts';
import { serviceCaller } from './person.ts';
import { prepareInquiry, prepareReview } from './preparation.ts';

/** What an order remembers of its identity check: `facts.kyc`. */
export type KycFact = {
  readonly type: EligibilityType;
  /** The company's inquiry that the payer can go on with. */
  readonly inquiryId?: string | undefined;
  /** When the way in was made that the order shows. */
  readonly openedAt?: string | undefined;
  /** What the payer has to accept there. */
  readonly legal?: readonly {
    readonly display: string;
    readonly type: string;
    readonly url: string;
  }[];
  /** The inquiry was opened for this order, so the payer still has to enter something there. */
  readonly opened?: boolean;
};

/** How the identity check of an order stands. */
export type IdentityState =
  | { readonly state: 'clear' }
  | { readonly state: 'refused' }
  /**
   * `needed`: the person is to do something; `review`: the company's machines work; `manual`: its
   * people do.
   */
  | {
      readonly state: 'needed' | 'review' | 'manual';
      readonly facts: Pick<OrderFacts, 'kyc' | 'preparation'>;
    };

export interface IdentityCheck {
  readonly order: OrderRecord;
  readonly operation: 'onramp' | 'offramp';
  /** Id of the person who has to be verified. */
  readonly userId: string;
  /** Worth of the order. */
  readonly amountUsd: string;
}

/**
 * Whether the person behind an order is verified for it, by the volume of twelve months; where not,
 * an inquiry is opened for `payment.preparation.kyc`. Where the project has no identity checks the
 * answer is clear. It may be asked again and again: an inquiry that is under way is gone on with.
 * @throws ServiceError (provider-unavailable, rate-limited, project:addon.required): to be asked
 * again later
 */
export async function checkIdentity(ctx: Ctx, check: IdentityCheck): Promise<IdentityState> {
  const { order } = check;
  if (!(await isIdentityRequired(ctx, order.projectId))) return { state: 'clear' };
  const row = await selectUserById(ctx.store, check.userId);
  if (!row) return { state: 'refused' };
  const user = openUser(ctx, row);
  const type = await typeFor(ctx, check, user);
  const entries = new Map(
    (await readEligibility(ctx.store, user)).map((entry) => [entry.type, entry.status]),
  );
  // Whoever passed the deeper check passed the lighter one.
  const statuses = [entries.get(type)!, entries.get(check.operation)!];
  if (statuses.includes('verified')) return { state: 'clear' };
  const [status] = statuses;
  if (status === 'rejected') return { state: 'refused' };
  return status === 'pending-review'
    ? followInquiry(ctx, { order, type, user })
    : openFor(ctx, { order, type, user });
}

/**
 * As the project's order settings say, else wherever it has identity verification.
 * @throws project:addon.required
 */
export async function isIdentityRequired(ctx: Ctx, projectId: string): Promise<boolean> {
  const { kycRequired } = await readOrderSettings(ctx, projectId);
  if (kycRequired === false) return false;
  if (await isProductEnabled(ctx, projectId)) return true;
  if (kycRequired === true)
    throw new ServiceError('project:addon.required', {
      message:
        'Orders of this project need an identity check, and it has no identity verification (purser identity enable).',
    });
  return false;
}

async function typeFor(
  ctx: Ctx,
  { order, operation, amountUsd }: IdentityCheck,
  user: User,
): Promise<EligibilityType> {
  const volumeUsd = await selectVolumeUsd(ctx.store, {
    projectId: order.projectId,
    userId: user.id,
    order,
    amountUsd,
    since: monthsBefore(ctx.clock.now(), volumeMonths),
  });
  return requiredType({
    operation,
    countryOfResidence: user.record.userDetails?.countryOfResidence,
    isWithinLightVolume: compareDecimals(volumeUsd, lightVolumeUsd) <= 0,
  });
}

interface Subject {
  readonly order: OrderRecord;
  readonly type: EligibilityType;
  readonly user: User;
}

/** A way in that is so old is replaced: companies let theirs expire. */
const sessionMsMax = 30 * 60_000;

/** Nothing is under way: begins an inquiry; what the person has not given its page asks for. */
async function openFor(ctx: Ctx, subject: Subject): Promise<IdentityState> {
  const { order, type, user } = subject;
  const inquiry = await open(ctx, subject);
  const { gaps } = await readGaps(ctx, user, type);
  if (!inquiry)
    return { state: 'review', facts: { kyc: { type }, preparation: prepareReview(order) } };
  const kyc: KycFact = {
    type,
    opened: true,
    ...sessionFact(ctx, inquiry),
    ...legalFact(ctx, gaps),
  };
  return { state: 'needed', facts: { kyc, preparation: prepareInquiry(order, { inquiry, gaps }) } };
}

/**
 * A review is under way: says who has it, and gives a way in to an order that has none, an old one,
 * or one to less than is known by now.
 */
async function followInquiry(ctx: Ctx, subject: Subject): Promise<IdentityState> {
  const { order, type, user } = subject;
  const known = order.facts.kyc as KycFact | undefined;
  const { gaps, overtaken } = await readGaps(ctx, user, type);
  const before = known?.inquiryId === undefined ? undefined : await readState(ctx, known.inquiryId);
  const isAnew = overtaken && before === 'waiting';
  const renews =
    known?.inquiryId === undefined || isAnew || (before === 'waiting' && isOld(ctx, known));
  const inquiry = renews ? await open(ctx, subject) : undefined;
  if (isAnew && !inquiry)
    return { state: 'review', facts: { kyc: { type }, preparation: prepareReview(order) } };
  const session = inquiry
    ? sessionFact(ctx, inquiry)
    : { inquiryId: known?.inquiryId, openedAt: known?.openedAt };
  const { inquiryId } = session;
  const isManual =
    inquiryId !== undefined && (renews ? await readState(ctx, inquiryId) : before) === 'in-review';
  const isNeeded =
    !isManual && inquiryId !== undefined && (known?.opened === true || gaps.length > 0);
  const kyc: KycFact = {
    type,
    ...withoutUndefined(session),
    ...(known?.opened && { opened: true }),
    ...(isNeeded && legalFact(ctx, gaps)),
  };
  const preparation = isNeeded
    ? prepareInquiry(order, { inquiry, gaps })
    : prepareReview(order, inquiry);
  return {
    state: isManual ? 'manual' : isNeeded ? 'needed' : 'review',
    facts: { kyc, preparation },
  };
}

function sessionFact(ctx: Ctx, { inquiryId }: OpenInquiry) {
  return { inquiryId, openedAt: ctx.clock.now().toISOString() };
}

function isOld(ctx: Ctx, { openedAt }: KycFact): boolean {
  return (
    openedAt !== undefined &&
    ctx.clock.now().getTime() - new Date(openedAt).getTime() >= sessionMsMax
  );
}

function legalFact(ctx: Ctx, gaps: readonly InquiryGap[]): Pick<KycFact, 'legal'> {
  if (!gaps.includes('consent')) return {};
  return { legal: [{ display: 'show-checkbox', type: policyType, url: policyUrl(ctx) }] };
}

/** Whether callers see anything new of the check. */
export function isIdentityNews(
  before: OrderFacts,
  after: Pick<OrderFacts, 'kyc' | 'preparation'>,
): boolean {
  return !isDeepStrictEqual([before.kyc, before.preparation], [after.kyc, after.preparation]);
}

/** Undefined when the inquiry takes no more input: the company has what it needs. */
async function open(ctx: Ctx, { order, type, user }: Subject): Promise<OpenInquiry | undefined> {
  try {
    return await openInquiry(
      { ...ctx, caller: serviceCaller(ctx, order.projectId) },
      { locator: userLocatorOf(user), type },
    );
  } catch (error) {
    // `kyc-required`: refused meanwhile, which the next look finds.
    if (
      error instanceof ServiceError &&
      (error.code === 'kyc-required' || error.code === 'conflict')
    )
      return undefined;
    throw error;
  }
}

async function readState(ctx: Ctx, inquiryId: string): Promise<string | undefined> {
  try {
    return (await ctx.providers.kyc?.readInquiry(inquiryId))?.state;
  } catch (error) {
    if (error instanceof KycOutage) return undefined;
    throw error;
  }
}

function withoutUndefined({ inquiryId, openedAt }: Pick<KycFact, 'inquiryId' | 'openedAt'>) {
  return {
    ...(inquiryId !== undefined && { inquiryId }),
    ...(openedAt !== undefined && { openedAt }),
  };
}

function monthsBefore(instant: Date, months: number): Date {
  const before = new Date(instant);
  before.setUTCMonth(before.getUTCMonth() - months);
  return before;
}
