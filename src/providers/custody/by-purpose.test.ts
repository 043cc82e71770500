import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { systemClock } from '../../lib/clock.ts';
import { createSealer, type KeyEncryptionKey } from '../../lib/sealing/seal.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { composeCustody, withoutTreasuries } from './by-purpose.ts';
import type { CustodyProvider } from './custody.ts';
import { createLocalCustody, rewrapCustodyKeys } from './local.ts';

const aKek = (id: string): KeyEncryptionKey => ({
  id,
  key: new Secret<Uint8Array>(new Uint8Array(randomBytes(32))),
});
/**
 * Two rings that use the same word for their keys: what seals with one does not open with the
 * other.
 */
const rings = { keyEncryptionKeys: [aKek('2026')], treasuryKeyEncryptionKeys: [aKek('2026')] };
const clock = systemClock;

let database: TestDatabase;
let worker: CustodyProvider;
let api: CustodyProvider;
beforeAll(async () => {
  database = await startTestDatabase();
  worker = composeCustody(rings, { clock });
  api = composeCustody({ ...rings, treasuryKeyEncryptionKeys: [] }, { clock });
});
afterAll(() => database.close());

const treasury = () => ({
  projectId: randomUUID(),
  curve: 'secp256k1' as const,
  purpose: 'treasury',
  walletId: randomUUID(),
});
const everyday = () => ({
  projectId: randomUUID(),
  curve: 'secp256k1' as const,
  purpose: 'api-key',
});
const use = (name: { projectId: string; purpose: string; walletId?: string }, keyId: string) => ({
  ...name,
  keyId,
  walletId: name.walletId ?? randomUUID(),
  bytes: randomBytes(32),
});

describe('keys of treasuries', () => {
  test('are made and used by a process that has their key-encryption keys, and by no other', async () => {
    const name = treasury();
    const { keyId } = await worker.ensureKey(database.store, name);
    expect(await worker.sign(database.store, use(name, keyId))).toHaveLength(65);
    for (const without of [api, withoutTreasuries(worker)]) {
      expect([without.opens('treasury'), without.opens('api-key')]).toEqual([false, true]);
      await expect(without.ensureKey(database.store, name)).rejects.toThrow('by the worker only');
      await expect(without.sign(database.store, use(name, keyId))).rejects.toThrow(
        'by the worker only',
      );
      // Naming another purpose, to reach the key under it, finds another seal.
      await expect(
        without.sign(database.store, { ...use(name, keyId), purpose: 'api-key' }),
      ).rejects.toThrow();
    }
    // Nor does whoever has everything that the API has open the row itself.
    const stolen = createLocalCustody({ sealer: createSealer(rings.keyEncryptionKeys) });
    await expect(stolen.sign(database.store, use(name, keyId))).rejects.toMatchObject({
      name: 'SealError',
      reason: 'not-authentic',
    });
  });

  test('are the only ones that need them: every other key is the same for both', async () => {
    const name = everyday();
    const { keyId } = await worker.ensureKey(database.store, name);
    expect((await api.ensureKey(database.store, name)).keyId).toBe(keyId);
    expect(await api.sign(database.store, use(name, keyId))).toHaveLength(65);
  });

  test('move to a new ring of their own', async () => {
    const [name, other] = [treasury(), everyday()];
    const [key, otherKey] = [
      await worker.ensureKey(database.store, name),
      await worker.ensureKey(database.store, other),
    ];
    const next = {
      keyEncryptionKeys: [aKek('2027'), ...rings.keyEncryptionKeys],
      treasuryKeyEncryptionKeys: [aKek('2028')],
    };
    const treasurySealer = createSealer([
      ...next.treasuryKeyEncryptionKeys,
      ...rings.treasuryKeyEncryptionKeys,
    ]);
    await rewrapCustodyKeys(database.store, {
      sealer: createSealer(next.keyEncryptionKeys),
      treasurySealer,
    });
    const moved = composeCustody(
      { ...next, keyEncryptionKeys: next.keyEncryptionKeys.slice(0, 1) },
      { clock },
    );
    expect(await moved.sign(database.store, use(name, key.keyId))).toHaveLength(65);
    expect(await moved.sign(database.store, use(other, otherKey.keyId))).toHaveLength(65);
  });
});
