import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../jobs/test-kit.ts';
import type { Store } from '../../store/types.ts';
import { identityRedactFlow, redactPerson } from '../identity/index.ts';
import { anEvmWallet } from '../linked-wallets/test-kit.ts';
import { eraseUser } from './erase-rows.ts';
import { aPng, type PeopleApi, startFlows, startPeopleApi } from './test-kit.ts';

const canaries = {
  userId: 'canary-user-id-71',
  email: 'canary.mail.71@example.com',
  firstName: 'Canarifirst',
  lastName: 'Canarilast',
  birth: '1971-11-07',
  phone: '+4915171717171',
  line1: 'Canary Street 71',
  city: 'Canarytown',
  document: 'CANARY71DOC',
  industry: 'canary-industry-71',
  content: 'CANARY-CONTENT-OF-A-PASSPORT-71',
};
const wallet = anEvmWallet();

let api: PeopleApi;
let flows: ReturnType<typeof startFlows>;
let databaseFolder: string;
beforeAll(async () => {
  api = await startPeopleApi();
  flows = startFlows(api.ctx);
  const { rows } = await api.ctx.store.query<{ data_directory: string }>({
    text: 'show data_directory',
  });
  databaseFolder = rows[0]!.data_directory;
});
afterAll(async () => {
  await flows.stop();
  await api.close();
});

/** Every row of every table as text, as a dump would have it; bytes are hex. */
async function dump(store: Store): Promise<string> {
  const { rows: tables } = await store.query<{ name: string }>({
    text: `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  });
  expect(tables.length).toBeGreaterThan(20);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await store.query<{ row: string }>({
      text: `select t::text as row from ${name} t`,
    });
    texts.push(`${name}\n${rows.map(({ row }) => row).join('\n')}`);
  }
  return texts.join('\n').toLowerCase();
}

/** What each canary looks like in a dump or in a file: itself, or its bytes as hex or base64. */
function spellings(text: string): string[] {
  const bytes = Buffer.from(text);
  return [
    text.toLowerCase(),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, '').slice(0, -1).toLowerCase(),
  ];
}

const secrets = () => [...Object.values(canaries), wallet.address, wallet.address.slice(2)];
const findIn = (dumped: string) =>
  secrets().filter((secret) => spellings(secret).some((spelling) => dumped.includes(spelling)));

/** Pages and log of the whole server, as they lie on the disk. */
function findInFiles(): string[] {
  const needles = secrets().map((secret) => [secret, Buffer.from(secret)] as const);
  const found = new Set<string>();
  const walk = (folder: string): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat?.isDirectory()) walk(path);
      else if (stat?.isFile() && stat.size < 256 * 1024 * 1024) {
        const bytes = readFileSync(path);
        for (const [secret, needle] of needles)
          if (bytes.includes(needle)) found.add(`${secret} in ${path}`);
      }
    }
  };
  walk(databaseFolder);
  return [...found];
}

/**
 * Everything this service takes of a person, under two locators, with a verified wallet and a
 * finished review.
 */
async function createCanary(): Promise<void> {
  const locator = `userId:${canaries.userId}`;
  const put = async (path: string, body?: object) => {
    const answer = await api.call('PUT', path, { body });
    expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)]);
    return answer.body;
  };
  await put(api.path(locator, '/legal-documents'), {
    type: 'svc-privacy-policy',
    acceptedAt: '2026-01-15T11:00:00Z',
  });
  await put(api.path(locator), {
    locators: [`email:${canaries.email}`, 'twitter:canary_handle_71'],
    userDetails: {
      firstName: canaries.firstName,
      lastName: canaries.lastName,
      dateOfBirth: canaries.birth,
      countryOfResidence: 'DE',
    },
    kycData: {
      email: canaries.email,
      phoneNumber: canaries.phone,
      nationality: 'DE',
      addressOfResidence: { line1: canaries.line1, city: canaries.city, postalCode: '10115' },
      identityDocument: { type: 'passport', number: canaries.document, issuingCountryCode: 'DE' },
    },
    dueDiligence: { employmentStatus: 'x', sourceOfFunds: 'x', industry: canaries.industry },
  });
  for (const documentType of ['id-passport', 'proof-of-address']) {
    const content = Buffer.concat([aPng, Buffer.from(canaries.content)]).toString('base64');
    const headers = { 'x-idempotency-key': `upload-${documentType}` };
    expect(
      (
        await api.call('POST', api.path(locator, '/documents'), {
          body: { documentType, content },
          headers,
        })
      ).status,
    ).toBe(201);
  }
  const walletPath = api.path(locator, `/linked-wallets/${wallet.address}`);
  const { ownership } = await put(walletPath, { chain: 'base-sepolia' });
  await put(walletPath, {
    chain: 'base-sepolia',
    proof: await wallet.sign(ownership.verificationChallenge),
  });
  await put(api.path(locator, `/linked-wallets/${anEvmWallet().address}`), {
    chain: 'base-sepolia',
  });
  await put(api.path(locator, '/identity-verification'));
  await eventually('the review has ended', async () => {
    api.clock.advance(1_000);
    const { body } = await api.call('GET', api.path(locator, '/identity-verification'));
    return body.eligibility.every((entry: { status: string }) => entry.status === 'verified');
  });
}

const erase = (
  locator: string,
  eraseElsewhere: (owners: readonly string[]) => Promise<boolean> = async () => false,
) =>
  eraseUser(api.ctx, {
    projectId: api.projectId,
    locator,
    eraseElsewhere,
    onErase: async (tx, erased) => (await redactPerson(api.ctx, tx, erased)) > 0,
  });

describe('purser users erase', () => {
  test('leaves nothing of a person that can be read, in no table, page or log', async () => {
    await createCanary();
    // Sealed data is not readable before either; only the event names the user, for whoever
    // receives it.
    expect(findIn(await dump(api.ctx.store))).toEqual([canaries.userId]);
    expect((await api.call('GET', api.path(`email:${canaries.email}`))).status).toBe(200);
    await api.ctx.store.query({ text: 'checkpoint' });
    const named = findInFiles();
    expect(named.length).toBeGreaterThan(0);
    expect(named.every((found) => found.startsWith(`${canaries.userId} `))).toBe(true);

    const asked: string[] = [];
    const { userIds } = await erase(`email:${canaries.email}`, async (owners) => {
      asked.push(...owners);
      return true;
    });
    expect(userIds).toHaveLength(1);
    expect(asked).toEqual([
      `userId:${canaries.userId}`,
      `email:${canaries.email}`,
      'twitter:canary_handle_71',
      `userId:${userIds[0]}`,
    ]);

    expect(findIn(await dump(api.ctx.store))).toEqual([]);
    await api.ctx.store.query({ text: 'vacuum' });
    await api.ctx.store.query({ text: 'checkpoint' });
    expect(findInFiles().filter((found) => !found.startsWith(`${canaries.userId} `))).toEqual([]);

    const tables = [
      'users',
      'user_locators',
      'user_documents',
      'linked_wallets',
      'linked_wallet_challenges',
      'identity_entries',
      'identity_reviews',
    ];
    for (const table of tables) {
      const { rows } = await api.ctx.store.query<{ n: number }>({
        text: `select count(*)::int as n from ${table}`,
      });
      expect([table, rows[0]!.n]).toEqual([table, 0]);
    }
    for (const locator of [
      `email:${canaries.email}`,
      `userId:${canaries.userId}`,
      'x:canary_handle_71',
    ])
      expect((await api.call('GET', api.path(locator))).status).toBe(404);
    const { rows } = await api.ctx.store.query<{ user_id: string }>({
      text: 'select user_id from user_erasures',
    });
    expect(rows.map((row) => row.user_id)).toEqual([...userIds]);
  });

  test('has the inquiries of the person redacted at the company', async () => {
    const done = await eventually('the inquiry is redacted', async () => {
      api.clock.advance(1_000);
      const { rows } = await api.ctx.store.query<{ redacted: boolean }>({
        text: 'select redacted_at is not null as redacted from kyc_sandbox_inquiries',
      });
      return rows.length === 1 && rows[0]!.redacted;
    });
    expect(done).toBe(true);
    expect(identityRedactFlow.kind).toBe('identity-redact');
  });

  test('does nothing here while another system cannot be reached, and can be repeated', async () => {
    await api.call('PUT', api.path('userId:later'), { body: {} });
    await expect(
      erase('userId:later', () => Promise.reject(new Error('the vault is away'))),
    ).rejects.toThrow('away');
    expect((await api.call('GET', api.path('userId:later'))).status).toBe(200);
    expect((await erase('userId:later')).userIds).toHaveLength(1);
    await expect(erase('userId:later')).rejects.toMatchObject({ code: 'user-not-found' });
    // Somebody whom only the vault knows.
    expect(
      await erase('userId:only-there', async (owners) => owners.includes('userId:only-there')),
    ).toEqual({ userIds: [] });
  });

  test('ends the sessions: a token from before does not make the user anew, the next sign-in may', async () => {
    const userId = `leaver-${Math.floor(api.clock.now().getTime())}`;
    const put = async (jwt: string) =>
      (
        await api.call('PUT', api.path(`userId:${userId}`, '/legal-documents'), {
          key: api.clientKey,
          jwt,
          body: { type: 'svc-privacy-policy', acceptedAt: '2026-01-15T11:00:00Z' },
        })
      ).status;
    const old = await api.userJwt(userId);
    expect(await put(old)).toBe(200);
    api.clock.advance(1_000);
    await erase(`userId:${userId}`);
    api.clock.advance(6_000);
    expect(await put(old)).toBe(401);
    expect((await api.call('GET', api.path(`userId:${userId}`))).status).toBe(404);
    expect(await put(await api.userJwt(userId))).toBe(200);
  });

  test('takes everybody who became the person', async () => {
    for (const locator of ['email:one@example.com', 'userId:two'])
      await api.call('PUT', api.path(locator), { body: {} });
    await api.call('PUT', api.path('userId:two'), {
      body: { locators: ['email:one@example.com'] },
    });
    expect((await erase('userId:two')).userIds).toHaveLength(2);
    expect((await api.call('GET', api.path('email:one@example.com'))).status).toBe(404);
  });

  test('a new user of the same name is somebody else', async () => {
    const put = async () =>
      (await api.call('PUT', api.path('email:again@example.com'), { body: {} })).body
        .userId as string;
    const first = await put();
    await erase('email:again@example.com');
    expect(await put()).not.toBe(first);
  });
});

test('the command asks first, erases, and says what it did', async () => {
  await api.call('PUT', api.path('email:typed@example.com'), { body: {} });
  const lines: string[] = [];
  const { identityCommand, usersCommand } = await import('../operator/people/command.ts');
  const run = (argv: string[], command = usersCommand) =>
    command(
      { ...api.ctx },
      { argv, print: (line) => void lines.push(line), projectOf: async () => api.projectId },
    );
  await expect(run(['erase', 'email:typed@example.com'])).rejects.toThrow('cannot be undone');
  await expect(run(['erase'])).rejects.toThrow('Name the user');
  await expect(run(['list', 'email:typed@example.com'])).rejects.toThrow('list --find email:');
  await run(['list', '--find', 'typed@example.com', '--json']);
  expect(JSON.parse(lines.at(-1)!)).toEqual({
    users: [
      expect.objectContaining({
        locator: expect.stringMatching(/^(userId|email):/),
        hasData: false,
      }),
    ],
  });
  await run(['sign-out', 'email:typed@example.com']);
  expect(lines.at(-1)).toMatch(
    /^Signed out: email:typed@example\.com, userId:[0-9a-f-]{36}\. Tokens issued until now are refused/,
  );
  await expect(run(['sign-out'])).rejects.toThrow('Name the user');
  await expect(run(['frobnicate'])).rejects.toThrow('Unknown command');
  await run(['erase', 'email:typed@example.com', '--yes']);
  expect(lines.at(-1)).toContain('Erased: ');
  await expect(run(['erase', 'email:typed@example.com', '--yes'])).rejects.toThrow(
    'User not found',
  );
  await run(['disable'], identityCommand);
  await run(['status'], identityCommand);
  expect(lines.at(-1)).toContain('not enabled');
  await run(['enable'], identityCommand);
  await run(['status', '--json'], identityCommand);
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ enabled: true, company: 'sandbox' });
});
