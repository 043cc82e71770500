import type { KycLevel, RequestableDocument } from '../../providers/kyc/kyc.ts';
import { rowMacsOf, type SealedRow, type SealedTable, sealAgain } from '../../store/row-mac.ts';
import { fieldsOf, type RowOf, readRow } from '../../store/rows.ts';
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

interface RawEntry extends RowOf<EntryRow> {
  readonly id: string;
  readonly user_id: string;
  readonly mac: string | null;
}

/**
 * For what a person is verified, by which review, of which data. What is asked for besides decides
 * nothing.
 */
function sealedEntry({
  user_id,
  type,
  status,
  review_id,
  basis,
}: Pick<RawEntry, 'user_id' | 'type' | 'status' | 'review_id' | 'basis'>): SealedRow {
  return { table: 'identity_entries', id: user_id, fields: { type, status, review_id, basis } };
}

export const sealedEntries: SealedTable = {
  table: 'identity_entries',
  columns: 'id, user_id, type, status, review_id, basis, mac',
  toSealed: sealedEntry,
};

/** @throws internal-error when one was changed behind the service */
export async function selectEntries(db: Db, userId: string): Promise<EntryRow[]> {
  const { rows } = await db.query<RawEntry>({
    name: 'identity-entries',
    text: `select e.id, e.user_id, e.type, e.status, e.review_id, r.level as review_level, e.basis, e.requested_documents, e.outdated_uploads, e.mac
           from identity_entries e left join identity_reviews r on r.id = e.review_id where e.user_id = $1 limit 20`,
    values: [userId],
  });
  const macs = rowMacsOf(db);
  for (const row of rows) {
    const problem = macs.problemOf(sealedEntry(row), row.mac);
    if (problem) throw macs.refuse({ table: 'identity_entries', id: row.id }, problem);
  }
  return rows.map(({ id: _, user_id: _user, ...row }) => readRow<EntryRow>(row));
}

/** Stores an entry. `from` is the status it was read with; false when it is another one by now. */
export async function putEntry(
  tx: Tx,
  input: {
    readonly userId: string;
    readonly from: EligibilityStatus;
    readonly entry: EntryRow;
    readonly now: Date;
  },
): Promise<boolean> {
  const { userId, from, entry, now } = input;
  const { type, status } = entry;
  const row = {
    user_id: userId,
    type,
    status,
    review_id: entry.reviewId ?? null,
    basis: entry.basis ?? null,
  };
  const { rowCount } = await tx.query({
    name: 'identity-put-entry',
    text: `insert into identity_entries as e (user_id, type, status, review_id, basis, requested_documents, outdated_uploads, updated_at, mac)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $10)
      on conflict (user_id, type) do update set status = excluded.status, review_id = excluded.review_id, basis = excluded.basis,
        requested_documents = excluded.requested_documents, outdated_uploads = excluded.outdated_uploads, updated_at = excluded.updated_at, mac = excluded.mac
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
      rowMacsOf(tx).seal(sealedEntry(row)),
    ],
  });
  return rowCount === 1;
}

export type ReviewStatus =
  | 'active'
  | 'passed'
  | 'refused'
  | 'document-requested'
  | 'expired'
  | 'superseded'
  | 'failed';

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

type RawReview = RowOf<ReviewRow> & { readonly mac: string | null };

const reviewColumns =
  'id, project_id, user_id, level, provider, inquiry_id, status, created_at, mac';

/** Whom an inquiry of the company is about, and whether its end still counts. */
function sealedReview(row: Omit<RawReview, 'mac' | 'created_at'>): SealedRow {
  const fields = fieldsOf(row, 'project_id, user_id, level, provider, inquiry_id, status');
  return { table: 'identity_reviews', id: row.id, fields };
}

export const sealedReviews: SealedTable = {
  table: 'identity_reviews',
  columns: reviewColumns,
  toSealed: sealedReview,
};

/** @throws internal-error when it was changed behind the service */
function readReview(db: Db, row: RawReview): ReviewRow {
  rowMacsOf(db).check(sealedReview(row), row.mac);
  return toReview(row);
}

const toReview = (row: RawReview) => readRow<ReviewRow>(row);

export async function insertReview(
  tx: Tx,
  row: Omit<ReviewRow, 'status' | 'inquiryId'>,
): Promise<void> {
  const { id, projectId: project_id, userId: user_id, level, provider } = row;
  const sealed = sealedReview({
    id,
    project_id,
    user_id,
    level,
    provider,
    inquiry_id: null,
    status: 'active',
  });
  await tx.query({
    name: 'identity-insert-review',
    text: `insert into identity_reviews (id, project_id, user_id, level, provider, status, created_at, mac) values ($1, $2, $3, $4, $5, 'active', $6, $7)`,
    values: [
      row.id,
      row.projectId,
      row.userId,
      row.level,
      row.provider,
      row.createdAt,
      rowMacsOf(tx).seal(sealed),
    ],
  });
}

export async function selectReview(db: Db, id: string): Promise<ReviewRow | undefined> {
  const { rows } = await db.query<RawReview>({
    name: 'identity-review',
    text: `select ${reviewColumns} from identity_reviews where id = $1`,
    values: [id],
  });
  return rows[0] && readReview(db, rows[0]);
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
  return rows[0] && readReview(db, rows[0]);
}

/** Reviews of users, the newest first. */
export async function selectReviewsOfUsers(
  db: Db,
  userIds: readonly string[],
): Promise<ReviewRow[]> {
  const { rows } = await db.query<RawReview>({
    name: 'identity-reviews-of-users',
    text: `select ${reviewColumns} from identity_reviews where user_id = any($1::uuid[]) order by created_at desc limit 1000`,
    values: [userIds],
  });
  return rows.map((row) => readReview(db, row));
}

/** Keeps the company's id of an inquiry; false when the review has another one already. */
export async function setInquiry(
  tx: Tx,
  input: { readonly reviewId: string; readonly inquiryId: string },
): Promise<boolean> {
  const row = await lockReview(tx, input.reviewId);
  if (!row || (row.inquiry_id !== null && row.inquiry_id !== input.inquiryId)) return false;
  await changeReview(tx, row, { inquiry_id: input.inquiryId, ended_at: null });
  return true;
}

async function lockReview(
  tx: Tx,
  id: string,
): Promise<(RawReview & { ended_at: Date | null }) | undefined> {
  const { rows } = await tx.query<RawReview & { ended_at: Date | null }>({
    name: 'identity-lock-review',
    text: `select ${reviewColumns}, ended_at from identity_reviews where id = $1 for update`,
    values: [id],
  });
  return rows[0];
}

/** One that was changed behind the service stays one that does not fit. */
async function changeReview(
  tx: Tx,
  row: RawReview,
  change: Partial<RawReview> & { readonly ended_at: Date | null },
): Promise<void> {
  const next = { ...row, ...change };
  const mac = sealAgain(
    rowMacsOf(tx),
    { row: sealedReview(row), mac: row.mac },
    sealedReview(next),
  );
  await tx.query({
    name: 'identity-change-review',
    text: 'update identity_reviews set inquiry_id = $2, status = $3, ended_at = $4, mac = $5 where id = $1',
    values: [row.id, next.inquiry_id, next.status, next.ended_at, mac],
  });
}

/** False when the review has ended already. */
export async function endReview(
  tx: Tx,
  input: {
    readonly id: string;
    readonly status: Exclude<ReviewStatus, 'active'>;
    readonly now: Date;
  },
): Promise<boolean> {
  const row = await lockReview(tx, input.id);
  if (row?.status !== 'active') return false;
  await changeReview(tx, row, { status: input.status, ended_at: input.now });
  return true;
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

export async function deleteOldCallbacks(
  db: Db,
  input: { readonly before: Date; readonly limit: number },
): Promise<void> {
  await db.query({
    text: `delete from identity_callbacks where (provider, event_id) in
      (select provider, event_id from identity_callbacks where received_at < $1 order by received_at limit $2)`,
    values: [input.before, input.limit],
  });
}

interface SettingRow {
  readonly project_id: string;
  readonly enabled: boolean;
  readonly mac: string | null;
}

const sealedSetting = ({ project_id: id, enabled }: Omit<SettingRow, 'mac'>): SealedRow => ({
  table: 'identity_projects',
  id,
  fields: { enabled },
});

export const sealedIdentitySettings: SealedTable = {
  table: 'identity_projects',
  idColumn: 'project_id',
  columns: 'project_id, enabled, mac',
  toSealed: sealedSetting,
};

/** Undefined: nobody said. @throws internal-error when it was changed behind the service */
export async function selectProductSetting(
  db: Db,
  projectId: string,
): Promise<boolean | undefined> {
  const { rows } = await db.query<SettingRow>({
    name: 'identity-project',
    text: 'select project_id, enabled, mac from identity_projects where project_id = $1',
    values: [projectId],
  });
  const [row] = rows;
  if (row) rowMacsOf(db).check(sealedSetting(row), row.mac);
  return row?.enabled;
}

export async function putProductSetting(
  db: Db,
  row: { readonly projectId: string; readonly enabled: boolean; readonly now: Date },
): Promise<void> {
  await db.query({
    text: `insert into identity_projects (project_id, enabled, updated_at, mac) values ($1, $2, $3, $4)
      on conflict (project_id) do update set enabled = excluded.enabled, updated_at = excluded.updated_at, mac = excluded.mac`,
    values: [
      row.projectId,
      row.enabled,
      row.now,
      rowMacsOf(db).seal(sealedSetting({ project_id: row.projectId, enabled: row.enabled })),
    ],
  });
}
