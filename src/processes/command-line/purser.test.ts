import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { keyCacheMs, keysCommand } from '../../areas/api-keys/index.ts';
import { userRoutes } from '../../areas/identity/routes.ts';
import { issuersCommand, projectsCommand, tokenCommand } from '../../areas/projects/index.ts';
import { developmentConfig, developmentSecrets } from '../../config/development-config.ts';
import { route } from '../../http/routes/route.ts';
import { createManualClock } from '../../lib/clock.ts';
import { explainFailure } from '../../lib/command.ts';
import { commandNames } from './areas.ts';
import { runPurser } from './purser.ts';

const whoami = route({
  method: 'GET',
  path: '/2025-06-09/whoami',
  operationId: 'whoami',
  summary: 'Who',
  tag: 'Test',
  family: 'W',
  auth: { keys: 'both', user: 'optional', scopes: ['wallets.read'] },
  responses: { 200: { description: 'Caller.', schema: z.looseObject({ projectId: z.string() }) } },
  errors: [],
  handler: async ({ caller }) => ({
    status: 200,
    body: { projectId: caller.projectId, user: caller.user, email: caller.verifiedEmail },
  }),
});

const clock = createManualClock(new Date());
const dataDir = mkdtempSync(join(tmpdir(), 'purser-cli-'));
let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await startTestDatabase({
    keyEncryptionKeys: [{ id: 'development', key: developmentSecrets(dataDir).keyEncryptionKey }],
  });
  const config = developmentConfig({ dataDir, databaseUrl: database.url, rpcUrls: new Map() });
  api = await startTestApi({
    routes: [whoami, ...userRoutes],
    database,
    clock,
    config: {
      keySigning: config.keySigning,
      serviceDomain: config.serviceDomain,
      keyEncryptionKeys: config.keyEncryptionKeys,
    },
  });
  writeFileSync(
    join(dataDir, 'dev.json'),
    JSON.stringify({ baseUrl: api.baseUrl, databaseUrl: database.url, projectId: api.projectId }),
  );
});
afterAll(async () => {
  await api.close();
  await database.close();
  rmSync(dataDir, { recursive: true });
});

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const ofFolder = { PURSER_DATA_DIR: dataDir };

/**
 * Runs the command line in this process, on the local instance of `dataDir` or on what `env` says.
 */
async function purser(
  args: readonly string[],
  env: Record<string, string> = ofFolder,
): Promise<Outcome> {
  const lines: string[] = [];
  try {
    const code = await runPurser({ args, env, print: (line) => lines.push(line) });
    return { code, out: lines.join('\n'), err: '' };
  } catch (error) {
    return { code: 1, out: lines.join('\n'), err: explainFailure(error) };
  }
}

/** What a command that must succeed printed. */
async function outputOf(args: readonly string[], env?: Record<string, string>): Promise<string> {
  const { code, out, err } = await purser(args, env);
  expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
  return out;
}

const shim = fileURLToPath(new URL('../../../bin/purser.mjs', import.meta.url));

/**
 * The same as a program of its own. It has no time-out: a loaded machine would fail tests that the
 * program passes.
 */
async function spawnPurser(
  args: readonly string[],
  env: Record<string, string> = ofFolder,
): Promise<Outcome> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [shim, ...args], {
      env: { PATH: process.env.PATH, ...env },
    });
    return { code: 0, out: stdout.trim(), err: stderr.trim() };
  } catch (error) {
    const failed = error as { code: number; stdout: string; stderr: string };
    return { code: failed.code, out: failed.stdout.trim(), err: failed.stderr.trim() };
  }
}

test('a key is created, shown once, listed without its secret, rotated with overlap and revoked', async () => {
  const created = JSON.parse(
    await outputOf([
      'keys',
      'create',
      '--kind',
      'server',
      '--scopes',
      'wallets.read',
      '--name',
      'shop',
      '--json',
    ]),
  );
  expect((await api.call('GET', '/2025-06-09/whoami', { key: created.key })).body.projectId).toBe(
    api.projectId,
  );

  const list = await outputOf(['keys', 'list']);
  expect(list).toContain(created.id);
  expect(list).not.toContain(created.key);

  const rotated = JSON.parse(
    await outputOf(['keys', 'rotate', created.id, '--overlap', '1h', '--json']),
  );
  expect(rotated).toMatchObject({
    name: 'shop',
    scopes: ['wallets.read'],
    rotatedFrom: created.id,
  });
  clock.advance(keyCacheMs);
  expect((await api.call('GET', '/2025-06-09/whoami', { key: created.key })).status).toBe(200);
  expect((await api.call('GET', '/2025-06-09/whoami', { key: rotated.key })).status).toBe(200);
  clock.advance(61 * 60_000);
  expect((await api.call('GET', '/2025-06-09/whoami', { key: created.key })).status).toBe(401);
  expect((await api.call('GET', '/2025-06-09/whoami', { key: rotated.key })).status).toBe(200);
  clock.set(new Date());

  expect(await outputOf(['keys', 'revoke', rotated.id])).toContain('within 5 s');
  clock.advance(2 * keyCacheMs);
  expect(
    (await api.call('GET', '/2025-06-09/whoami', { key: rotated.key })).body.message,
  ).toContain('revoked');
});

test('purser token makes a JWT that the API takes for the end user', async () => {
  const jwt = await outputOf(['token', '--user', 'alice', '--email', 'A.Lice@gmail.com']);
  clock.advance(keyCacheMs);
  const { body } = await api.call('GET', '/2025-06-09/whoami', { key: api.clientKey, jwt });
  expect(body).toMatchObject({
    user: { kind: 'userId', value: 'alice' },
    email: 'alice@gmail.com',
  });
});

test('projects and trusted issuers are made, listed and removed', async () => {
  const project = JSON.parse(
    await outputOf(['projects', 'create', '--name', 'Second shop', '--json']),
  );
  expect(await outputOf(['projects', 'list'])).toContain('Second shop');
  const issuer = JSON.parse(
    await outputOf([
      'issuers',
      'add',
      '--project',
      project.id,
      '--issuer',
      'https://id.example',
      '--algorithm',
      'RS256',
      '--jwks-url',
      'https://id.example/jwks',
      '--json',
    ]),
  );
  expect(issuer).toMatchObject({ audiences: ['localhost'], jwksUrl: 'https://id.example/jwks' });
  expect(await outputOf(['issuers', 'list', '--project', project.id])).toContain(
    'https://id.example',
  );
  await outputOf(['issuers', 'remove', issuer.id]);
  expect(await outputOf(['issuers', 'list', '--project', project.id])).toBe('No trusted issuers.');
});

test('an issuer has the types and the age of sessions that --types and --age-max say', async () => {
  const add = (...args: string[]) =>
    purser(
      `issuers add --algorithm RS256 --jwks-url https://id.example/jwks --json`
        .split(' ')
        .concat(args),
    );
  const rulesOf = async (...args: string[]) => JSON.parse((await add(...args)).out).rules;
  expect(await rulesOf('--issuer', 'https://defaults.example')).toMatchObject({
    types: ['jwt', 'at+jwt'],
    ageMaxSeconds: 30 * 86_400,
  });
  const chosen = ['--types', 'access+jwt, at+jwt', '--age-max', '12h'];
  expect(await rulesOf('--issuer', 'https://chosen.example', ...chosen)).toMatchObject({
    types: ['access+jwt', 'at+jwt'],
    ageMaxSeconds: 12 * 3_600,
  });
  for (const [option, value, sentence] of [
    ['--types', 'JWT', 'A type is like jwt or at+jwt.'],
    ['--types', ',', 'Name at least one type.'],
    ['--age-max', '59s', 'Sessions last at least a minute.'],
    ['--age-max', '367d', 'Sessions last at most 366 days.'],
    ['--age-max', 'soon', '"soon" is no length of time'],
  ] as const) {
    const { code, err } = await add('--issuer', 'https://wrong.example', option, value);
    expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
  }
});

test.each([
  ['keys', 'list'],
  ['keys', 'create', '--kind', 'server'],
  ['issuers', 'list'],
  ['token', '--user', 'alice'],
])('purser %s %s says which project there is not', async (...args) => {
  for (const id of ['x', '0190f5fe-7c00-7a00-8000-000000000000']) {
    expect(await purser([...args, '--project', id])).toEqual({
      code: 1,
      out: '',
      err: `There is no project "${id}": see \`purser projects list\`.`,
    });
  }
});

test('the data folder is named by --data as well, before or behind the command, and goes before the environment', async () => {
  const expected = await outputOf(['projects', 'list', '--json']);
  const elsewhere = {
    PURSER_DATA_DIR: join(dataDir, 'none'),
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
  };
  for (const args of [
    ['--data', dataDir, 'projects', 'list', '--json'],
    ['projects', 'list', `--data=${dataDir}`, '--json'],
    ['projects', 'list', '--json', '--data', dataDir],
  ]) {
    expect(await outputOf(args, elsewhere)).toBe(expected);
  }
  expect((await purser(['projects', 'list', '--data', join(dataDir, 'none')])).err).toContain(
    `no file ${join(dataDir, 'none', 'dev.json')}`,
  );
  for (const args of [
    ['projects', 'list', '--data'],
    ['--data=', 'projects', 'list'],
    ['--data', '--json', 'projects', 'list'],
  ])
    expect((await purser(args)).err).toContain('--data needs the name of a folder');
  expect(await outputOf(['help'])).toContain('--data <folder>');
});

test('with DATABASE_URL it works on that database, and makes no tokens', async () => {
  const env = {
    PURSER_ENVIRONMENT: 'staging',
    DATABASE_URL: database.url,
    KEY_SIGNING_SEED: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  };
  const create = ['keys', 'create', '--kind', 'client', '--project', api.projectId];
  expect((await purser(create, env)).err).toContain('KEY_ENCRYPTION_KEYS is not set');
  const { keyEncryptionKey } = developmentSecrets(dataDir);
  const KEY_ENCRYPTION_KEYS = `development=${Buffer.from(keyEncryptionKey.reveal()).toString('hex')}`;
  expect(await outputOf(create, { ...env, KEY_ENCRYPTION_KEYS })).toMatch(/^ck_staging_/);
  expect(
    (await purser(['token', '--user', 'alice', '--project', api.projectId], env)).err,
  ).toContain('development only');
  expect((await purser(['migrate'], env)).err).toContain('KEY_SIGNING_SEED');
  expect(await outputOf(['migrate'], { ...env, KEY_SIGNING_SEED: '' })).toContain('up to date');
});

test('each command on the database is recorded: who, what, when, how it ended, and nothing that names people or opens anything', async () => {
  const issuer = 'https://recorded.example';
  await outputOf([
    'keys',
    'create',
    '--kind',
    'server',
    '--scopes=wallets.read',
    '--name',
    'canary shop',
  ]);
  const unknown = await purser(['users', 'show', 'email:canary@shop.example']);
  expect(unknown.code).toBe(1);
  await purser(['users', 'show', 'email:canary@shop.example']);
  await purser(['issuers', 'add', '--issuer', issuer]);
  const log = await outputOf(['operations', 'log', '--limit', '9']);
  expect(log).not.toContain('canary');
  const rows = log.split('\n').toReversed();
  const who = `${userInfo().username}@${hostname()}`;
  const told = rows.map((row) =>
    row.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}/, '').replaceAll(/#[\w-]{16}/g, '#'),
  );
  expect(told).toEqual([
    `begun   ${who}  purser keys create --kind server --scopes=wallets.read --name #`,
    `done    ${who}  purser keys create --kind server --scopes=wallets.read --name #`,
    `begun   ${who}  purser users show #`,
    `failed  ${who}  purser users show #`,
    `begun   ${who}  purser users show #`,
    `failed  ${who}  purser users show #`,
    `begun   ${who}  purser issuers add --issuer ${issuer}`,
    `failed  ${who}  purser issuers add --issuer ${issuer}`,
    `begun   ${who}  purser operations log --limit 9`,
  ]);
  // The same person is seen to be the same.
  expect(rows[2]!.split('#')[1]).toBe(rows[4]!.split('#')[1]);
  expect(JSON.parse(await outputOf(['operations', 'log', '--limit', '1', '--json']))).toMatchObject(
    [{ outcome: 'begun' }],
  );
  expect(await purser(['operations', 'log', '--limit', '0'])).toMatchObject({
    code: 1,
    err: '--limit is a whole number from 1 to 1000.',
  });
  for (const statement of [
    `update operator_commands set os_user = 'nobody'`,
    'delete from operator_commands',
    'truncate operator_commands',
  ])
    await expect(database.store.query({ text: statement })).rejects.toThrow('append-only');
});

test('jobs are shown', async () => {
  expect(await purser(['jobs'])).toMatchObject({ code: 0, out: 'No flows.' });
});

test('the page of an identity check is printed at the address where the local instance listens', async () => {
  const body = { type: 'svc-privacy-policy', acceptedAt: clock.now().toISOString() };
  expect(
    (await api.call('PUT', '/2025-06-09/users/userId:page/legal-documents', { body })).status,
  ).toBe(200);
  const page = await outputOf(['identity', 'open', 'userId:page', '--type', 'onramp-light']);
  expect(page.slice(0, page.lastIndexOf('/'))).toBe(`${api.baseUrl}/sandbox/identity`);
});

test('each mistake is one clear sentence', async () => {
  const cases: readonly [string[], string][] = [
    [['keys', 'frobnicate'], 'Unknown command'],
    [['keys', 'create'], '--kind server or --kind client'],
    [
      ['keys', 'create', '--kind', 'server', '--scopes', 'agent-checkouts.read'],
      'cannot carry agent-checkouts.read',
    ],
    [['keys', 'create', '--kind', 'client', '--origins', 'shop.example/path'], 'is no origin'],
    [['keys', 'create', '--colour', 'red', '--kind', 'server'], '--colour'],
    [['keys', 'revoke', 'none'], 'There is no key none'],
    [
      ['keys', 'rotate', '0190f5fe-7c00-7a00-8000-000000000000', '--overlap', 'soon'],
      'is no length of time',
    ],
    [
      [
        'issuers',
        'add',
        '--issuer',
        'x',
        '--algorithm',
        'HS256',
        '--jwks-url',
        'https://x.example',
      ],
      'The algorithm is one of',
    ],
    [
      ['issuers', 'add', '--issuer', 'x', '--algorithm', 'RS256', '--jwks-url', 'http://x.example'],
      'an https address',
    ],
    [['issuers', 'remove', 'none'], 'There is no trusted issuer'],
    [['token'], 'Name the end user'],
    [['projects', 'create'], 'Give the project a name'],
    [['projects', 'create', '--name', ' '], '1 to 120 printable characters'],
  ];
  const commands = {
    keys: keysCommand,
    issuers: issuersCommand,
    token: tokenCommand,
    projects: projectsCommand,
  };
  for (const [[command, ...argv], sentence] of cases) {
    const run = commands[command as keyof typeof commands];
    const input = {
      argv,
      print: (line: string) => expect.fail(`printed ${line}`),
      projectOf: async () => api.projectId,
      key: undefined,
    };
    await expect(run(api.ctx, input), argv.join(' ')).rejects.toThrow(sentence);
  }
});

test('help lists every command in a line, and says all of one, or of all', async () => {
  const help = await outputOf(['help']);
  for (const name of commandNames) {
    expect(help).toMatch(new RegExp(`^  purser ${name} +\\S`, 'm'));
    expect(await outputOf([name, '--help']), name).toContain(`purser ${name}`);
  }
  expect(await outputOf(['help', 'keys'])).toBe(await outputOf(['keys', '--help']));
  expect(await outputOf(['help', '--all'])).toContain('purser payouts');
  // What `print` returns is no exit code.
  expect(
    await runPurser({ args: ['orders'], env: ofFolder, print: () => 1 as unknown as void }),
  ).toBe(0);
  expect((await purser(['help', 'frobnicate'])).err).toContain('There is no command "frobnicate"');
});

test('the help of a command reads words only: what acts is read when it is to act', () => {
  const folder = new URL('./areas/', import.meta.url);
  // Light, measured: each is read in less than a tenth of a second.
  const light = /^(?:chains|mcp|operations|projects|requests|vault|webhooks)\.ts$/;
  const heavy = readdirSync(folder)
    .filter((file) => !light.test(file) && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      [
        ...readFileSync(new URL(file, folder), 'utf8').matchAll(
          /^import (?!type)[^;]* from '(.*)'/gm,
        ),
      ]
        .map(([, from]) => `${file}: ${from}`)
        .filter((line) => !/\/usage\.ts$|\/lib\/command\.ts$|\/lifecycle\.ts$/.test(line)),
    );
  expect(heavy).toEqual([]);
});

test('the key that checks API keys is that of the seed in the environment, or of the local instance', async () => {
  const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
  const publicKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
  const ofSeed = await outputOf(['keys', 'public-key'], { KEY_SIGNING_SEED: seed });
  expect(Buffer.from(ofSeed, 'base64').toString('hex')).toBe(publicKey);
  expect(Buffer.from(await outputOf(['keys', 'public-key']), 'base64')).toEqual(
    Buffer.from(api.ctx.config.keySigning.publicKey),
  );
  expect((await purser(['keys', 'public-key'], { KEY_SIGNING_SEED: 'abcd' })).err).toContain(
    'KEY_SIGNING_SEED is 32 random bytes',
  );
  expect((await purser(['keys', 'public-key', '--bogus'])).err).toContain('--bogus');
});

test('the requests to a local instance are shown as they come, without what else is in its log', {
  tags: 'slow',
}, async () => {
  const line = (route: string) =>
    `${JSON.stringify({ time: '2026-01-15T12:00:00.000Z', method: 'GET', route, status: 404, durationMs: 1.5, code: 'none', requestId: 'r', msg: 'request' })}\n`;
  const log = join(dataDir, 'purser.log');
  writeFileSync(log, `${line('/one')}{"msg":"the API listens"}\n${line('/two')}${line('/three')}`);
  expect(await outputOf(['requests', 'tail', '--last', '2', '--no-follow'])).toBe(
    '12:00:00  404  GET    /two  1.5 ms  none  r\n12:00:00  404  GET    /three  1.5 ms  none  r',
  );
  const child = spawn(process.execPath, [shim, 'requests', 'tail'], {
    env: { PATH: process.env.PATH, ...ofFolder },
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await expect.poll(() => text).toContain('/three');
  appendFileSync(log, line('/four').slice(0, 20));
  appendFileSync(log, line('/four').slice(20));
  await expect.poll(() => text).toContain('/four');
  child.kill('SIGINT');
  expect((await once(child, 'close'))[0]).toBe(0);
  expect((await purser(['requests', 'tail', '--data', join(dataDir, 'none')])).err).toContain(
    'npm start',
  );
});

test('the program prints what the command says and ends with exit code 0', {
  tags: 'slow',
}, async () => {
  expect(await spawnPurser(['projects', 'list'])).toEqual({
    code: 0,
    out: await outputOf(['projects', 'list']),
    err: '',
  });
});

test('a failure prints no stack trace and ends with exit code 1', { tags: 'slow' }, async () => {
  const nowhere = { PURSER_DATA_DIR: join(dataDir, 'none') };
  const deadDatabase = {
    PURSER_ENVIRONMENT: 'staging',
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    KEY_SIGNING_PUBLIC_KEY: `${'ab'.repeat(31)}01`,
  };
  const failures: Outcome[] = [];
  // One after the other: together they would only wait for each other's processor.
  for (const [args, env] of [
    [['frobnicate']],
    [['keys', 'list'], nowhere],
    [['keys', 'list'], deadDatabase],
    [['keys', 'list'], { DATABASE_URL: 'x' }],
  ] as const)
    failures.push(await spawnPurser(args, env));
  expect(failures.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  expect(failures.map(({ err }) => err.includes('    at '))).toEqual([false, false, false, false]);
  expect(failures.map(({ err }) => err.split('\n')[0])).toEqual([
    expect.stringContaining('Unknown command "frobnicate"'),
    expect.stringContaining('npm start'),
    expect.stringContaining('The database does not answer'),
    expect.stringContaining('The configuration is not valid'),
  ]);
});
