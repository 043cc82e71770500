import { randomBytes } from 'node:crypto';
import { exportPKCS8, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/clock.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import {
  type KeyService,
  startAwsKms,
  startGcpKms,
  startOpenBao,
} from '../../testing/key-service.ts';
import { createAwsKek } from './aws-kms.ts';
import { createFileKek } from './file.ts';
import { createGcpKek } from './gcp-kms.ts';
import { testKek } from './kek.contract.ts';
import { createOpenBaoKek } from './openbao.ts';

const context = { purpose: 'user-key', projectId: 'p', id: 'k' };
const aws = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'eu-central-1',
};
const awsKek = (url: string, name = 'key/one', secret = aws.secretAccessKey) =>
  createAwsKek({
    id: 'aws',
    kind: 'aws-kms',
    url,
    region: aws.region,
    keyId: `arn:aws:kms:eu-central-1:111122223333:${name}`,
    credentials: { accessKeyId: aws.accessKeyId, secretAccessKey: new Secret(secret) },
  });
const baoKek = (url: string, keyName = 'purser', token = 'hvs.token') =>
  createOpenBaoKek({
    id: 'bao',
    kind: 'openbao',
    url,
    mount: 'transit',
    keyName,
    token: new Secret(token),
  });

let privateKeyPem = '';
let account: {
  email: string;
  publicKey: Parameters<typeof startGcpKms>[0]['publicKey'];
  keyId: string;
};
beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true });
  privateKeyPem = await exportPKCS8(pair.privateKey);
  account = {
    email: 'vault@project.iam.gserviceaccount.com',
    publicKey: pair.publicKey,
    keyId: 'key-1',
  };
});
const gcpKek = (url: string, name = 'one', clock = systemClock) =>
  createGcpKek(
    {
      id: 'gcp',
      kind: 'gcp-kms',
      url,
      keyName: `projects/p/locations/europe/keyRings/r/cryptoKeys/${name}`,
      serviceAccount: {
        email: account.email,
        privateKey: new Secret(privateKeyPem),
        keyId: account.keyId,
        tokenUrl: `${url}token`,
      },
    },
    { clock },
  );

testKek('file', async () => ({
  kek: createFileKek(new Secret(new Uint8Array(randomBytes(32)))),
  stranger: createFileKek(new Secret(new Uint8Array(randomBytes(32)))),
}));
testKek('AWS KMS', async () => {
  const service = await startAwsKms(aws);
  return {
    kek: awsKek(service.url),
    stranger: awsKek(service.url, 'key/two'),
    close: service.close,
  };
});
testKek('Google Cloud KMS', async () => {
  const service = await startGcpKms(account);
  return { kek: gcpKek(service.url), stranger: gcpKek(service.url, 'two'), close: service.close };
});
testKek('OpenBao', async () => {
  const service = await startOpenBao({ token: 'hvs.token', mount: 'transit' });
  return { kek: baoKek(service.url), stranger: baoKek(service.url, 'other'), close: service.close };
});

describe.each([
  ['AWS KMS', () => startAwsKms(aws), awsKek],
  ['Google Cloud KMS', () => startGcpKms(account), gcpKek],
  ['OpenBao', () => startOpenBao({ token: 'hvs.token', mount: 'transit' }), baoKek],
] as const)('%s, when something is wrong', (_name, start, kekAt) => {
  let service: KeyService;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service?.close());
  const wrap = () => kekAt(service.url).wrap(randomBytes(32), context);

  it('is asked again after a failure that passes, three times in all', async () => {
    for (const failure of [
      { status: 503, body: {} },
      { status: 429, body: '' },
      'reset',
    ] as const) {
      let failures = 2;
      service.next = () => (failures-- > 0 ? failure : undefined);
      await expect(wrap()).resolves.toBeInstanceOf(Buffer);
    }
    service.requests.length = 0;
    service.next = (path) => (path === '/token' ? undefined : { status: 500, body: 'oops' });
    await expect(wrap()).rejects.toMatchObject({ reason: 'unavailable' });
    expect(service.requests.filter(({ path }) => path !== '/token')).toHaveLength(3);
  });

  it('is unavailable when nobody listens', async () => {
    await expect(kekAt('http://127.0.0.1:9/').wrap(randomBytes(32), context)).rejects.toMatchObject(
      { reason: 'unavailable' },
    );
  });

  it('is not believed when its answer does not fit, or is no data key', async () => {
    service.next = undefined;
    const wrapped = await wrap();
    const strange = [
      { status: 200, body: '<html>' },
      { status: 200, body: {} },
      { status: 200, body: 'x'.repeat(100_000) },
    ];
    for (const body of strange) {
      service.next = (path) => (path === '/token' ? undefined : body);
      await expect(wrap()).rejects.toMatchObject({ name: 'KekError' });
    }
    const short = Buffer.from('short').toString('base64');
    service.next = (path) =>
      path === '/token'
        ? undefined
        : { status: 200, body: { Plaintext: short, plaintext: short, data: { plaintext: short } } };
    await expect(kekAt(service.url).unwrap(wrapped, context)).rejects.toMatchObject({
      reason: 'not-authentic',
    });
  });

  it('a refusal is told apart from an outage, and no message repeats request or answer', async () => {
    service.next = (path) =>
      path === '/token'
        ? undefined
        : { status: 403, body: { __type: 'AccessDeniedException', message: 'secret words' } };
    const error = await wrap().catch((failed: Error) => failed);
    expect(error).toMatchObject({ reason: 'refused' });
    expect(String(error)).not.toContain('secret words');
  });
});

describe('credentials', () => {
  it('AWS KMS gets a version 4 signature by the secret, with the session token where there is one', async () => {
    const service = await startAwsKms(aws);
    await expect(
      awsKek(service.url, 'key/one', 'another secret').wrap(randomBytes(32), context),
    ).rejects.toMatchObject({
      reason: 'refused',
    });
    await expect(
      awsKek(service.url, 'key/missing').wrap(randomBytes(32), context),
    ).rejects.toMatchObject({ reason: 'refused' });
    const session = createAwsKek({
      id: 'aws',
      kind: 'aws-kms',
      url: service.url,
      region: aws.region,
      keyId: 'arn:aws:kms:eu-central-1:111122223333:key/one',
      credentials: {
        accessKeyId: aws.accessKeyId,
        secretAccessKey: new Secret(aws.secretAccessKey),
        sessionToken: new Secret('session'),
      },
    });
    await session.wrap(randomBytes(32), context);
    expect(service.requests.at(-1)?.headers['x-amz-security-token']).toBe('session');
    await service.close();
  });

  it('Google gets one token for many calls, a new one before the old one ends, and another one when it is refused', async () => {
    const service = await startGcpKms(account);
    let nowMs = Date.now();
    const kek = gcpKek(service.url, 'one', { now: () => new Date(nowMs) });
    const tokens = () => service.requests.filter(({ path }) => path === '/token').length;
    await Promise.all(Array.from({ length: 5 }, () => kek.wrap(randomBytes(32), context)));
    expect(tokens()).toBe(1);
    nowMs += 59 * 60_000 + 30_000;
    await kek.wrap(randomBytes(32), context);
    expect(tokens()).toBe(2);
    let refusals = 1;
    service.next = (path) =>
      path !== '/token' && refusals-- > 0 ? { status: 401, body: {} } : undefined;
    await kek.wrap(randomBytes(32), context);
    expect(tokens()).toBe(3);
    await service.close();
  });

  it('OpenBao gets the token; a wrong one is refused', async () => {
    const service = await startOpenBao({ token: 'hvs.token', mount: 'transit' });
    await expect(
      baoKek(service.url, 'purser', 'wrong').wrap(randomBytes(32), context),
    ).rejects.toMatchObject({ reason: 'refused' });
    await service.close();
  });
});
