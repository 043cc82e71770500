import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { developmentConfig } from './development-config.ts';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'purser-dev-'));
  folders.push(folder);
  return folder;
}

const configOf = (dataDir: string) => developmentConfig({ dataDir, databaseUrl: 'postgres://localhost/purser', rpcUrls: new Map() });
const secretsOf = (dataDir: string) => {
  const { keySigning, keyEncryptionKeys, evm } = configOf(dataDir);
  return [keySigning.privateKeySeed!.reveal(), keyEncryptionKeys[0]!.key.reveal(), ...evm.executorKeys.map((key) => key.reveal()), evm.treasuryKey!.reveal()].map(String);
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
  expect(files).toHaveLength(8);
  for (const file of files) expect(statSync(join(folder, 'secrets', file)).mode & 0o777).toBe(0o600);
});

test('a damaged secret stops the start with its path', () => {
  const folder = aFolder();
  secretsOf(folder);
  writeFileSync(join(folder, 'secrets', 'treasury-key'), 'half');
  expect(() => configOf(folder)).toThrow(/treasury-key is damaged/);
});
