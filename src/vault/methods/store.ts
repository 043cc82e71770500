import { ServiceError } from '../../lib/errors.ts';
import type { Db, Tx } from '../../store/types.ts';
import { readUserKey, type UserKey, type UserKeyColumns, userKeyColumns } from '../index.ts';
import type { PaymentMethodType } from './types.ts';

/** A payment method as the database keeps it. Sealed columns are empty once its user was erased. */
export interface MethodRecord {
  readonly id: string;
  readonly projectId: string;
  readonly type: PaymentMethodType;
  /** Of the sealed details. */
  readonly version: number;
  readonly accountVersion: number;
  readonly sealedDetails: Buffer;
  readonly isDefault: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastPayoutAt?: Date;
  /** Whose it is. May become another one while nobody holds the person's lock. */
  readonly personId: string;
  /** Read together with the record: a destroyed key has none. */
  readonly userKey: UserKey;
}

export interface NewMethod
  extends Omit<MethodRecord, 'isDefault' | 'userKey' | 'lastPayoutAt' | 'personId'> {
  readonly userKeyId: string;
  readonly sealedAccount: Buffer;
  readonly fingerprint: Buffer;
}

interface Row extends UserKeyColumns {
  id: string;
  project_id: string;
  type: PaymentMethodType;
  version: number;
  account_version: number;
  sealed_details: Buffer;
  is_default: boolean;
  created_at: Date;
  updated_at: Date;
  last_payout_at: Date | null;
  person_id: string;
}

const columns = `m.id, m.project_id, m.type, m.version, m.account_version, m.sealed_details, m.is_default, m.created_at, m.updated_at, m.last_payout_at, m.person_id, ${userKeyColumns}`;
const source =
  'payment_methods m join user_keys k on k.id = m.user_key_id and k.destroyed_at is null';

function readRow(row: Row): MethodRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    type: row.type,
    version: row.version,
    accountVersion: row.account_version,
    sealedDetails: row.sealed_details,
    isDefault: row.is_default,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastPayoutAt: row.last_payout_at ?? undefined,
    personId: row.person_id,
    userKey: readUserKey(row),
  };
}

export interface Inserted {
  /** The first method of a person becomes the default. */
  readonly isDefault: boolean;
  /** Another user of the project has the same account. */
  readonly isShared: boolean;
}

/**
 * Inserts methods of persons that are locked. Absent from the answer, by id: those whose person has
 * the account already, or `liveMax` methods. Two first methods of one person in one call violate
 * the default's index.
 */
export async function insertMethods(
  tx: Tx,
  methods: readonly (NewMethod & { readonly personId: string })[],
  liveMax: number,
): Promise<ReadonlyMap<string, Inserted>> {
  const { rows } = await tx.query<{ id: string; is_default: boolean; is_shared: boolean }>({
    name: 'payment-methods-insert',
    text: `insert into payment_methods as m
             (id, project_id, user_key_id, person_id, type, version, sealed_details, account_version, sealed_account, fingerprint, is_default,
              created_at, updated_at)
           select n.id, n.project_id, n.user_key_id, n.person_id, n.type, 1, n.sealed_details, 1, n.sealed_account, n.fingerprint,
             have.default_count = 0, n.created_at, n.created_at
           from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bytea[], $6::bytea[], $7::bytea[], $8::timestamptz[],
                       $9::uuid[])
                as n(id, project_id, user_key_id, type, sealed_details, sealed_account, fingerprint, created_at, person_id),
             lateral (select count(*) as live_count, count(*) filter (where p.is_default) as default_count
                      from payment_methods p where p.person_id = n.person_id and p.deleted_at is null) have
           where have.live_count < $10
           on conflict (person_id, fingerprint) where deleted_at is null do nothing
           returning id, is_default, exists (select 1 from payment_methods o where o.project_id = m.project_id
             and o.fingerprint = m.fingerprint and o.person_id <> m.person_id and o.deleted_at is null) as is_shared`,
    values: [
      methods.map((method) => method.id),
      methods.map((method) => method.projectId),
      methods.map((method) => method.userKeyId),
      methods.map((method) => method.type),
      methods.map((method) => method.sealedDetails),
      methods.map((method) => method.sealedAccount),
      methods.map((method) => method.fingerprint),
      methods.map((method) => method.createdAt),
      methods.map((method) => method.personId),
      liveMax,
    ],
  });
  return new Map(
    rows.map((row) => [row.id, { isDefault: row.is_default, isShared: row.is_shared }]),
  );
}

/**
 * The live method of an id, if it is the project's and, where owners are given, of one of those
 * persons. The id of a method that was found to be the same account as another one's leads to that
 * one.
 */
export async function selectMethod(
  db: Db,
  input: {
    readonly projectId: string;
    readonly id: string;
    readonly ownerRefs?: readonly Buffer[];
  },
): Promise<MethodRecord | undefined> {
  const { rows } = await db.query<Row>({
    name: 'payment-method-by-id',
    text: `select ${columns} from ${source}
           where m.id = coalesce((select d.merged_into from payment_methods d where d.id = $1 and d.project_id = $2), $1)
             and m.project_id = $2 and m.deleted_at is null
             and ($3::bytea[] is null or m.person_id in (select o.person_id from owners o where o.project_id = $2 and o.owner_ref = any($3)))`,
    values: [input.id, input.projectId, input.ownerRefs ?? null],
  });
  return rows[0] && readRow(rows[0]);
}

export async function selectByFingerprint(
  db: Db,
  input: { personId: string; fingerprint: Buffer },
): Promise<MethodRecord | undefined> {
  const { rows } = await db.query<Row>({
    name: 'payment-method-by-fingerprint',
    text: `select ${columns} from ${source} where m.person_id = $1 and m.fingerprint = $2 and m.deleted_at is null`,
    values: [input.personId, input.fingerprint],
  });
  return rows[0] && readRow(rows[0]);
}

/** Where a list goes on: behind this method, newest first. */
export interface ListPlace {
  readonly createdAt: Date;
  readonly id: string;
}

/** Live methods of the persons of these owners, newest first. */
export async function selectMethods(
  db: Db,
  input: {
    readonly projectId: string;
    readonly ownerRefs: readonly Buffer[];
    readonly type?: PaymentMethodType;
    readonly after?: ListPlace;
    readonly limit: number;
  },
): Promise<MethodRecord[]> {
  const { rows } = await db.query<Row>({
    name: 'payment-methods-of-owners',
    text: `select ${columns} from ${source}
           where m.person_id in (select o.person_id from owners o where o.project_id = $1 and o.owner_ref = any($2::bytea[]))
             and m.deleted_at is null and ($3::text is null or m.type = $3)
             and ($4::timestamptz is null or (m.created_at, m.id) < ($4, $5::uuid))
           order by m.created_at desc, m.id desc limit $6`,
    values: [
      input.projectId,
      input.ownerRefs,
      input.type ?? null,
      input.after?.createdAt ?? null,
      input.after?.id ?? null,
      input.limit,
    ],
  });
  return rows.map(readRow);
}

/**
 * Sealed details of the next version. False when the method was changed or deleted since it was
 * read.
 */
export async function updateDetails(
  tx: Tx,
  input: {
    readonly id: string;
    readonly fromVersion: number;
    readonly sealedDetails: Buffer;
    readonly at: Date;
  },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'payment-method-update-details',
    text: `update payment_methods set version = $2 + 1, sealed_details = $3, updated_at = $4
           where id = $1 and version = $2 and deleted_at is null`,
    values: [input.id, input.fromVersion, input.sealedDetails, input.at],
  });
  return rowCount > 0;
}

/**
 * Sealed number of the next version, with its fingerprint. False when it was changed or deleted
 * since it was read.
 */
export async function updateAccount(
  tx: Tx,
  input: {
    readonly id: string;
    readonly fromVersion: number;
    readonly sealedAccount: Buffer;
    readonly fingerprint: Buffer;
    readonly at: Date;
  },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'payment-method-update-account',
    text: `update payment_methods set account_version = $2 + 1, sealed_account = $3, fingerprint = $4, updated_at = $5
           where id = $1 and account_version = $2 and deleted_at is null`,
    values: [input.id, input.fromVersion, input.sealedAccount, input.fingerprint, input.at],
  });
  return rowCount > 0;
}

/** One account with several users of a project. */
export interface SharedAccount {
  readonly projectId: string;
  readonly type: PaymentMethodType;
  readonly paymentMethodIds: readonly string[];
  readonly newestAt: Date;
}

/**
 * Accounts that several users of a project have, the newest such first. Each names at most 20
 * methods.
 */
export async function selectSharedAccounts(db: Db, limit: number): Promise<SharedAccount[]> {
  const { rows } = await db.query<{
    project_id: string;
    type: PaymentMethodType;
    ids: string[];
    newest_at: Date;
  }>({
    text: `select project_id, min(type) as type, (array_agg(id::text order by created_at, id))[1:20] as ids, max(created_at) as newest_at
           from payment_methods where deleted_at is null and fingerprint is not null
           group by project_id, fingerprint having count(distinct person_id) > 1 order by max(created_at) desc limit $1`,
    values: [limit],
  });
  return rows.map((row) => ({
    projectId: row.project_id,
    type: row.type,
    paymentMethodIds: row.ids,
    newestAt: row.newest_at,
  }));
}

/**
 * The account of a live method: its keyed hash, and since when its person has it, also under a
 * method that was deleted meanwhile.
 */
export async function selectDestination(
  db: Db,
  id: string,
): Promise<{ readonly destination: Buffer; readonly since: Date }> {
  const { rows } = await db.query<{ destination: Buffer; since: Date }>({
    name: 'payment-method-destination',
    text: `select m.fingerprint as destination, least(m.created_at, (select min(o.created_at) from payment_methods o
             where o.project_id = m.project_id and o.fingerprint = m.fingerprint and o.person_id = m.person_id)) as since
           from payment_methods m where m.id = $1 and m.fingerprint is not null`,
    values: [id],
  });
  if (rows[0] === undefined) throw new ServiceError('payment-method-not-found');
  return rows[0];
}

/** The number's column by itself: read only where a number leaves or is sealed anew. */
export async function selectSealedAccount(db: Db, id: string): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ sealed_account: Buffer }>({
    name: 'payment-method-account',
    text: 'select sealed_account from payment_methods where id = $1 and deleted_at is null',
    values: [id],
  });
  return rows[0]?.sealed_account;
}

/** Makes a live method the only default of its person, who is locked. */
export async function moveDefault(
  tx: Tx,
  input: { readonly personId: string; readonly id: string; readonly at: Date },
): Promise<void> {
  await tx.query({
    name: 'payment-method-default-clear',
    text: `update payment_methods set is_default = false, updated_at = $3
           where person_id = $1 and id <> $2 and is_default and deleted_at is null`,
    values: [input.personId, input.id, input.at],
  });
  await tx.query({
    name: 'payment-method-default-set',
    text: 'update payment_methods set is_default = true, updated_at = $2 where id = $1 and not is_default and deleted_at is null',
    values: [input.id, input.at],
  });
}

/**
 * Soft deletion: the sealed record stays for compliance and no route finds it. False when it was
 * deleted already.
 */
export async function markDeleted(
  tx: Tx,
  input: { readonly id: string; readonly at: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'payment-method-delete',
    text: 'update payment_methods set deleted_at = $2, updated_at = $2, is_default = false where id = $1 and deleted_at is null',
    values: [input.id, input.at],
  });
  return rowCount > 0;
}

/** The live method that a person has had for the longest time. */
export async function selectOldest(tx: Tx, personId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'payment-method-oldest',
    text: 'select id from payment_methods where person_id = $1 and deleted_at is null order by created_at, id limit 1',
    values: [personId],
  });
  return rows[0]?.id;
}

/** Notes a successful payout; an earlier instant than the known one changes nothing. */
export async function setLastPayout(
  db: Db,
  input: { readonly projectId: string; readonly id: string; readonly at: Date },
): Promise<void> {
  await db.query({
    name: 'payment-method-payout',
    text: `update payment_methods set last_payout_at = greatest(last_payout_at, $3)
           where project_id = $2 and id = coalesce((select merged_into from payment_methods where id = $1 and project_id = $2), $1)`,
    values: [input.id, input.projectId, input.at],
  });
}
