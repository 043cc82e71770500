import type { KycLevel, RequestableDocument } from '../../providers/kyc/kyc.ts';
import type { Db, Tx } from '../../store/types.ts';
import type { EligibilityStatus } from './machine.ts';
import type { EligibilityType } from './requirements.ts';

/** One entry as it is stored; types without a row are `not-started`. */
export interface EntryRow {
  readonly type: EligibilityType;
  readonly status: EligibilityStatus;
  readonly reviewId?: string;
  /** How deep that review was. Read only. */
  readonly reviewLevel?: KycLevel;
  readonly basis?: Buffer;
  readonly requestedDocuments: readonly RequestableDocument[];
  /** Ids of uploads that the company had when it asked. */
  readonly outdatedUploads: readonly string[];
}

interface RawEntry {
  type: EligibilityType;
  status: EligibilityStatus;
  review_id: string | null;
  review_level: KycLevel | null;
  basis: Buffer | null;
  requested_documents: RequestableDocument[];
  outdated_uploads: string[];
}

export async function selectEntries(db: Db, userId: string): Promise<EntryRow[]> {
  const { rows } = await db.query<RawEntry>({
    name: 'identity-entries',
    text: `select e.type, e.status, e.review_id, r.level as review_level, e.basis, e.requested_documents, e.outdated_uploads
           from identity_entries e left join identity_reviews r on r.id = e.review_id where e.user_id = $1 limit 20`,
    values: [userId],
  });
  return rows.map((row) => ({
    type: row.type,
    status: row.status,
    ...(row.review_id && { reviewId: row.review_id }),
    ...(row.review_level && { reviewLevel: row.review_level }),
    ...(row.basis && { basis: row.basis }),
    requestedDocuments: row.requested_documents,
    outdatedUploads: row.outdated_uploads,
  }));
}

/** Stores an entry. `from` is the status it was read with; false when it is another one by now. */
export async function putEntry(
  tx: Tx,
  input: { readonly userId: string; readonly from: EligibilityStatus; readonly entry: EntryRow; readonly now: Date },
): Promise<boolean> {
  const { userId, from, entry, now } = input;
  const { rowCount } = await tx.query({
    name: 'identity-put-entry',
    text: `insert into identity_entries as e (user_id, type, status, review_id, basis, requested_documents, outdated_uploads, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (user_id, type) do update set status = excluded.status, review_id = excluded.review_id, basis = excluded.basis,
        requested_documents = excluded.requested_documents, outdated_uploads = excluded.outdated_uploads, updated_at = excluded.updated_at
        where e.status = $9`,
    values: [
      userId,
      entry.type,
      entry.status,
      entry.reviewId ?? null,
      entry.basis ?? null,
      entry.requestedDocuments,
      entry.outdatedUploads,
      now,
      from,
    ],
  });
  return rowCount === 1;
}

export type ReviewStatus = 'active' | 'passed' | 'refused' | 'document-requested' | 'expired' | 'superseded' | 'failed';

export interface ReviewRow {
  readonly id: string;
  readonly projectId: string;
  readonly userId: string;
  readonly level: KycLevel;
  readonly provider: string;
  readonly inquiryId?: string;
  readonly status: ReviewStatus;
  readonly createdAt: Date;
}

interface RawReview {
  id: string;
  project_id: string;
  user_id: string;
  level: KycLevel;
  provider: string;
  inquiry_id: string | null;
  status: ReviewStatus;
  created_at: Date;
}

const reviewColumns = 'id, project_id, user_id, level, provider, inquiry_id, status, created_at';

const toReview = (row: RawReview): ReviewRow => ({
  id: row.id,
  projectId: row.project_id,
  userId: row.user_id,
  level: row.level,
  provider: row.provider,
  ...(row.inquiry_id && { inquiryId: row.inquiry_id }),
  status: row.status,
  createdAt: row.created_at,
});

export async function insertReview(tx: Tx, row: Omit<ReviewRow, 'status' | 'inquiryId'>): Promise<void> {
  await tx.query({
    name: 'identity-insert-review',
    text: `insert into identity_reviews (id, project_id, user_id, level, provider, status, created_at) values ($1, $2, $3, $4, $5, 'active', $6)`,
    values: [row.id, row.projectId, row.userId, row.level, row.provider, row.createdAt],
  });
}

export async function selectReview(db: Db, id: string): Promise<ReviewRow | undefined> {
  const { rows } = await db.query<RawReview>({
    name: 'identity-review',
    text: `select ${reviewColumns} from identity_reviews where id = $1`,
    values: [id],
  });
  return rows[0] && toReview(rows[0]);
}

export async function selectReviewByInquiry(
  db: Db,
  key: { readonly provider: string; readonly inquiryId: string },
): Promise<ReviewRow | undefined> {
  const { rows } = await db.query<RawReview>({
    name: 'identity-review-by-inquiry',
    text: `select ${reviewColumns} from identity_reviews where provider = $1 and inquiry_id = $2`,
    values: [key.provider, key.inquiryId],
  });
  return rows[0] && toReview(rows[0]);
}

/** Reviews of users, the newest first. */
export async function selectReviewsOfUsers(db: Db, userIds: readonly string[]): Promise<ReviewRow[]> {
  const { rows } = await db.query<RawReview>({
    name: 'identity-reviews-of-users',
    text: `select ${reviewColumns} from identity_reviews where user_id = any($1::uuid[]) order by created_at desc limit 1000`,
    values: [userIds],
  });
  return rows.map(toReview);
}

/** Keeps the company's id of an inquiry; false when the review has another one already. */
export async function setInquiry(db: Db, input: { readonly reviewId: string; readonly inquiryId: string }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'identity-set-inquiry',
    text: 'update identity_reviews set inquiry_id = $2 where id = $1 and (inquiry_id is null or inquiry_id = $2)',
    values: [input.reviewId, input.inquiryId],
  });
  return rowCount === 1;
}

/** False when the review has ended already. */
export async function endReview(
  tx: Tx,
  input: { readonly id: string; readonly status: Exclude<ReviewStatus, 'active'>; readonly now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'identity-end-review',
    text: `update identity_reviews set status = $2, ended_at = $3 where id = $1 and status = 'active'`,
    values: [input.id, input.status, input.now],
  });
  return rowCount === 1;
}

/** False: this event came before. */
export async function insertCallback(
  tx: Tx,
  row: { readonly provider: string; readonly eventId: string; readonly now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'identity-insert-callback',
    text: 'insert into identity_callbacks (provider, event_id, received_at) values ($1, $2, $3) on conflict do nothing',
    values: [row.provider, row.eventId, row.now],
  });
  return rowCount === 1;
}

export async function deleteOldCallbacks(db: Db, input: { readonly before: Date; readonly limit: number }): Promise<void> {
  await db.query({
    text: `delete from identity_callbacks where (provider, event_id) in
      (select provider, event_id from identity_callbacks where received_at < $1 order by received_at limit $2)`,
    values: [input.before, input.limit],
  });
}

/** Undefined: nobody said. */
export async function selectProductSetting(db: Db, projectId: string): Promise<boolean | undefined> {
  const { rows } = await db.query<{ enabled: boolean }>({
    name: 'identity-project',
    text: 'select enabled from identity_projects where project_id = $1',
    values: [projectId],
  });
  return rows[0]?.enabled;
}

export async function putProductSetting(
  db: Db,
  row: { readonly projectId: string; readonly enabled: boolean; readonly now: Date },
): Promise<void> {
  await db.query({
    text: `insert into identity_projects (project_id, enabled, updated_at) values ($1, $2, $3)
      on conflict (project_id) do update set enabled = excluded.enabled, updated_at = excluded.updated_at`,
    values: [row.projectId, row.enabled, row.now],
  });
}
