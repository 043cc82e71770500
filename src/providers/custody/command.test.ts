import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testConfig } from '../../../test/harness/config.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createSealer } from '../../lib/sealing/seal.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { custodyCommand } from './command.ts';
import { createLocalCustody } from './local.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

const aKey = (id: string) => ({ id, key: new Secret<Uint8Array>(new Uint8Array(randomBytes(32))) });
const odd = randomUUID();
/** Tested where they are: src/areas/sealed-rows.test.ts. */
const sealedRows = {
  reseal: async () => 2,
  countByKey: async () => [{ keyId: '2026', count: 2 }],
  look: async (_table: string, id: string) =>
    id === odd
      ? { fields: { url: 'https://\u202ethief.example\u009b2J' }, fits: false, digest: 'd' }
      : undefined,
  accept: async () => false,
  findChanged: async function* () {},
};
const [older, newer] = [aKey('2025'), aKey('2026')];

async function custody(
  keyEncryptionKeys: readonly ReturnType<typeof aKey>[],
  ...argv: string[]
): Promise<string> {
  const lines: string[] = [];
  await custodyCommand(
    { config: testConfig({ keyEncryptionKeys }), store: database.store, sealedRows },
    { argv, print: (line) => lines.push(line) },
  );
  return lines.join('\n');
}

test('what a terminal would obey in a row is spelled out', async () => {
  expect(await custody([newer], 'row', 'webhook_endpoints', odd)).toContain(
    'https://\\u202ethief.example\\u009b2J',
  );
});

test('an old key-encryption key can be removed once every custody key was moved to the new one', async () => {
  const before = createLocalCustody({ sealer: createSealer([older]) });
  const names = Array.from({ length: 3 }, () => ({
    projectId: randomUUID(),
    curve: 'secp256k1' as const,
    purpose: 'api-key',
  }));
  const keys = await Promise.all(names.map((name) => before.ensureKey(database.store, name)));
  expect(await custody([newer], 'status')).toMatch(/2025 +3 +0 +not in KEY_ENCRYPTION_KEYS/);

  expect(await custody([newer, older], 'rewrap')).toBe(
    '3 keys moved to "2026", 2 rows sealed again with it.',
  );
  expect(JSON.parse(await custody([newer], 'status', '--json'))).toEqual([
    { id: '2026', keys: 3, rows: 2, configured: true },
  ]);
  expect(await custody([newer], 'rewrap')).toBe(
    '0 keys moved to "2026", 2 rows sealed again with it.',
  );
  const after = createLocalCustody({ sealer: createSealer([newer]) });
  await expect(
    after.sign(database.store, {
      ...names[0]!,
      keyId: keys[0]!.keyId,
      walletId: randomUUID(),
      bytes: new Uint8Array(32).fill(1),
    }),
  ).resolves.toHaveLength(65);
});

test('each mistake is one clear sentence', async () => {
  await expect(custody([], 'rewrap')).rejects.toThrow('KEY_ENCRYPTION_KEYS is not set');
  await expect(custody([newer], 'row', 'wallets', 'x')).rejects.toThrow(
    'Name the table and the id (a UUID) of one row',
  );
  await expect(custody([newer], 'row', 'wallets', randomUUID())).rejects.toThrow(
    'wallets has no row',
  );
  await expect(custody([newer], 'frobnicate')).rejects.toThrow(
    'Unknown command "custody frobnicate"',
  );
});
