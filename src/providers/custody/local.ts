import { type Clock, systemClock } from '../../lib/clock.ts';
import { SigningRefusedError } from '../../lib/errors.ts';
import { type Ids, systemIds } from '../../lib/id.ts';
import type { SealContext, Sealer } from '../../lib/sealing/seal.ts';
import type { Db, Store, Tx } from '../../store/types.ts';
import { makeSecret, type OpenedKey, openKey } from './curve-keys.ts';
import type { Curve, CustodyKey, CustodyProvider, KeyName, SignInput } from './custody.ts';
import { createKeyCache } from './key-cache.ts';
import { rewrapProjectSecrets } from './project-secret.ts';

/**
 * Custody in software: secrets lie in `custody_keys`, sealed by the key-encryption key, and are
 * opened in this process.
 *
 * An opened key stays in memory for a minute, 1,000 of them at most, because a project signs with
 * one key thousands of times a second and each opening costs a read and two decryptions. Who can
 * read this process's memory can read the key-encryption key too, so the cache gives nothing away
 * that was not there. A deleted key signs for that minute.
 */

export interface LocalCustodyOptions {
  readonly sealer: Sealer;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Opened keys held in memory at once; 1,000 when absent. */
  readonly cacheSizeMax?: number;
  /** For how long; a minute when absent. */
  readonly cacheTtlMs?: number;
}

interface KeyRow {
  readonly id: string;
  readonly project_id: string;
  readonly curve: Curve;
  readonly purpose: string;
  /** `project`, or the id of a wallet. */
  readonly subject: string;
  readonly public_key: Buffer;
  readonly sealed_secret: Buffer;
}

interface RowName extends Pick<KeyRow, 'project_id' | 'curve' | 'purpose' | 'subject'> {}

interface HeldKey extends OpenedKey {
  readonly keyId: string;
  readonly name: RowName;
}

/** Subject of keys that sign for each wallet of their project that names them. */
const wholeProject = 'project';

const purposePattern = /^[a-z][a-z0-9-]{0,31}$/;
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/**
 * A row that refuses ours and is gone when we look was deleted in between; more often than this is
 * no coincidence.
 */
const createAttemptsMax = 3;
const columns = 'id, project_id, curve, purpose, subject, public_key, sealed_secret';

export function createLocalCustody(options: LocalCustodyOptions): CustodyProvider {
  const {
    sealer,
    clock = systemClock,
    ids = systemIds,
    cacheSizeMax = 1_000,
    cacheTtlMs = 60_000,
  } = options;
  const byId = createKeyCache<HeldKey>({ clock, sizeMax: cacheSizeMax, ttlMs: cacheTtlMs });
  const byName = createKeyCache<HeldKey>({ clock, sizeMax: cacheSizeMax, ttlMs: cacheTtlMs });
  const loading = new Map<string, Promise<HeldKey>>();

  /**
   * A key seen inside a transaction may never have existed: it is remembered once that has
   * committed.
   */
  const remember = (db: Db, key: HeldKey) => {
    const keep = () => {
      byId.set(key.keyId, key);
      byName.set(textOf(key.name), key);
    };
    if (isTx(db)) db.afterCommit(keep);
    else keep();
  };

  const load = async (db: Db, find: () => Promise<KeyRow>): Promise<HeldKey> => {
    const row = await find();
    const key = { keyId: row.id, name: nameOfRow(row), ...openRow(sealer, row) };
    remember(db, key);
    return key;
  };

  /**
   * Callers that want the same key at the same moment share one read; those in a transaction see
   * their own rows only.
   */
  const loadOnce = (db: Db, key: string, find: () => Promise<KeyRow>): Promise<HeldKey> => {
    if (isTx(db)) return load(db, find);
    const underWay = loading.get(key);
    if (underWay) return underWay;
    const started = load(db, find).finally(() => loading.delete(key));
    loading.set(key, started);
    return started;
  };

  return {
    opens: () => true,
    async ensureKey(db, input) {
      if (!purposePattern.test(input.purpose))
        throw new Error(
          `Not a purpose of a custody key: ${JSON.stringify(input.purpose.slice(0, 40))}`,
        );
      const name = rowNameOf(input);
      const text = textOf(name);
      const key =
        byName.get(text) ??
        (await loadOnce(db, text, () => selectOrInsert(db, name, { sealer, clock, ids })));
      return { keyId: key.keyId, publicKey: Uint8Array.from(key.publicKey) } satisfies CustodyKey;
    },
    async sign(db, input) {
      const { keyId, bytes } = input;
      const key = byId.get(keyId) ?? (await loadOnce(db, keyId, () => requireRow(db, keyId)));
      requireUse(key, input);
      return key.sign(bytes);
    },
  };
}

/**
 * Moves every custody key and project secret to the first key-encryption key, so that an older one
 * can be removed from the configuration; keys of treasuries with the ring that seals them, and all
 * the others with theirs. May run beside everything else, and again after an interruption.
 * @returns how many were moved
 */
export async function rewrapCustodyKeys(
  store: Store,
  {
    sealer,
    treasurySealer,
    batchSizeMax = 200,
  }: { readonly sealer: Sealer; readonly treasurySealer?: Sealer; readonly batchSizeMax?: number },
): Promise<number> {
  let moved = 0;
  const batches = [
    (tx: Tx) => rewrapBatch(tx, { sealer, isTreasury: false, batchSizeMax }),
    (tx: Tx) => rewrapProjectSecrets(tx, sealer, batchSizeMax),
    ...(treasurySealer
      ? [(tx: Tx) => rewrapBatch(tx, { sealer: treasurySealer, isTreasury: true, batchSizeMax })]
      : []),
  ];
  for (const rewrap of batches) {
    for (let count = batchSizeMax; count === batchSizeMax; moved += count)
      count = await store.transaction(rewrap);
  }
  return moved;
}

async function rewrapBatch(
  tx: Tx,
  {
    sealer,
    isTreasury,
    batchSizeMax,
  }: { readonly sealer: Sealer; readonly isTreasury: boolean; readonly batchSizeMax: number },
): Promise<number> {
  const { rows } = await tx.query<KeyRow>({
    text: `select ${columns} from custody_keys where sealed_by <> $1 and (purpose = 'treasury') = $3 order by sealed_by, id limit $2 for update`,
    values: [sealer.keyId, batchSizeMax, isTreasury],
  });
  if (rows.length === 0) return 0;
  const sealed = rows.map((row) => sealer.rewrap(row.sealed_secret, contextOf(row)));
  await tx.query({
    text: 'update custody_keys set sealed_secret = moved.sealed_secret, sealed_by = $3 from unnest($1::uuid[], $2::bytea[]) as moved (id, sealed_secret) where custody_keys.id = moved.id',
    values: [rows.map((row) => row.id), sealed, sealer.keyId],
  });
  return rows.length;
}

async function selectOrInsert(
  db: Db,
  name: RowName,
  tools: { readonly sealer: Sealer; readonly clock: Clock; readonly ids: Ids },
): Promise<KeyRow> {
  for (let attempt = 0; attempt < createAttemptsMax; attempt++) {
    const row = (await selectByName(db, name)) ?? (await insertKey(db, name, tools));
    if (row) return row;
  }
  throw new Error(
    `The custody key of purpose "${name.purpose}" could not be created in ${createAttemptsMax} attempts.`,
  );
}

async function selectByName(db: Db, name: RowName): Promise<KeyRow | undefined> {
  const { rows } = await db.query<KeyRow>({
    name: 'custody-key-by-name',
    text: `select ${columns} from custody_keys where project_id = $1 and curve = $2 and purpose = $3 and subject = $4`,
    values: [name.project_id, name.curve, name.purpose, name.subject],
  });
  return rows[0];
}

/** Undefined when somebody else's key came first. */
async function insertKey(
  db: Db,
  name: RowName,
  { sealer, clock, ids }: { readonly sealer: Sealer; readonly clock: Clock; readonly ids: Ids },
): Promise<KeyRow | undefined> {
  const id = ids.uuid();
  const secret = makeSecret(name.curve, (count) => ids.bytes(count));
  try {
    const { publicKey } = openKey(name.curve, secret);
    const sealedSecret = sealer.seal(secret, contextOf({ ...name, id }));
    const { rows } = await db.query<KeyRow>({
      name: 'custody-key-insert',
      text: `insert into custody_keys (id, project_id, curve, purpose, subject, public_key, sealed_secret, sealed_by, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict on constraint custody_keys_one_per_subject do nothing returning ${columns}`,
      values: [
        id,
        name.project_id,
        name.curve,
        name.purpose,
        name.subject,
        Buffer.from(publicKey),
        sealedSecret,
        sealer.keyId,
        clock.now(),
      ],
    });
    return rows[0];
  } finally {
    secret.fill(0);
  }
}

async function requireRow(db: Db, keyId: string): Promise<KeyRow> {
  if (!uuidPattern.test(keyId)) throw new Error('Not the id of a custody key.');
  const { rows } = await db.query<KeyRow>({
    name: 'custody-key-by-id',
    text: `select ${columns} from custody_keys where id = $1`,
    values: [keyId],
  });
  if (!rows[0]) throw new Error(`There is no custody key ${keyId}.`);
  return rows[0];
}

/**
 * Who can write to the table must not be able to put his own public key there: wallets would be
 * made for him.
 */
function openRow(sealer: Sealer, row: KeyRow): OpenedKey {
  const secret = sealer.open(row.sealed_secret, contextOf(row));
  try {
    const key = openKey(row.curve, secret);
    if (!Buffer.from(key.publicKey).equals(row.public_key))
      throw new Error(
        `The public key of custody key ${row.id} does not belong to its secret: the row was changed.`,
      );
    return key;
  } finally {
    secret.fill(0);
  }
}

/**
 * A row under another project, purpose or wallet does not open; so what {@link requireUse} compares
 * is what the key was made for.
 */
function contextOf(row: RowName & Pick<KeyRow, 'id'>): SealContext {
  const bound = row.subject === wholeProject ? '' : `:${row.subject}`;
  return {
    purpose: `custody-key:${row.curve}:${row.purpose}${bound}`,
    projectId: row.project_id,
    id: row.id,
    version: 1,
  };
}

/** @throws SigningRefusedError when the key is for something else */
function requireUse({ keyId, name }: HeldKey, { projectId, purpose, walletId }: SignInput): void {
  const isFor = name.subject === wholeProject || name.subject === walletId;
  if (name.project_id === projectId && name.purpose === purpose && isFor) return;
  throw new SigningRefusedError(
    `Custody key ${keyId} does not sign for purpose "${purpose}" of wallet ${walletId} in project ${projectId}: it is for "${name.purpose}" of ${
      name.subject === wholeProject ? 'the wallets' : `wallet ${name.subject}`
    } in project ${name.project_id}.`,
  );
}

function rowNameOf({
  projectId,
  curve,
  purpose,
  walletId,
}: KeyName & { readonly curve: Curve }): RowName {
  return { project_id: projectId, curve, purpose, subject: walletId ?? wholeProject };
}

/** Without the sealed secret, which need not stay in memory. */
function nameOfRow({ project_id, curve, purpose, subject }: KeyRow): RowName {
  return { project_id, curve, purpose, subject };
}

function textOf(name: RowName): string {
  return `${name.project_id}:${name.curve}:${name.purpose}:${name.subject}`;
}

function isTx(db: Db): db is Tx {
  return 'afterCommit' in db;
}
