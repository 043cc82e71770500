import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { developmentConfig } from './development-config.ts';
import { ConfigError } from './load-config.ts';
import { readSecrets } from './secret-folder.ts';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'purser-dev-'));
  folders.push(folder);
  return folder;
}

const configOf = (dataDir: string) =>
  developmentConfig({ dataDir, databaseUrl: 'postgres://localhost/purser', rpcUrls: new Map() });
const secretsOf = (dataDir: string) => {
  const { keySigning, keyEncryptionKeys, evm } = configOf(dataDir);
  return [
    keySigning.privateKeySeed!.reveal(),
    keyEncryptionKeys[0]!.key.reveal(),
    ...evm.executorKeys.map((key) => key.reveal()),
    evm.treasuryKey!.reveal(),
  ].map(String);
};

test('a second start finds the secrets of the first, and another folder has others', () => {
  const first = aFolder();
  expect(secretsOf(first)).toEqual(secretsOf(first));
  expect(new Set([...secretsOf(first), ...secretsOf(aFolder())]).size).toBe(14);
});

test('only the owner can read the secrets', () => {
  const folder = aFolder();
  secretsOf(folder);
  const files = readdirSync(join(folder, 'secrets'));
  expect(files).toHaveLength(28);
  for (const file of files)
    expect(statSync(join(folder, 'secrets', file)).mode & 0o777).toBe(0o600);
});

test('a damaged secret stops the start with its path', () => {
  const folder = aFolder();
  secretsOf(folder);
  writeFileSync(join(folder, 'secrets', 'treasury-key'), 'half');
  expect(() => configOf(folder)).toThrow(/treasury-key is damaged.*--reset/);
});

const withDatabase = (folder: string) =>
  mkdirSync(join(folder, 'postgres', 'data'), { recursive: true });
const aSecret = expect.stringMatching(/^[0-9a-f]{64}$/);

test.each([
  'key-encryption-key',
  'key-signing-seed',
  'treasury-key',
  'executor-key-3',
  'user-jwt-seed',
])('a lost %s stops the start once there is a database, and is not replaced', (name) => {
  const folder = aFolder();
  secretsOf(folder);
  withDatabase(folder);
  const path = join(folder, 'secrets', name);
  rmSync(path);
  for (const again of [1, 2]) {
    expect(() => configOf(folder), `${again}`).toThrow(ConfigError);
    expect(() => configOf(folder), `${again}`).toThrow(`${path} is missing`);
    expect(() => configOf(folder), `${again}`).toThrow('npm start -- --reset');
  }
});

test.each(['the whole folder', '.complete'])('losing %s as well makes no difference', (what) => {
  const folder = aFolder();
  secretsOf(folder);
  withDatabase(folder);
  rmSync(join(folder, 'secrets', what === '.complete' ? what : ''), { recursive: true });
  rmSync(join(folder, 'secrets', 'treasury-key'), { force: true });
  expect(() => configOf(folder)).toThrow(/treasury-key is missing/);
});

test('a first start that was killed among its secrets goes on with those it made', () => {
  const folder = aFolder();
  secretsOf(folder);
  for (const name of ['.complete', 'treasury-key', 'key-signing-seed'])
    rmSync(join(folder, 'secrets', name));
  const kept = readFileSync(join(folder, 'secrets', 'executor-key-1'), 'utf8').trim();
  expect(secretsOf(folder)).toContain(`0x${kept}`);
  withDatabase(folder);
  expect(secretsOf(folder)).toEqual(secretsOf(folder));
});

test('a later version adds its own kind of secret to an old folder, and an older one still reads it', () => {
  const folder = aFolder();
  readSecrets(folder, ['old']);
  withDatabase(folder);
  const added = readSecrets(folder, ['old', 'new']);
  expect([...added]).toEqual([
    ['old', aSecret],
    ['new', aSecret],
  ]);
  expect(readSecrets(folder, ['old', 'new'])).toEqual(added);
  readSecrets(folder, ['old']);
  rmSync(join(folder, 'secrets', 'new'));
  expect(() => readSecrets(folder, ['old', 'new'])).toThrow(/new is missing/);
});

test('a secret that cannot be read is named', () => {
  const folder = aFolder();
  mkdirSync(join(folder, 'secrets', 'old'), { recursive: true });
  expect(() => readSecrets(folder, ['old'])).toThrow(/secrets\/old cannot be read \(EISDIR\)/);
});
