import type { Ctx } from '../../context.ts';
import { appendEvents } from '../../jobs/index.ts';
import { move } from '../../machine/machine.ts';
import type { InquiryGap, RequestableDocument } from '../../providers/kyc/kyc.ts';
import type { Db, Tx } from '../../store/types.ts';
import {
  isValidVersion,
  LostRace,
  listDocuments,
  loadHasher,
  type User,
  type UserRecord,
  userLocatorOf,
} from '../users/index.ts';
import { type EligibilityEvent, type EligibilityStatus, eligibilityMachine } from './machine.ts';
import {
  type DataBlock,
  type EligibilityType,
  eligibilityTypes,
  findMissing,
  type Missing,
  type Requirement,
  requirementOf,
  type UploadedDocument,
} from './requirements.ts';
import { type EntryRow, putEntry, selectEntries } from './store.ts';

/** One entry of the answer. */
export interface EligibilityEntry {
  readonly type: EligibilityType;
  readonly status: EligibilityStatus;
  readonly missingData?: readonly DataBlock[];
  readonly missingDocuments?: readonly RequestableDocument[];
}

/** Every type, whether a row is stored for it or not. */
export type Entries = ReadonlyMap<EligibilityType, EntryRow>;

type EligibilityCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>;

export async function loadEntries(db: Db, userId: string): Promise<Entries> {
  const stored = new Map((await selectEntries(db, userId)).map((entry) => [entry.type, entry]));
  return new Map(eligibilityTypes.map((type) => [type, stored.get(type) ?? newEntry(type)]));
}

/** The types for which a person is verified. */
export async function verifiedTypes(db: Db, userId: string): Promise<ReadonlySet<EligibilityType>> {
  const entries = await selectEntries(db, userId);
  return new Set(entries.flatMap(({ type, status }) => (status === 'verified' ? [type] : [])));
}

function newEntry(type: EligibilityType): EntryRow {
  return {
    type,
    status: move(eligibilityMachine, '*', 'user-created'),
    requestedDocuments: [],
    outdatedUploads: [],
  };
}

/**
 * The list of the interface. What is missing is looked up anew: data may have come since the last
 * start.
 */
export async function readEligibility(
  db: Db,
  user: User,
  entries?: Entries,
): Promise<EligibilityEntry[]> {
  const known = entries ?? (await loadEntries(db, user.id));
  const uploads = [...known.values()].some((entry) => entry.status === 'requires-data')
    ? await listDocuments(db, user)
    : [];
  return eligibilityTypes.map((type) => {
    const entry = known.get(type)!;
    if (isHeld(user, known, entry)) return { type, status: 'rejected' };
    if (entry.status !== 'requires-data') return { type, status: entry.status };
    const { data, documents } = missingOf(user, entry, uploads);
    // Empty lists say that everything has come since: the next start goes on.
    return { type, status: entry.status, missingData: data, missingDocuments: documents };
  });
}

/**
 * True for a type that is open and needs no more than a check that refused the person: a rejection
 * counts for its level and for those below it, whichever types it came with. It holds until the
 * rejection falls.
 */
export function isHeld(user: Pick<User, 'record'>, entries: Entries, entry: EntryRow): boolean {
  if (!['not-started', 'pending-privacy-policy', 'requires-data'].includes(entry.status))
    return false;
  const refused = [...entries.values()]
    .filter(({ status }) => status === 'rejected')
    .map((one) => one.reviewLevel ?? requirementFor(user, one.type).level);
  return (
    refused.includes('full') ||
    (refused.includes('light') && requirementFor(user, entry.type).level === 'light')
  );
}

export function requirementFor(user: Pick<User, 'record'>, type: EligibilityType): Requirement {
  return requirementOf(type, user.record.userDetails?.countryOfResidence);
}

export function missingOf(
  user: Pick<User, 'record'>,
  entry: EntryRow,
  uploads: readonly UploadedDocument[],
): Missing {
  return findMissing({
    requirement: requirementFor(user, entry.type),
    record: user.record,
    uploads,
    request: { documents: entry.requestedDocuments, outdatedUploads: entry.outdatedUploads },
  });
}

/**
 * What the company's page has to ask the person for. Of somebody who has not accepted the privacy
 * policy nothing is handed to the company, so that its page asks for the consent and for everything
 * else.
 */
export function gapsOf(
  ctx: Pick<Ctx, 'config'>,
  user: Pick<User, 'record'>,
  entry: EntryRow,
  uploads: readonly UploadedDocument[],
): readonly InquiryGap[] {
  if (hasPolicy(ctx, user)) {
    const { data, documents } = missingOf(user, entry, uploads);
    return [...data, ...documents];
  }
  const { data, documents } = requirementFor(user, entry.type);
  return ['consent', ...data, ...new Set([...documents, ...entry.requestedDocuments])];
}

/**
 * True when a review waits for what the company was to ask for, and the project has sent all of it
 * since.
 */
export function isOvertaken(
  ctx: Pick<Ctx, 'config'>,
  user: Pick<User, 'record'>,
  entry: EntryRow,
  uploads: readonly UploadedDocument[],
): boolean {
  // Only what was complete when it was handed over has a basis.
  return (
    entry.status === 'pending-review' &&
    entry.basis === undefined &&
    gapsOf(ctx, user, entry, uploads).length === 0
  );
}

/**
 * How a type stands with an identity company: what its page asks for, and whether all of that has
 * come another way since.
 */
export async function readGaps(
  ctx: Pick<Ctx, 'config' | 'store'>,
  user: User,
  type: EligibilityType,
): Promise<{ readonly gaps: readonly InquiryGap[]; readonly overtaken: boolean }> {
  const entry = (await loadEntries(ctx.store, user.id)).get(type)!;
  const uploads = await listDocuments(ctx.store, user);
  return {
    gaps: gapsOf(ctx, user, entry, uploads),
    overtaken: isOvertaken(ctx, user, entry, uploads),
  };
}

/** True when a privacy policy that is in force was accepted. */
export function hasPolicy(ctx: Pick<Ctx, 'config'>, user: Pick<User, 'record'>): boolean {
  return user.record.legalDocuments.some(
    (document) => document.type === 'svc-privacy-policy' && isValidVersion(ctx, document),
  );
}

/** A keyed hash of the data that a review for this type is about: equal as long as the data is. */
export async function basisOf(
  ctx: EligibilityCtx,
  user: User,
  type: EligibilityType,
): Promise<Buffer> {
  const { level, data } = requirementFor(user, type);
  const { userDetails, kycData }: UserRecord = user.record;
  const reviewed = { level, userDetails, ...(data.includes('kyc-data') && { kycData }) };
  return (await loadHasher(ctx, user.projectId))('identity-basis', JSON.stringify(reviewed));
}

/** An entry after one event of its machine. Fields that are not given are cleared. */
export function moved(
  entry: EntryRow,
  event: EligibilityEvent,
  fields: Partial<
    Pick<EntryRow, 'reviewId' | 'basis' | 'requestedDocuments' | 'outdatedUploads'>
  > = {},
): EntryRow {
  const { reviewId, basis, requestedDocuments = [], outdatedUploads = [] } = fields;
  return {
    type: entry.type,
    status: move(eligibilityMachine, entry.status, event),
    ...(reviewId !== undefined && { reviewId }),
    ...(basis !== undefined && { basis }),
    requestedDocuments,
    outdatedUploads,
  };
}

/**
 * Stores what changed among a locked user's entries, and says so in the outbox when a status did.
 * @returns the list as it is now
 */
export async function storeEntries(
  ctx: EligibilityCtx,
  tx: Tx,
  input: { readonly user: User; readonly before: Entries; readonly changed: readonly EntryRow[] },
): Promise<EligibilityEntry[]> {
  const { user, before, changed } = input;
  const now = ctx.clock.now();
  for (const entry of changed) {
    const from = before.get(entry.type)!.status;
    if (!(await putEntry(tx, { userId: user.id, from, entry, now }))) throw new LostRace();
  }
  const after: Entries = new Map([
    ...before,
    ...changed.map((entry) => [entry.type, entry] as const),
  ]);
  const eligibility = await readEligibility(tx, user, after);
  if (changed.some((entry) => entry.status !== before.get(entry.type)!.status)) {
    const data = {
      userLocator: userLocatorOf(user),
      eligibility: eligibility.map((entry) => ({ ...entry })),
    };
    await appendEvents(
      tx,
      [
        {
          projectId: user.projectId,
          type: 'users.identity-verification.updated',
          object: `user:${user.id}`,
          data,
        },
      ],
      ctx,
    );
  }
  return eligibility;
}
