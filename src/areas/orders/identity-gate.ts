import type { Ctx } from '../../context.ts';
import { compareDecimals } from '../../lib/amount.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { KycOutage } from '../../providers/kyc/kyc.ts';
import {
  type EligibilityType,
  isProductEnabled,
  lightVolumeUsd,
  type OpenInquiry,
  openInquiry,
  readEligibility,
  requiredType,
} from '../identity/index.ts';
import { openUser, selectUserById, type User, userLocatorOf } from '../users/index.ts';
import { readOrderSettings } from './pricing/settings-store.ts';
import { serviceCaller } from './service-caller.ts';
import type { OrderFacts, OrderRecord } from './types.ts';
import { selectVolumeUsd, volumeMonths } from './volume.ts';

/** What an order remembers of its identity check: `facts.kyc`. */
export type KycFact = {
  readonly type: EligibilityType;
  /** The company's inquiry that the payer can go on with. */
  readonly inquiryId?: string;
  /** The inquiry was opened for this order, so the payer still has to enter something there. */
  readonly opened?: boolean;
};

/** How the identity check of an order stands. */
export type IdentityState =
  | { readonly state: 'clear' }
  | { readonly state: 'refused' }
  /** `needed`: the person is to do something; `review`: the company's machines work; `manual`: its people do. */
  | { readonly state: 'needed' | 'review' | 'manual'; readonly facts: Pick<OrderFacts, 'kyc' | 'preparation'> };

export interface IdentityCheck {
  readonly order: OrderRecord;
  readonly operation: 'onramp' | 'offramp';
  /** Id of the person who has to be verified. */
  readonly userId: string;
  /** Worth of the order. */
  readonly amountUsd: string;
}

/**
 * Whether the person behind an order is verified for it, by the volume of twelve months; where not, an inquiry is opened for
 * `payment.preparation.kyc`. Where the project has no identity checks the answer is clear. It may be asked again and again: an
 * inquiry that is under way is gone on with.
 * @throws ServiceError (provider-unavailable, rate-limited, project:addon.required): to be asked again later
 */
export async function checkIdentity(ctx: Ctx, check: IdentityCheck): Promise<IdentityState> {
  const { order } = check;
  if (!(await isIdentityRequired(ctx, order.projectId))) return { state: 'clear' };
  const row = await selectUserById(ctx.store, check.userId);
  if (!row) return { state: 'refused' };
  const user = openUser(ctx, row);
  const type = await typeFor(ctx, check, user);
  const entries = new Map((await readEligibility(ctx.store, user)).map((entry) => [entry.type, entry.status]));
  // Whoever passed the deeper check passed the lighter one.
  const statuses = [entries.get(type)!, entries.get(check.operation)!];
  if (statuses.includes('verified')) return { state: 'clear' };
  const [status] = statuses;
  if (status === 'rejected') return { state: 'refused' };
  return status === 'pending-review' ? followInquiry(ctx, { order, type, user }) : openFor(ctx, { order, type, user });
}

/** As the project's order settings say, else wherever it has identity verification. @throws project:addon.required */
export async function isIdentityRequired(ctx: Ctx, projectId: string): Promise<boolean> {
  const { kycRequired } = await readOrderSettings(ctx, projectId);
  if (kycRequired === false) return false;
  if (await isProductEnabled(ctx, projectId)) return true;
  if (kycRequired === true)
    throw new ServiceError('project:addon.required', {
      message: 'Orders of this project need an identity check, and it has no identity verification (purser identity enable).',
    });
  return false;
}

async function typeFor(ctx: Ctx, { order, operation, amountUsd }: IdentityCheck, user: User): Promise<EligibilityType> {
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

/** Nothing is under way: begins an inquiry, where the person may. */
async function openFor(ctx: Ctx, { order, type, user }: Subject): Promise<IdentityState> {
  const inquiry = await open(ctx, { order, type, user });
  const preparation = withoutKyc(order);
  if (!inquiry) return { state: 'needed', facts: { kyc: { type }, preparation } };
  const kyc: KycFact = { type, inquiryId: inquiry.inquiryId, opened: true };
  return { state: 'needed', facts: { kyc, preparation: { ...preparation, kyc: kycView(inquiry) } } };
}

/** A review is under way: says who has it, and gives a way in to an order that has none. */
async function followInquiry(ctx: Ctx, { order, type, user }: Subject): Promise<IdentityState> {
  const known = order.facts.kyc as KycFact | undefined;
  const session = known?.inquiryId === undefined ? await open(ctx, { order, type, user }) : undefined;
  const inquiryId = known?.inquiryId ?? session?.inquiryId;
  const kyc: KycFact = { type, ...(inquiryId !== undefined && { inquiryId }), ...(known?.opened && { opened: true }) };
  const preparation = session ? { ...withoutKyc(order), kyc: kycView(session) } : order.facts.preparation;
  const facts = { kyc, ...(preparation && { preparation }) };
  if (inquiryId !== undefined && (await readState(ctx, inquiryId)) === 'in-review') return { state: 'manual', facts };
  return { state: known?.opened ? 'needed' : 'review', facts };
}

/** Undefined when the person first has to do something else, e.g. accept the privacy policy. */
async function open(ctx: Ctx, { order, type, user }: Subject): Promise<OpenInquiry | undefined> {
  try {
    return await openInquiry({ ...ctx, caller: serviceCaller(ctx, order.projectId) }, { locator: userLocatorOf(user), type });
  } catch (error) {
    if (error instanceof ServiceError && (error.code === 'kyc-required' || error.code === 'conflict')) return undefined;
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

function kycView({ provider, inquiryId, sessionToken, environmentId, url }: OpenInquiry): JsonObject {
  return {
    provider,
    inquiryId,
    sessionToken,
    ...(environmentId !== undefined && { environmentId }),
    ...(url !== undefined && { url }),
  };
}

function withoutKyc(order: OrderRecord): JsonObject {
  const { kyc: _, ...preparation } = order.facts.preparation ?? {};
  return preparation as JsonObject;
}

function monthsBefore(instant: Date, months: number): Date {
  const before = new Date(instant);
  before.setUTCMonth(before.getUTCMonth() - months);
  return before;
}
