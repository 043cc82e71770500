import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { settings } from '../../src/config/settings.ts';
import { root } from './source-files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** What docker-compose.yml itself reads. */
const composeOnly = ['POSTGRES_PASSWORD', 'PUBLISH'];
const sample = Object.fromEntries(
  read('deploy/sample.env')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);

describe('deploy/sample.env', () => {
  it('has every setting, and none that nobody reads', () => {
    const isListed = (name: string) =>
      settings.some((setting) => (setting.name.endsWith('*') ? name.startsWith(setting.name.slice(0, -1)) : name === setting.name));
    const isSampled = (name: string) =>
      Object.keys(sample).some((one) => (name.endsWith('*') ? one.startsWith(name.slice(0, -1)) : one === name));
    expect(settings.map(({ name }) => name).filter((name) => !isSampled(name))).toEqual([]);
    expect(Object.keys(sample).filter((name) => !isListed(name) && !composeOnly.includes(name))).toEqual([]);
  });

  it('holds no secret, and says so of what has to be filled in', () => {
    const secrets = settings.filter((setting) => 'secret' in setting).map(({ name }) => name);
    expect([...secrets, 'POSTGRES_PASSWORD'].filter((name) => sample[name] !== '')).toEqual([]);
    expect(() => loadConfig(sample, { process: 'worker' })).toThrow(/DATABASE_URL[\s\S]*KEY_SIGNING_SEED[\s\S]*KEY_ENCRYPTION_KEYS/);
  });

  it('starts every process in production once it is filled in', () => {
    const aSecret = () => randomBytes(32).toString('base64');
    const filled = {
      ...sample,
      BASE_URL: 'https://purser.example/api',
      DATABASE_URL: 'postgres://purser:secret@database:5432/purser',
      KEY_SIGNING_SEED: aSecret(),
      KEY_ENCRYPTION_KEYS: `2026=${aSecret()}`,
      EVM_RPC_URL_BASE: 'https://node.example',
      EVM_EXECUTOR_KEYS: `0x${randomBytes(32).toString('hex')}`,
      EVM_TREASURY_KEY: `0x${randomBytes(32).toString('hex')}`,
    };
    for (const process of ['api', 'worker', 'purser'] as const) expect(loadConfig(filled, { process }).environment).toBe('production');
    // As docker-compose.yml gives it to the API and to the migrations.
    expect(loadConfig({ ...filled, EVM_EXECUTOR_KEYS: '', EVM_TREASURY_KEY: '' }, { process: 'api' }).evm.executorKeys).toEqual([]);
  });
});

describe('deploy/', () => {
  it('runs files that the build makes', () => {
    const { files } = JSON.parse(read('tsconfig.build.json')) as { files: string[] };
    const built = files.map((file) => `dist/${file.replace(/\.ts$/, '.js')}`);
    const used = [...`${read('deploy/Dockerfile')}${read('deploy/docker-compose.yml')}`.matchAll(/dist\/[\w/]+\.js/g)].map(
      ([path]) => path,
    );
    expect(used.length).toBeGreaterThan(4);
    expect(used.filter((path) => !built.includes(path))).toEqual([]);
  });
});
