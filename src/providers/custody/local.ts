import { type Clock, systemClock } from '../../lib/clock.ts';
import { type Ids, systemIds } from '../../lib/id.ts';
import type { SealContext, Sealer } from '../../lib/seal.ts';
import type { Db, Store, Tx } from '../../store/types.ts';
import { makeSecret, type OpenedKey, openKey } from './curve-keys.ts';
import type { Curve, CustodyKey, CustodyProvider } from './custody.ts';
import { createKeyCache } from './key-cache.ts';
import { rewrapProjectSecrets } from './project-secret.ts';

/**
 * Custody in software: secrets lie in `custody_keys`, sealed by the key-encryption key, and are opened in this process.
 *
 * An opened key stays in memory for a minute, 1,000 of them at most, because a project signs with one key thousands of
 * times a second and each opening costs a read and two decryptions. Who can read this process's memory can read the
 * key-encryption key too, so the cache gives nothing away that was not there. A deleted key signs for that minute.
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
  readonly public_key: Buffer;
  readonly sealed_secret: Buffer;
}

type KeyName = Parameters<CustodyProvider['ensureKey']>[1];

interface HeldKey extends OpenedKey {
  readonly keyId: string;
}

const purposePattern = /^[a-z][a-z0-9-]{0,31}$/;
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A row that refuses ours and is gone when we look was deleted in between; more often than this is no coincidence. */
const createAttemptsMax = 3;
const columns = 'id, project_id, curve, purpose, public_key, sealed_secret';

export function createLocalCustody(options: LocalCustodyOptions): CustodyProvider {
  const { sealer, clock = systemClock, ids = systemIds, cacheSizeMax = 1_000, cacheTtlMs = 60_000 } = options;
  const byId = createKeyCache<HeldKey>({ clock, sizeMax: cacheSizeMax, ttlMs: cacheTtlMs });
  const byName = createKeyCache<HeldKey>({ clock, sizeMax: cacheSizeMax, ttlMs: cacheTtlMs });
  const loading = new Map<string, Promise<HeldKey>>();

  /** A key seen inside a transaction may never have existed: it is remembered once that has committed. */
  const remember = (db: Db, name: string, key: HeldKey) => {
    const keep = () => {
      byId.set(key.keyId, key);
      byName.set(name, key);
    };
    if (isTx(db)) db.afterCommit(keep);
    else keep();
  };

  const load = async (db: Db, find: () => Promise<KeyRow>): Promise<HeldKey> => {
    const row = await find();
    const key = { keyId: row.id, ...openRow(sealer, row) };
    remember(db, nameOf({ projectId: row.project_id, curve: row.curve, purpose: row.purpose }), key);
    return key;
  };

  /** Callers that want the same key at the same moment share one read; those in a transaction see their own rows only. */
  const loadOnce = (db: Db, key: string, find: () => Promise<KeyRow>): Promise<HeldKey> => {
    if (isTx(db)) return load(db, find);
    const underWay = loading.get(key);
    if (underWay) return underWay;
    const started = load(db, find).finally(() => loading.delete(key));
    loading.set(key, started);
    return started;
  };

  return {
    async ensureKey(db, input) {
      if (!purposePattern.test(input.purpose))
        throw new Error(`Not a purpose of a custody key: ${JSON.stringify(input.purpose.slice(0, 40))}`);
      const name = nameOf(input);
      const key = byName.get(name) ?? (await loadOnce(db, name, () => selectOrInsert(db, input, { sealer, clock, ids })));
      return { keyId: key.keyId, publicKey: Uint8Array.from(key.publicKey) } satisfies CustodyKey;
    },
    async sign(db, { keyId, bytes }) {
      const key = byId.get(keyId) ?? (await loadOnce(db, keyId, () => requireRow(db, keyId)));
      return key.sign(bytes);
    },
  };
}

/**
 * Moves every custody key and project secret to the first key-encryption key, so that an older one can be removed from the
 * configuration. May run beside everything else, and again after an interruption.
 * @returns how many were moved
 */
export async function rewrapCustodyKeys(
  store: Store,
  { sealer, batchSizeMax = 200 }: { readonly sealer: Sealer; readonly batchSizeMax?: number },
): Promise<number> {
  let moved = 0;
  for (const rewrap of [rewrapBatch, rewrapProjectSecrets]) {
    for (let count = batchSizeMax; count === batchSizeMax; moved += count)
      count = await store.transaction((tx) => rewrap(tx, sealer, batchSizeMax));
  }
  return moved;
}

async function rewrapBatch(tx: Tx, sealer: Sealer, batchSizeMax: number): Promise<number> {
  const { rows } = await tx.query<KeyRow>({
    text: `select ${columns} from custody_keys where sealed_by <> $1 order by sealed_by, id limit $2 for update`,
    values: [sealer.keyId, batchSizeMax],
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
  name: KeyName,
  tools: { readonly sealer: Sealer; readonly clock: Clock; readonly ids: Ids },
): Promise<KeyRow> {
  for (let attempt = 0; attempt < createAttemptsMax; attempt++) {
    const row = (await selectByName(db, name)) ?? (await insertKey(db, name, tools));
    if (row) return row;
  }
  throw new Error(`The custody key of purpose "${name.purpose}" could not be created in ${createAttemptsMax} attempts.`);
}

async function selectByName(db: Db, { projectId, curve, purpose }: KeyName): Promise<KeyRow | undefined> {
  const { rows } = await db.query<KeyRow>({
    name: 'custody-key-by-name',
    text: `select ${columns} from custody_keys where project_id = $1 and curve = $2 and purpose = $3`,
    values: [projectId, curve, purpose],
  });
  return rows[0];
}

/** Undefined when somebody else's key came first. */
async function insertKey(
  db: Db,
  name: KeyName,
  { sealer, clock, ids }: { readonly sealer: Sealer; readonly clock: Clock; readonly ids: Ids },
): Promise<KeyRow | undefined> {
  const id = ids.uuid();
  const secret = makeSecret(name.curve, (count) => ids.bytes(count));
  try {
    const { publicKey } = openKey(name.curve, secret);
    const sealedSecret = sealer.seal(secret, contextOf({ id, project_id: name.projectId, curve: name.curve, purpose: name.purpose }));
    const { rows } = await db.query<KeyRow>({
      name: 'custody-key-insert',
      text: `insert into custody_keys (id, project_id, curve, purpose, public_key, sealed_secret, sealed_by, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict on constraint custody_keys_one_per_purpose do nothing returning ${columns}`,
      values: [id, name.projectId, name.curve, name.purpose, Buffer.from(publicKey), sealedSecret, sealer.keyId, clock.now()],
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

/** Who can write to the table must not be able to put his own public key there: wallets would be made for him. */
function openRow(sealer: Sealer, row: KeyRow): OpenedKey {
  const secret = sealer.open(row.sealed_secret, contextOf(row));
  try {
    const key = openKey(row.curve, secret);
    if (!Buffer.from(key.publicKey).equals(row.public_key))
      throw new Error(`The public key of custody key ${row.id} does not belong to its secret: the row was changed.`);
    return key;
  } finally {
    secret.fill(0);
  }
}

function contextOf(row: Pick<KeyRow, 'id' | 'project_id' | 'curve' | 'purpose'>): SealContext {
  return { purpose: `custody-key:${row.curve}:${row.purpose}`, projectId: row.project_id, id: row.id, version: 1 };
}

function nameOf({ projectId, curve, purpose }: KeyName): string {
  return `${projectId}:${curve}:${purpose}`;
}

function isTx(db: Db): db is Tx {
  return 'afterCommit' in db;
}
