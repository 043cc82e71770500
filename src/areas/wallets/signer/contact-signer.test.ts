import { randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import type { ChainFamily } from '../../../chains/family.ts';
import { createChains } from '../../../chains/registry.ts';
import type { RequestCtx } from '../../../context.ts';
import { systemClock } from '../../../lib/clock.ts';
import { systemIds } from '../../../lib/id.ts';
import { createSealer } from '../../../lib/sealing/seal.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { createLocalCustody } from '../../../providers/custody/local.ts';
import type { Providers } from '../../../providers/registry.ts';
import { emailSigner, phoneSigner } from './contact-signer.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

const aFamily = (custodyCurve: 'secp256k1' | 'ed25519' = 'secp256k1') =>
  ({
    custodyCurve,
    addressOfPublicKey: (key: Uint8Array) => Buffer.from(key).toString('hex'),
  }) as Partial<ChainFamily> as ChainFamily;
const aKey = (id: string) => ({ id, key: new Secret<Uint8Array>(new Uint8Array(randomBytes(32))) });

/** A process of its own, as after a restart: nothing is shared but the database. */
function aProcess(input: {
  projectId: string;
  keys?: readonly ReturnType<typeof aKey>[];
}): RequestCtx {
  const config = testConfig(input.keys === undefined ? {} : { keyEncryptionKeys: input.keys });
  return {
    config,
    store: { ...database.store },
    clock: systemClock,
    ids: systemIds,
    log: pino({ level: 'silent' }),
    chains: createChains([]),
    providers: {
      custody: createLocalCustody({ sealer: createSealer(config.keyEncryptionKeys) }),
    } as Partial<Providers> as Providers,
    caller: {
      projectId: input.projectId,
      environment: 'development',
      keyKind: 'server',
      keyId: 'k',
      scopes: new Set(),
    },
    requestId: 'r',
  };
}

test('two spellings of one e-mail address are one signer, in every process', async () => {
  const projectId = randomUUID();
  const signer = await emailSigner(
    aProcess({ projectId }),
    aFamily(),
    'Ada.Lovelace@GoogleMail.com',
  );
  expect(signer).toMatchObject({
    type: 'email',
    email: 'adalovelace@gmail.com',
    locator: 'email:adalovelace@gmail.com',
  });
  expect(await emailSigner(aProcess({ projectId }), aFamily(), 'adalovelace@gmail.com')).toEqual(
    signer,
  );
});

test('50 first calls at once, from two processes, make one signer', async () => {
  const projectId = randomUUID();
  const processes = [aProcess({ projectId }), aProcess({ projectId })];
  const signers = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      phoneSigner(processes[at % 2]!, aFamily(), '+14155550123'),
    ),
  );
  expect(signers).toEqual(Array(50).fill(signers[0]));
});

test('another address, number, project or curve is another key', async () => {
  const projectId = randomUUID();
  const ctx = aProcess({ projectId });
  const signers = await Promise.all([
    emailSigner(ctx, aFamily(), 'ada@example.com'),
    emailSigner(ctx, aFamily(), 'ada+shop@example.com'),
    emailSigner(ctx, aFamily('ed25519'), 'ada@example.com'),
    phoneSigner(ctx, aFamily(), '+14155550123'),
    phoneSigner(ctx, aFamily(), '+14155550124'),
    emailSigner(aProcess({ projectId: randomUUID() }), aFamily(), 'ada@example.com'),
  ]);
  expect(new Set(signers.map(({ keyId }) => keyId)).size).toBe(6);
  expect(new Set(signers.map(({ address }) => address)).size).toBe(6);
});

test('the key table does not tell whose key it is', async () => {
  const projectId = randomUUID();
  await emailSigner(aProcess({ projectId }), aFamily(), 'ada@example.com');
  await phoneSigner(aProcess({ projectId }), aFamily(), '+14155550123');
  const { rows } = await database.store.query({
    text: 'select k::text as text from custody_keys k where project_id = $1',
    values: [projectId],
  });
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toMatch(/ada@|lovelace|example|4155550123/);
});

test('a signer keeps its key when the key-encryption key is rotated', async () => {
  const projectId = randomUUID();
  const [older, newer] = [aKey('2025'), aKey('2026')];
  const before = await emailSigner(
    aProcess({ projectId, keys: [older] }),
    aFamily(),
    'ada@example.com',
  );
  expect(
    await emailSigner(aProcess({ projectId, keys: [newer, older] }), aFamily(), 'ada@example.com'),
  ).toEqual(before);
});

test.each([
  '',
  'ada',
  'ada@',
  'ada@example',
  'a b@example.com',
  'ada@example.com\r\nBcc: x@example.com',
])('the text %j is no e-mail address', async (text) => {
  await expect(
    emailSigner(aProcess({ projectId: randomUUID() }), aFamily(), text),
  ).rejects.toMatchObject({ code: 'validation-error' });
});

test.each([
  ['14155550123', 'not a possible phone number'],
  ['+1415555', 'not a possible phone number'],
  ['+999123456789', 'not a possible phone number'],
  ['+1 415 555 0123', 'write this number as E.164: +14155550123'],
  ['+4402079460123', 'write this number as E.164: +442079460123'],
])('the number %s is refused with what to do', async (text, message) => {
  await expect(phoneSigner(aProcess({ projectId: randomUUID() }), aFamily(), text)).rejects.toThrow(
    message,
  );
});
