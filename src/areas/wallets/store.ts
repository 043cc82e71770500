import type { ChainType, Signer, TransferScope, WalletType } from '../../chains/family.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { rowMacsOf, type SealedRow, type SealedTable } from '../../store/row-mac.ts';
import { fieldsOf, type RowOf, readRow, valueListsOf } from '../../store/rows.ts';
import type { Db } from '../../store/types.ts';
import { storeScope } from './delegates-store.ts';

/** A wallet as the database keeps it. */
export interface WalletRecord {
  readonly id: string;
  readonly projectId: string;
  readonly chainType: ChainType;
  readonly type: WalletType;
  readonly address: string;
  readonly owner?: string;
  readonly alias?: string;
  readonly adminSigner: Signer;
  /**
   * All ways to recover it, `adminSigner` first; absent when that is the only one and no quorum.
   */
  readonly recoveryMethods?: readonly Signer[];
  /** Whether it has, or had, delegated signers. */
  readonly hasDelegates?: boolean;
  /** `treasury`: belongs to the orders of its project, which alone move what is in it. */
  readonly purpose?: WalletPurpose;
  readonly setup: JsonObject;
  readonly createdAt: Date;
}

export type WalletPurpose = 'treasury';

export interface NewWallet extends WalletRecord {
  readonly addressKey: string;
  readonly ownerKey?: string;
  /** Delegated signers of its set-up. */
  readonly delegates?: readonly NewDelegate[];
}

export interface NewDelegate {
  readonly id: string;
  readonly signerKey: string;
  readonly keyId: string;
  readonly signer: Signer;
  readonly expiresAt?: Date;
  readonly scopes: readonly TransferScope[];
  readonly asked: JsonObject;
}

interface WalletRow extends RowOf<WalletRecord> {
  readonly address_key: string;
  readonly owner_key: string | null;
  readonly has_delegates: boolean;
  readonly mac: string | null;
}

const sealedColumns =
  'id, project_id, chain_type, type, address, address_key, owner, owner_key, alias, admin_signer, recovery_methods, purpose, setup, mac';
const columns = `${sealedColumns}, created_at,
  exists (select 1 from wallet_signers s where s.wallet_id = wallets.id) as has_delegates`;

/** Whose the wallet is, where it is and who signs for it: all of a row but its age. */
function sealedRow(row: Omit<WalletRow, 'created_at' | 'has_delegates' | 'mac'>): SealedRow {
  const fields = fieldsOf(
    row,
    'project_id, chain_type, type, address, address_key, owner, owner_key, alias, purpose, admin_signer, recovery_methods, setup',
  );
  return { table: 'wallets', id: row.id, fields };
}

export const sealedWallets: SealedTable = {
  table: 'wallets',
  columns: sealedColumns,
  toSealed: sealedRow,
};

/** @throws internal-error when the row was changed behind the service */
function toRecord(db: Db, row: WalletRow): WalletRecord {
  rowMacsOf(db).check(sealedRow(row), row.mac);
  return recordOf(row);
}

function recordOf({ address_key: _key, owner_key: _owner, ...row }: WalletRow): WalletRecord {
  return readRow<WalletRecord>(row);
}

const newColumns =
  'id, project_id, chain_type, type, address, address_key, owner, owner_key, alias, admin_signer, recovery_methods, setup, created_at, purpose';
const insertText = `insert into wallets (${newColumns}, mac)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::jsonb[], $11::jsonb[], $12::jsonb[], $13::timestamptz[], $14::text[], $15::text[])
  on conflict do nothing returning id`;

/**
 * The delegates of the wallets that were inserted, in the same statement: a wallet is never seen
 * without them.
 */
const insertWithDelegatesText = `with inserted as (${insertText}), delegates as (
    insert into wallet_signers (id, wallet_id, signer_key, key_id, signer, with_wallet, expires_at, scopes, asked, created_at, check_at)
    select d.id, d.wallet_id, d.signer_key, d.key_id, d.signer, true, d.expires_at, d.scopes, d.asked, d.created_at, d.created_at + interval '1 hour'
    from unnest($16::uuid[], $17::uuid[], $18::text[], $19::text[], $20::jsonb[], $21::timestamptz[], $22::jsonb[], $23::jsonb[], $24::timestamptz[])
      as d(id, wallet_id, signer_key, key_id, signer, expires_at, scopes, asked, created_at)
    join inserted on inserted.id = d.wallet_id)
  select id from inserted`;

/**
 * Inserts what does not collide, in one statement. Answers the ids that were inserted; the others
 * lost to a unique index (same owner, type and alias, same address, or same id), also when the
 * winner stands in the same call.
 */
export async function insertWallets(
  db: Db,
  wallets: readonly NewWallet[],
): Promise<ReadonlySet<string>> {
  const delegates = wallets.flatMap((wallet) =>
    (wallet.delegates ?? []).map((delegate) => ({ ...delegate, wallet })),
  );
  const values = [
    ...valueListsOf(wallets, newColumns),
    wallets.map((w) => rowMacsOf(db).seal(sealedRow(rowOf(w)))),
  ];
  const { rows } = await db.query<{ id: string }>(
    delegates.length === 0
      ? { name: 'wallets-insert', text: insertText, values }
      : {
          name: 'wallets-insert-delegates',
          text: insertWithDelegatesText,
          values: [...values, ...delegateValues(delegates)],
        },
  );
  return new Set(rows.map((row) => row.id));
}

function rowOf(wallet: NewWallet): Parameters<typeof sealedRow>[0] {
  return {
    id: wallet.id,
    project_id: wallet.projectId,
    chain_type: wallet.chainType,
    type: wallet.type,
    address: wallet.address,
    address_key: wallet.addressKey,
    owner: wallet.owner ?? null,
    owner_key: wallet.ownerKey ?? null,
    alias: wallet.alias ?? null,
    admin_signer: wallet.adminSigner,
    recovery_methods: wallet.recoveryMethods ?? null,
    purpose: wallet.purpose ?? null,
    setup: wallet.setup,
  };
}

function delegateValues(
  delegates: readonly (NewDelegate & { readonly wallet: NewWallet })[],
): unknown[] {
  const columns =
    'id, wallet_id, signer_key, key_id, signer, expires_at, scopes, asked, created_at';
  return valueListsOf(
    delegates.map(({ wallet, ...delegate }) => ({
      ...delegate,
      walletId: wallet.id,
      scopes: delegate.scopes.map(storeScope),
      createdAt: wallet.createdAt,
    })),
    columns,
  );
}

export interface OwnedWalletKey {
  readonly projectId: string;
  readonly chainType: ChainType;
  readonly type: WalletType;
  /** Tried in order; the first that has a wallet wins. */
  readonly ownerKeys: readonly string[];
  readonly alias?: string;
}

export async function selectOwnedWallet(
  db: Db,
  key: OwnedWalletKey,
): Promise<WalletRecord | undefined> {
  const { rows } = await db.query<WalletRow>({
    name: 'wallets-by-owner',
    text: `select ${columns} from wallets
      where project_id = $1 and owner_key = any($2::text[]) and chain_type = $3 and type = $4 and coalesce(alias, '') = $5
      order by array_position($2::text[], owner_key) limit 1`,
    values: [key.projectId, key.ownerKeys, key.chainType, key.type, key.alias ?? ''],
  });
  return rows[0] && toRecord(db, rows[0]);
}

/** A wallet by its canonical address; `ownerKeys` narrows to the wallets of one user. */
export async function selectWalletByAddress(
  db: Db,
  key: { projectId: string; addressKey: string; ownerKeys?: readonly string[] },
): Promise<WalletRecord | undefined> {
  const { rows } = await db.query<WalletRow>({
    name: 'wallets-by-address',
    text: `select ${columns} from wallets where address_key = $1 and project_id = $2 and ($3::text[] is null or owner_key = any($3::text[])) limit 1`,
    values: [key.addressKey, key.projectId, key.ownerKeys ?? null],
  });
  return rows[0] && toRecord(db, rows[0]);
}

/**
 * Wallets of projects by canonical address, in one statement and in the order that they are asked
 * for.
 */
export async function selectWalletsByAddress(
  db: Db,
  keys: readonly { readonly projectId: string; readonly addressKey: string }[],
): Promise<(WalletRecord | undefined)[]> {
  const { rows } = await db.query<WalletRow & { place: string }>({
    name: 'wallets-by-addresses',
    text: `select asked.place, found.* from unnest($1::text[], $2::uuid[]) with ordinality as asked (address_key, project_id, place)
      cross join lateral (select ${columns} from wallets where address_key = asked.address_key and project_id = asked.project_id limit 1) as found`,
    values: [keys.map((key) => key.addressKey), keys.map((key) => key.projectId)],
  });
  const found = new Map(rows.map(({ place, ...row }) => [Number(place) - 1, toRecord(db, row)]));
  return keys.map((_key, index) => found.get(index));
}

export async function selectWalletById(db: Db, id: string): Promise<WalletRecord | undefined> {
  const { rows } = await db.query<WalletRow>({
    name: 'wallets-by-id',
    text: `select ${columns} from wallets where id = $1`,
    values: [id],
  });
  return rows[0] && toRecord(db, rows[0]);
}

/**
 * Wallets of projects, the newest first, behind a place; those that were changed behind the service
 * are marked.
 */
export async function selectWalletLines(
  db: Db,
  input: {
    readonly projectIds: readonly string[];
    readonly chainType?: ChainType | undefined;
    readonly find?: string | undefined;
    readonly before?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<{ readonly wallet: WalletRecord; readonly isChanged: boolean }[]> {
  const { projectIds, chainType, find, before, limit } = input;
  const { rows } = await db.query<WalletRow>({
    text: `select w.* from unnest($1::uuid[]) p (id) cross join lateral (
        select ${columns} from wallets where project_id = p.id and (created_at, id) < ($2::timestamptz, $3::uuid)
          and ($5::text is null or chain_type = $5)
          and ($6::text[] is null or address_key = any($6::text[]) or owner_key = any($6::text[]))
        order by created_at desc, id desc limit $4) w
      order by w.created_at desc, w.id desc limit $4`,
    values: [
      projectIds,
      before?.at ?? 'infinity',
      before?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      limit,
      chainType ?? null,
      find === undefined ? null : [find, find.toLowerCase()],
    ],
  });
  return rows.map((row) => ({
    wallet: recordOf(row),
    isChanged: !rowMacsOf(db).fits(sealedRow(row), row.mac),
  }));
}

/** Which of these canonical addresses are wallets of any project. */
export async function selectOwnAddresses(
  db: Db,
  chainType: ChainType,
  addressKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addressKeys.length === 0) return new Set();
  const { rows } = await db.query<{ address_key: string }>({
    name: 'wallets-own-addresses',
    text: 'select distinct address_key from wallets where address_key = any($1::text[]) and chain_type = $2',
    values: [addressKeys, chainType],
  });
  return new Set(rows.map((row) => row.address_key));
}

/**
 * Wallets of any project at these canonical addresses; a row that was changed raises its alarm and
 * is none.
 */
export async function selectWalletsAt(
  db: Db,
  chainType: ChainType,
  addressKeys: readonly string[],
): Promise<WalletRecord[]> {
  if (addressKeys.length === 0) return [];
  const { rows } = await db.query<WalletRow>({
    name: 'wallets-at',
    text: `select ${columns} from wallets where address_key = any($1::text[]) and chain_type = $2`,
    values: [addressKeys, chainType],
  });
  return rows.flatMap((row) => {
    try {
      return [toRecord(db, row)];
    } catch (error) {
      if (error instanceof ServiceError) return [];
      throw error;
    }
  });
}

/** The wallet of a project that its orders use on a family; undefined when there is none yet. */
export async function selectTreasuryWallet(
  db: Db,
  key: { projectId: string; chainType: ChainType },
): Promise<WalletRecord | undefined> {
  const { rows } = await db.query<WalletRow>({
    name: 'wallets-treasury',
    text: `select ${columns} from wallets where project_id = $1 and chain_type = $2 and purpose = 'treasury'`,
    values: [key.projectId, key.chainType],
  });
  return rows[0] && toRecord(db, rows[0]);
}

/** Projects that have no treasury on a family yet. */
export async function selectProjectsWithoutTreasury(
  db: Db,
  input: { chainType: ChainType; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'wallets-treasury-missing',
    text: `select id from projects p
      where not exists (select 1 from wallets w where w.project_id = p.id and w.chain_type = $1 and w.purpose = 'treasury') limit $2`,
    values: [input.chainType, input.limit],
  });
  return rows.map((row) => row.id);
}

/** Which of these canonical addresses are treasuries of any project. */
export async function selectTreasuryAddresses(
  db: Db,
  chainType: ChainType,
  addressKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addressKeys.length === 0) return new Set();
  const { rows } = await db.query<{ address_key: string }>({
    name: 'wallets-treasury-addresses',
    text: `select address_key from wallets where address_key = any($1::text[]) and chain_type = $2 and purpose = 'treasury'`,
    values: [addressKeys, chainType],
  });
  return new Set(rows.map((row) => row.address_key));
}
