import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createManualClock } from '../../lib/clock.ts';
import { createSealer, type KeyEncryptionKey } from '../../lib/sealing/seal.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { Db, Rows, Statement } from '../../store/types.ts';
import { testCustody } from './custody.contract.ts';
import { createLocalCustody, rewrapCustodyKeys } from './local.ts';

const aKek = (id: string): KeyEncryptionKey => ({
  id,
  key: new Secret<Uint8Array>(randomBytes(32)),
});
const kek = aKek('kek-1');
const sealer = createSealer([kek]);
const use = (name: { projectId: string; purpose: string; walletId?: string }, keyId: string) => ({
  keyId,
  projectId: name.projectId,
  purpose: name.purpose,
  walletId: name.walletId ?? randomUUID(),
  bytes: randomBytes(32),
});
const aName = () => ({ projectId: randomUUID(), curve: 'secp256k1' as const, purpose: 'api-key' });

testCustody('local', async () => {
  const database = await startTestDatabase();
  return {
    store: database.store,
    startProvider: () => createLocalCustody({ sealer }),
    close: () => database.close(),
  };
});

describe('local custody', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database?.close());

  /** The store, counting what it is asked. */
  const countingDb = () => {
    const db = {
      reads: 0,
      query<R>(statement: Statement): Promise<Rows<R>> {
        db.reads++;
        return database.store.query<R>(statement);
      },
    };
    return db satisfies Db;
  };

  test('signs without the database while a key is in memory, and reads it again a minute later', async () => {
    const clock = createManualClock();
    const custody = createLocalCustody({ sealer, clock });
    const name = aName();
    const { keyId } = await custody.ensureKey(database.store, name);
    const db = countingDb();
    const sign = () => custody.sign(db, use(name, keyId));
    for (let round = 0; round < 20; round++) await sign();
    clock.advance(59_999);
    await sign();
    expect(db.reads).toBe(0);
    clock.advance(1);
    await sign();
    expect(db.reads).toBe(1);
    clock.advance(-3_600_000);
    await sign();
    expect(db.reads).toBe(2);
  });

  test('a first use by many at once is one read', async () => {
    const name = aName();
    const { keyId } = await createLocalCustody({ sealer }).ensureKey(database.store, name);
    const custody = createLocalCustody({ sealer });
    const db = countingDb();
    await Promise.all(Array.from({ length: 100 }, () => custody.sign(db, use(name, keyId))));
    expect(db.reads).toBe(1);
  });

  test('keeps no more keys in memory than it may, and the most used ones', async () => {
    const custody = createLocalCustody({ sealer, cacheSizeMax: 2 });
    const names = [aName(), aName(), aName()];
    const keys = await Promise.all(names.map((name) => custody.ensureKey(database.store, name)));
    const db = countingDb();
    const readsOf = async (index: number) => {
      const before = db.reads;
      await custody.sign(db, use(names[index]!, keys[index]!.keyId));
      return db.reads - before;
    };
    await readsOf(0);
    await readsOf(1);
    expect(await readsOf(0)).toBe(0);
    expect(await readsOf(2)).toBe(1);
    expect(await readsOf(0)).toBe(0);
    expect(await readsOf(1)).toBe(1);
  });

  test('a failed read is tried again by the next call', async () => {
    const name = aName();
    const { keyId } = await createLocalCustody({ sealer }).ensureKey(database.store, name);
    const custody = createLocalCustody({ sealer });
    const broken: Db = { query: () => Promise.reject(new Error('connection lost')) };
    await expect(custody.sign(broken, use(name, keyId))).rejects.toThrow('connection lost');
    expect(await custody.sign(database.store, use(name, keyId))).toHaveLength(65);
  });

  test('the table holds no secret that can be read', async () => {
    const secret = Buffer.alloc(32, 7);
    const ids = {
      uuid: () => randomUUID() as string,
      randomUuid: () => randomUUID() as string,
      bytes: (count: number) => Buffer.alloc(count, 7),
    };
    const { keyId } = await createLocalCustody({ sealer, ids }).ensureKey(database.store, {
      ...aName(),
      curve: 'ed25519',
    });
    const { rows } = await database.store.query<{ row: string; sealed_by: string }>({
      text: 'select to_jsonb(k)::text as row, sealed_by from custody_keys k where id = $1',
      values: [keyId],
    });
    expect(rows[0]!.row).not.toContain(secret.toString('hex'));
    expect(rows[0]!.sealed_by).toBe('kek-1');
  });

  test('a row whose secret or public key was exchanged is refused', async () => {
    const names = [aName(), aName()];
    const [mine, foreign] = await Promise.all(
      names.map((name) => createLocalCustody({ sealer }).ensureKey(database.store, name)),
    );
    const sign = () =>
      createLocalCustody({ sealer }).sign(database.store, use(names[0]!, mine!.keyId));
    const exchange = (column: string) =>
      database.store.query({
        text: `update custody_keys set ${column} = other.${column} from custody_keys other where custody_keys.id = $1 and other.id = $2`,
        values: [mine!.keyId, foreign!.keyId],
      });
    await exchange('public_key');
    await expect(sign()).rejects.toThrow('the row was changed');
    await exchange('sealed_secret');
    await expect(sign()).rejects.toMatchObject({ name: 'SealError', reason: 'not-authentic' });
  });

  test('a row moved to another project is refused', async () => {
    const custody = createLocalCustody({ sealer });
    const name = aName();
    const { keyId } = await custody.ensureKey(database.store, name);
    const thief = randomUUID();
    await database.store.query({
      text: 'update custody_keys set project_id = $2 where id = $1',
      values: [keyId, thief],
    });
    await expect(
      createLocalCustody({ sealer }).ensureKey(database.store, { ...name, projectId: thief }),
    ).rejects.toMatchObject({
      reason: 'not-authentic',
    });
  });

  test('a row made the key of another wallet, or of all, is refused', async () => {
    const name = { ...aName(), purpose: 'treasury', walletId: randomUUID() };
    const { keyId } = await createLocalCustody({ sealer }).ensureKey(database.store, name);
    for (const subject of ['project', randomUUID()]) {
      await database.store.query({
        text: 'update custody_keys set subject = $2 where id = $1',
        values: [keyId, subject],
      });
      const custody = createLocalCustody({ sealer });
      await expect(custody.sign(database.store, use(name, keyId))).rejects.toMatchObject({
        reason: 'not-authentic',
      });
    }
  });

  test('without its key-encryption key it says which one is missing', async () => {
    const name = aName();
    const { keyId } = await createLocalCustody({ sealer }).ensureKey(database.store, name);
    const other = createLocalCustody({ sealer: createSealer([aKek('kek-9')]) });
    await expect(other.sign(database.store, use(name, keyId))).rejects.toThrow(
      '"kek-1", which is not configured',
    );
  });

  test('keys move to a new key-encryption key, in batches, and stay what they were', async () => {
    const names = Array.from({ length: 5 }, aName);
    const before = await Promise.all(
      names.map((name) => createLocalCustody({ sealer }).ensureKey(database.store, name)),
    );
    const next = aKek('kek-2');
    const both = createSealer([next, kek]);
    await database.store.query({
      text: 'delete from custody_keys where not (id = any($1::uuid[]))',
      values: [before.map(({ keyId }) => keyId)],
    });
    expect(await rewrapCustodyKeys(database.store, { sealer: both, batchSizeMax: 2 })).toBe(5);
    expect(await rewrapCustodyKeys(database.store, { sealer: both, batchSizeMax: 2 })).toBe(0);
    const custody = createLocalCustody({ sealer: createSealer([next]) });
    expect(await Promise.all(names.map((name) => custody.ensureKey(database.store, name)))).toEqual(
      before,
    );
    expect(await custody.sign(database.store, use(names[0]!, before[0]!.keyId))).toHaveLength(65);
  });
});
