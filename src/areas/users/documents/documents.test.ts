import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentTypes } from '../schema.ts';
import { aPng, type PeopleApi, startPeopleApi } from '../test-kit.ts';
import { documentBytesMax } from './documents.ts';

let api: PeopleApi;
beforeAll(async () => {
  api = await startPeopleApi();
  await api.call('PUT', api.path('userId:alice'), { body: {} });
  await api.call('PUT', api.path('userId:bob'), { body: {} });
});
afterAll(() => api.close());

const upload = (body: object, locator = 'userId:alice', headers = {}) =>
  api.call('POST', api.path(locator, '/documents'), {
    body: { documentType: 'id-passport', content: aPng.toString('base64'), ...body },
    headers,
  });
const read = (id: string, locator = 'userId:alice') =>
  api.call('GET', api.path(locator, `/documents/${id}`));

const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.alloc(100),
]);
const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
const webp = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.from([26, 0, 0, 0]),
  Buffer.from('WEBPVP8 '),
  Buffer.alloc(30),
]);
const heic = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypheic'),
  Buffer.alloc(4),
  Buffer.from('heicmif1'),
]);

test.each(documentTypes)(
  'takes a document of type %s and answers what is known of it, never its content',
  async (documentType) => {
    const { status, body } = await upload({ documentType });
    expect([status, body]).toEqual([
      201,
      { documentId: expect.any(String), documentType, createdAt: '2026-01-15T12:00:00.000Z' },
    ]);
    expect((await read(body.documentId)).body).toEqual(body);
  },
);

test.each([
  ['PNG', aPng],
  ['JPEG', jpeg],
  ['PDF', pdf],
  ['WebP', webp],
  ['HEIC', heic],
])('takes a %s', async (_, content) => {
  expect((await upload({ content: content.toString('base64') })).status).toBe(201);
});

test.each([
  ['a text', Buffer.from('just words that were never a document')],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  [
    'a drawing with scripts',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
  ],
  ['a program', Buffer.from('7f454c4602010100000000000000000002003e0001000000', 'hex')],
  ['an archive', Buffer.from('504b0304140000000800', 'hex')],
  ['an animation', Buffer.from('GIF89a\u0001\u0000\u0001\u0000')],
  ['a picture that is cut off in its first bytes', aPng.subarray(0, 6)],
])('refuses %s, whatever it is called', async (_, content) => {
  const answer = await upload({ content: content.toString('base64') });
  expect([answer.status, answer.body.code]).toEqual([400, 'validation-error']);
  expect(answer.body.message).toContain('JPEG, PNG');
});

test.each([
  ['no base64', 'what is this?'],
  [
    'base64 with line breaks',
    `${aPng.toString('base64').slice(0, 20)}\n${aPng.toString('base64').slice(20)}`,
  ],
  ['a data address', `data:image/png;base64,${aPng.toString('base64')}`],
  ['the other base64', Buffer.from('fbff', 'hex').toString('base64url')],
  ['nothing', ''],
])('refuses %s with 400', async (_, content) => {
  const answer = await upload({ content });
  expect([answer.status, answer.body.code]).toEqual([400, 'validation-error']);
});

test.each([
  [{ documentType: 'id-library-card' }],
  [{ documentType: undefined }],
  [{ content: undefined }],
  [{ content: 42 }],
])('refuses %j with 400', async (body) => {
  expect((await upload(body)).status).toBe(400);
});

test('takes 10 MiB, refuses one byte more with 413, and stops reading a body that is far too long', {
  tags: 'slow',
}, async () => {
  const file = (bytes: number) =>
    Buffer.concat([aPng, Buffer.alloc(bytes - aPng.length, 7)]).toString('base64');
  expect((await upload({ content: file(documentBytesMax) })).status).toBe(201);
  const over = await upload({ content: file(documentBytesMax + 1) });
  expect([over.status, over.body.code, over.body.message]).toEqual([
    413,
    'payload-too-large',
    expect.stringContaining('10 MiB'),
  ]);
  const far = await upload({ content: file(documentBytesMax + 2_000_000) });
  expect([far.status, far.body.code]).toEqual([413, 'payload-too-large']);
});

test('the same type replaces: the earlier document is gone', async () => {
  const first = (await upload({ documentType: 'proof-of-income' })).body.documentId;
  const second = (await upload({ documentType: 'proof-of-income' })).body.documentId;
  expect(second).not.toBe(first);
  expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200]);
});

test('the same call with an idempotency key stores one document', async () => {
  const headers = { 'x-idempotency-key': 'upload-1' };
  const [a, b] = [
    await upload({ documentType: 'id-ssn' }, 'userId:alice', headers),
    await upload({ documentType: 'id-ssn' }, 'userId:alice', headers),
  ];
  expect([a.status, b.status]).toEqual([201, 201]);
  expect(b.body).toEqual(a.body);
});

test('is not found with another user, an unknown id or a text that is none', async () => {
  const id = (await upload({})).body.documentId as string;
  expect((await read(id.toUpperCase())).status).toBe(200);
  for (const [wanted, locator] of [
    [id, 'userId:bob'],
    ['00000000-0000-4000-8000-000000000000', 'userId:alice'],
    ["x' or '1'='1", 'userId:alice'],
  ] as const) {
    const answer = await read(wanted, locator);
    expect([answer.status, answer.body.code]).toEqual([404, 'document-not-found']);
  }
});

test('of an unknown user, or with a body that names another one, is refused', async () => {
  const unknown = await upload({}, 'userId:nobody');
  expect([unknown.status, unknown.body.code]).toEqual([404, 'user-not-found']);
  const other = await upload({ userLocator: 'userId:bob' });
  expect([other.status, other.body.code]).toEqual([400, 'validation-error']);
  expect((await upload({ userLocator: 'userId:alice' })).status).toBe(201);
  const bad = await upload({ userLocator: 'bob' });
  expect([bad.status, bad.body.code]).toEqual([400, 'invalid-locator']);
});

test('lies sealed in the database', async () => {
  const content = Buffer.concat([aPng, Buffer.from('CANARY-OF-A-DOCUMENT')]);
  await upload({ content: content.toString('base64') });
  const { rows } = await api.ctx.store.query<{ sealed: Buffer }>({
    text: 'select sealed_content as sealed from user_documents',
  });
  for (const { sealed } of rows)
    expect(sealed.includes('CANARY') || sealed.includes(aPng.subarray(0, 8))).toBe(false);
});

test('a user uploads 50 documents a day, then waits; a project as many as its operator says', async () => {
  await api.call('PUT', api.path('userId:eager'), { body: {} });
  const statuses: number[] = [];
  for (let count = 0; count < 51; count++) statuses.push((await upload({}, 'userId:eager')).status);
  expect(statuses).toEqual([...Array(50).fill(201), 429]);
  const refused = await upload({}, 'userId:eager');
  expect(refused.body).toMatchObject({
    code: 'rate-limited',
    message: expect.stringContaining('50 document uploads a day'),
  });
  expect(refused.headers.get('retry-after')).toBe('86400');
  expect((await upload({}, 'userId:bob')).status).toBe(201);

  const small = await startPeopleApi({
    config: {
      identity: {
        ...api.ctx.config.identity,
        limits: { ...api.ctx.config.identity.limits, documentUploadsPerDayMax: 2 },
      },
    },
  });
  const send = async (sub: string) => {
    await small.call('PUT', small.path(`userId:${sub}`), { body: {} });
    const body = { documentType: 'id-passport', content: aPng.toString('base64') };
    return (await small.call('POST', small.path(`userId:${sub}`, '/documents'), { body })).status;
  };
  expect([await send('a'), await send('b'), await send('c')]).toEqual([201, 201, 429]);
  small.clock.advance(24 * 60 * 60_000);
  expect(await send('c')).toBe(201);
  await small.close();
});
