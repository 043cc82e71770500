import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { systemClock } from '../../lib/clock.ts';
import { systemIds } from '../../lib/id.ts';
import { createSealer, SealError } from '../../lib/sealing/seal.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { rewrapCustodyKeys } from './local.ts';
import { hashForProject } from './project-secret.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.close());

const aKey = (id: string) => ({ id, key: new Secret<Uint8Array>(new Uint8Array(randomBytes(32))) });
const [older, newer] = [aKey('2025'), aKey('2026')];

/** A process that has nothing in memory. */
const aProcess = (keyEncryptionKeys = [older]) => ({
  config: { keyEncryptionKeys },
  store: { ...database.store },
  clock: systemClock,
  ids: systemIds,
});
const projectId = randomUUID();
const hash = (input: Partial<Parameters<typeof hashForProject>[1]> = {}, keys?: (typeof older)[]) =>
  hashForProject(aProcess(keys), { projectId, purpose: 'p', parts: ['a', 'b'], ...input }).then(
    (bytes) => bytes.toString('hex'),
  );

test('the same parts have the same hash in every process, other parts, purposes and projects another one', async () => {
  const all = [
    await hash(),
    await hash({ parts: ['ab', ''] }),
    await hash({ parts: ['a', 'b', ''] }),
    await hash({ purpose: 'pa', parts: ['b'] }),
    await hash({ purpose: 'q' }),
    await hash({ projectId: randomUUID() }),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(await hash()).toBe(all[0]);
  expect(all[0]).toMatch(/^[0-9a-f]{64}$/);
});

test('first calls at once, from many processes, agree on one secret', async () => {
  const project = randomUUID();
  const hashes = await Promise.all(Array.from({ length: 30 }, () => hash({ projectId: project })));
  expect(new Set(hashes).size).toBe(1);
});

test('an old key-encryption key can be removed once the secrets were moved, and no hash changes', async () => {
  const before = await hash();
  await expect(hash({}, [newer])).rejects.toBeInstanceOf(SealError);
  expect(
    await rewrapCustodyKeys(database.store, {
      sealer: createSealer([newer, older]),
      batchSizeMax: 1,
    }),
  ).toBeGreaterThan(1);
  expect(await hash({}, [newer])).toBe(before);
  expect(await rewrapCustodyKeys(database.store, { sealer: createSealer([newer]) })).toBe(0);
});

test('a secret copied from another project opens nothing', async () => {
  const [mine, other] = [randomUUID(), randomUUID()];
  await hash({ projectId: mine }, [newer]);
  await hash({ projectId: other }, [newer]);
  await database.store.query({
    text: 'update project_secrets set sealed_secret = (select sealed_secret from project_secrets where project_id = $2) where project_id = $1',
    values: [mine, other],
  });
  await expect(hash({ projectId: mine }, [newer])).rejects.toMatchObject({
    reason: 'not-authentic',
  });
});
