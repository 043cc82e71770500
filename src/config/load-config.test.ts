import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { configurationFile, renderConfigurationFile } from '../../scripts/configuration.ts';
import { settingsFor } from '../../test/harness/settings-for.ts';
import { ConfigError, loadConfig, type ProcessKind } from './load-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'purser-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const executor = `0x${'ab'.repeat(31)}01`;
const all = {
  PURSER_ENVIRONMENT: 'staging',
  BASE_URL: 'https://staging.purser.example/api',
  DATABASE_URL: 'postgres://purser:hunter2@db/purser?sslmode=verify-full',
  KEY_SIGNING_SEED: seed,
  KEY_ENCRYPTION_KEYS: `2026=${Buffer.from(seed, 'hex').toString('base64')}`,
  TREASURY_KEY_ENCRYPTION_KEYS: `2026=${'0123456789abcdef'.repeat(4)}`,
  EVM_RPC_URL_BASE_SEPOLIA: 'https://node.example/base-sepolia',
  EVM_EXECUTOR_KEYS: executor,
};
/** As the worker gets it. */
const staging: Record<string, string> = settingsFor('worker', all);
const production = {
  ...staging,
  PURSER_ENVIRONMENT: 'production',
  EVM_RPC_URL_BASE_SEPOLIA: undefined,
  EVM_RPC_URL_BASE: 'https://node.example/base',
  PRICING: 'coingecko',
  SCREENING: 'off',
};

function problemsOf(
  variables: Record<string, string | undefined>,
  process: ProcessKind = 'worker',
): readonly string[] {
  try {
    loadConfig(variables, { process });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('a complete environment gives a configuration with the published defaults', () => {
  const config = loadConfig(settingsFor('api', all), { process: 'api' });
  expect(config).toMatchObject({
    environment: 'staging',
    api: { baseUrl: 'https://staging.purser.example/api', port: 3_000, trustedProxies: 0 },
    metrics: { port: 9_464 },
    serviceDomain: 'staging.purser.example',
    rateLimits: { writesPerMinute: 120, readsPerMinute: 360 },
    pricing: { kind: 'sandbox' },
  });
  expect(config.evm.rpcUrls).toEqual(
    new Map([['base-sepolia', 'https://node.example/base-sepolia']]),
  );
  // RFC 8032, section 7.1, test 1.
  expect(Buffer.from(config.keySigning.publicKey).toString('hex')).toBe(
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  );
  expect(loadConfig(production, { process: 'worker' }).environment).toBe('production');
});

test('development has no rate limits and serves no metrics unless they are asked for', () => {
  const config = loadConfig(
    { ...settingsFor('api', all), PURSER_ENVIRONMENT: 'development' },
    { process: 'api' },
  );
  expect(config.rateLimits).toBeUndefined();
  expect(config.metrics).toBeUndefined();
});

test('amounts above which a decision takes a second person are named by currency', () => {
  const config = loadConfig(
    { ...staging, OPERATOR_SECOND_PERSON_ABOVE: 'usd:1000, usdc:0.5' },
    { process: 'worker' },
  );
  expect(config.secondPersonAbove).toEqual(
    new Map([
      ['usd', '1000'],
      ['usdc', '0.5'],
    ]),
  );
  expect(loadConfig(staging, { process: 'worker' }).secondPersonAbove).toBeUndefined();
});

test('a secret shows in no log', () => {
  const config = loadConfig(staging, { process: 'worker' });
  const shown = `${inspect(config, { depth: 10 })}${JSON.stringify(config, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
  for (const secret of ['hunter2', executor, Buffer.from(seed, 'hex').toString('base64')])
    expect(shown).not.toContain(secret);
});

test('a secret may come from a file', () => {
  const path = join(folder, 'seed');
  writeFileSync(path, `${seed}\n`);
  const own = settingsFor('purser', all);
  expect(
    problemsOf({ ...own, KEY_SIGNING_SEED: undefined, KEY_SIGNING_SEED_FILE: path }, 'purser'),
  ).toEqual([]);
  expect(problemsOf({ ...own, KEY_SIGNING_SEED_FILE: path }, 'purser')).toEqual([
    'KEY_SIGNING_SEED and KEY_SIGNING_SEED_FILE are both set: keep one of them.',
  ]);
  expect(
    problemsOf(
      { ...own, KEY_SIGNING_SEED: undefined, KEY_SIGNING_SEED_FILE: join(folder, 'none') },
      'purser',
    )[0],
  ).toContain('KEY_SIGNING_SEED_FILE');
});

test('an empty environment is told everything that is missing at once', () => {
  const problems = problemsOf({}, 'api');
  for (const name of [
    'PURSER_ENVIRONMENT',
    'BASE_URL',
    'DATABASE_URL',
    'KEY_SIGNING_PUBLIC_KEY',
    'KEY_ENCRYPTION_KEYS',
    'PRICING',
  ])
    expect(problems.some((problem) => problem.includes(name))).toBe(true);
});

describe('a start is refused, with the variable named, for', () => {
  const cases: readonly [string, Record<string, string | undefined>, RegExp][] = [
    [
      'an unknown environment',
      { ...staging, PURSER_ENVIRONMENT: 'live' },
      /^PURSER_ENVIRONMENT is one of/,
    ],
    [
      'a base address without /api',
      { ...staging, BASE_URL: 'https://purser.example' },
      /^BASE_URL .* ends in \/api/,
    ],
    [
      'plain http in production',
      { ...production, BASE_URL: 'http://purser.example/api' },
      /^BASE_URL is an https/,
    ],
    ...['usd', 'usd:-1', 'USD:100', 'usd:1:2', 'usd:100;eur:90'].map(
      (text): [string, Record<string, string | undefined>, RegExp] => [
        `amounts for a second person that say ${text}`,
        { ...staging, OPERATOR_SECOND_PERSON_ABOVE: text },
        /^OPERATOR_SECOND_PERSON_ABOVE names currencies/,
      ],
    ),
    ['a port that is no number', { ...staging, PORT: '80a' }, /^PORT is a whole number/],
    [
      'metrics on the public port',
      { ...staging, METRICS_PORT: '3000' },
      /^METRICS_PORT is the port of the API/,
    ],
    ['another database', { ...staging, DATABASE_URL: 'mysql://db' }, /^DATABASE_URL starts with/],
    [
      'half a public key',
      { ...staging, KEY_SIGNING_PUBLIC_KEY: 'abcd' },
      /^KEY_SIGNING_PUBLIC_KEY is 32 bytes/,
    ],
    [
      'a key-encryption key without id',
      { ...staging, KEY_ENCRYPTION_KEYS: seed },
      /^KEY_ENCRYPTION_KEYS is a list/,
    ],
    [
      'the same key-encryption id twice',
      { ...staging, KEY_ENCRYPTION_KEYS: `a=${seed},a=${executor}` },
      /^KEY_ENCRYPTION_KEYS names an id twice/,
    ],
    [
      'treasuries without a ring',
      { ...staging, TREASURY_KEY_ENCRYPTION_KEYS: undefined },
      /^TREASURY_KEY_ENCRYPTION_KEYS is not set/,
    ],
    [
      'treasuries sealed with a key of the API',
      { ...staging, TREASURY_KEY_ENCRYPTION_KEYS: `other=${seed}` },
      /^TREASURY_KEY_ENCRYPTION_KEYS repeats a key of KEY_ENCRYPTION_KEYS/,
    ],
    [
      'one limit on and one off',
      { ...staging, RATE_LIMIT_READS_PER_MINUTE: 'off' },
      /both are numbers or both are off/,
    ],
    [
      'a chain that does not exist',
      { ...staging, EVM_RPC_URL_BASE_SEPOLA: 'https://node.example' },
      /^EVM_RPC_URL_BASE_SEPOLA names no chain/,
    ],
    [
      'a main network in staging',
      { ...staging, EVM_RPC_URL_BASE: 'https://node.example' },
      /^EVM_RPC_URL_BASE names a main network/,
    ],
    [
      'a test network in production',
      { ...production, EVM_RPC_URL_BASE_SEPOLIA: 'https://node.example' },
      /^EVM_RPC_URL_BASE_SEPOLIA names a test network/,
    ],
    [
      'a node address that is none',
      { ...staging, EVM_RPC_URL_BASE_SEPOLIA: 'node' },
      /^EVM_RPC_URL_BASE_SEPOLIA is an http/,
    ],
    [
      'a bound that is no number',
      { ...staging, EVM_TIP_MAX_WEI_BASE_SEPOLIA: '2 gwei' },
      /^EVM_TIP_MAX_WEI_BASE_SEPOLIA is a whole number of wei/,
    ],
    [
      'a bound of no chain',
      { ...staging, EVM_FEE_MAX_WEI_BASE_SEPOLA: '2' },
      /^EVM_FEE_MAX_WEI_BASE_SEPOLA names no chain/,
    ],
    [
      'a worker without executors',
      { ...staging, EVM_EXECUTOR_KEYS: undefined },
      /^EVM_EXECUTOR_KEYS is not set/,
    ],
    [
      'one account in two roles',
      { ...staging, EVM_TREASURY_KEY: executor },
      /name an account twice/,
    ],
    [
      'a key that everybody knows',
      {
        ...staging,
        EVM_TREASURY_KEY: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
      },
      /^EVM_TREASURY_KEY holds a private key of local test nodes/,
    ],
    [
      'a test token in production',
      { ...production, EVM_TEST_TOKEN_ADDRESS: `0x${'1'.repeat(40)}` },
      /^EVM_TEST_TOKEN_ADDRESS is for development and staging/,
    ],
    [
      'the price sandbox in production',
      { ...production, PRICING: 'sandbox' },
      /^PRICING=sandbox is for development and staging/,
    ],
    [
      'a price service that is not used',
      { ...staging, COINGECKO_API_KEY: 'x' },
      /COINGECKO_API_KEY are set, and PRICING is sandbox/,
    ],
    ['a log level that is none', { ...staging, LOG_LEVEL: 'loud' }, /^LOG_LEVEL is one of/],
  ];
  test.each<[string, Record<string, string>, RegExp]>([
    ['a short signing seed', { KEY_SIGNING_SEED: 'abcd' }, /^KEY_SIGNING_SEED is 32 random bytes/],
    [
      'a signing seed of zeros',
      { KEY_SIGNING_SEED: '0'.repeat(64) },
      /^KEY_SIGNING_SEED is 32 random bytes/,
    ],
    [
      'a public key that is not the seed’s',
      { KEY_SIGNING_PUBLIC_KEY: seed },
      /^KEY_SIGNING_PUBLIC_KEY is not the public key/,
    ],
  ])('%s where keys are issued', (_, changes, expected) => {
    expect(problemsOf({ ...settingsFor('purser', all), ...changes }, 'purser')).toEqual([
      expect.stringMatching(expected),
    ]);
  });

  test.each(cases)('%s', (_, variables, expected) => {
    const problems = problemsOf(variables);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(expected);
  });
});

test('docs/guides/configuration.md lists every setting: else run npx tsx scripts/configuration.ts', () => {
  expect(readFileSync(configurationFile, 'utf8')).toBe(renderConfigurationFile());
});
