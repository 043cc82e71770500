/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { SecretHolder } from '../../src/config/process-secrets.ts';
import { internalPublicKey } from '../../src/lib/net/signed-requests.ts';
import { overwriteFreed } from '../../src/vault/server/process-memory.ts';
import { type ServiceProcess, startProcess } from '../harness/processes.ts';
import { makeProductionSecrets, productionEnv } from '../harness/production.ts';
import { programArgs } from '../harness/programs.ts';
import { settingsFor } from '../harness/settings-for.ts';

const ran: ServiceProcess[] = [];
afterAll(() => Promise.all(ran.map((process) => process.stop('SIGKILL'))));

const programs: Readonly<Record<SecretHolder, readonly [program: string, ...args: string[]]>> = {
  api: ['bin/api.ts'],
  worker: ['bin/worker.ts'],
  migrate: ['bin/purser.mjs', 'migrate'],
  purser: ['bin/purser.mjs', 'projects', 'list'],
  vault: ['bin/vault.ts'],
  runner: ['bin/runner.ts'],
};
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const publicKey = () => text(internalPublicKey(randomBytes(32)));
const remote = 'postgres://purser:hunter2@db.purser.example:5432/purser?sslmode=require';
/** An instance whose database and worker are on other machines. */
const instance = productionEnvOf({ databaseUrl: remote });

function productionEnvOf({
  databaseUrl,
}: {
  readonly databaseUrl: string;
}): Record<string, string> {
  const secrets = makeProductionSecrets(1);
  return {
    ...productionEnv({
      process: 'worker',
      databaseUrl,
      secrets,
      rpcUrls: { base: 'http://node.purser.example' },
    }),
    KEY_SIGNING_SEED: secrets.keySigningSeed,
    VAULT_DATABASE_URL: databaseUrl,
    VAULT_KEY_ENCRYPTION_KEYS: `one=${text(randomBytes(32))}`,
    VAULT_SIGNING_SEED: text(randomBytes(32)),
    VAULT_PEERS: `worker=${publicKey()}`,
    VAULT_URL: 'https://vault.purser.example/api',
    PAYOUT_PROVIDERS: 'off',
    RUNNER_SEED: text(randomBytes(32)),
    RUNNER_DOOR_ORIGIN: 'http://worker.purser.example:3002',
    RUNNER_DOOR_PUBLIC_KEY: publicKey(),
  };
}

async function start(
  name: SecretHolder,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const [program, ...args] = programs[name];
  const process = startProcess({ name, program, args, env });
  ran.push(process);
  const { code } = await process.ended;
  return { code, output: process.output() };
}

it.each<[SecretHolder, string]>([
  ['api', 'DATABASE_URL'],
  ['worker', 'DATABASE_URL'],
  ['migrate', 'DATABASE_URL'],
  ['purser', 'DATABASE_URL'],
  ['vault', 'VAULT_DATABASE_URL'],
])(
  '%s does not start in production on another machine’s database that could be anybody’s',
  async (name, setting) => {
    const { code, output } = await start(name, settingsFor(name, instance));
    expect(code).toBe(1);
    expect(output).toContain(
      `- ${setting} is reached with TLS that trusts whoever answers: production needs sslmode=verify-full at its end`,
    );
    expect(output).toContain(
      '- EVM_RPC_URL_BASE is reached without TLS: production needs an https address.',
    );
    expect(output).not.toMatch(/hunter2|^\s+at /m);
  },
);

it('the runner does not start in production where its worker is asked in plain http', async () => {
  const { code, output } = await start('runner', settingsFor('runner', instance));
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('- RUNNER_DOOR_ORIGIN is reached without TLS'),
  ]);
});

it.each<[SecretHolder, string, string]>([
  ['api', 'KEY_SIGNING_SEED', 'purser'],
  ['worker', 'VAULT_SIGNING_SEED', 'vault'],
  ['migrate', 'KEY_ENCRYPTION_KEYS', 'api, worker, and purser'],
  ['purser', 'EVM_EXECUTOR_KEYS', 'worker'],
  ['vault', 'KEY_ENCRYPTION_KEYS', 'api, worker, and purser'],
  ['runner', 'DATABASE_URL', 'api, worker, migrate, and purser'],
])('%s does not start with %s, and says whose it is', async (name, secret, holders) => {
  const { code, output } = await start(name, {
    ...settingsFor(name, instance),
    [secret]: instance[secret]!,
  });
  expect(code).toBe(1);
  expect(output).toContain(
    `- ${secret} belongs to ${holders}: leave it out of the environment of ${name}.`,
  );
  expect(output).not.toContain(instance[secret]!);
});

it('what PLAINTEXT_HOSTS allows is said at the start', async () => {
  const hosts = 'db.purser.example,node.purser.example,worker.purser.example';
  // Nobody is there: it ends after the warning, without a database.
  const { code, output } = await start('migrate', {
    ...settingsFor('migrate', instance),
    PLAINTEXT_HOSTS: hosts,
  });
  expect(code).toBe(1);
  expect(output).toContain(
    'without TLS that is verified, this reaches db.purser.example, node.purser.example',
  );
  expect(output).not.toContain('The configuration is not valid');
});

const mayRaise =
  process.platform === 'linux' &&
  !/^Max core file size\s+\S+\s+0/m.test(readFileSync('/proc/self/limits', 'utf8'));
it.runIf(mayRaise)(
  'the vault does not start in production where its memory could be written to a file, or keeps what was freed',
  () => {
    const env = settingsFor(
      'vault',
      productionEnvOf({ databaseUrl: 'postgres://purser@127.0.0.1:9/purser' }),
    );
    const startWith = (limit: string, tunables = overwriteFreed) =>
      spawnSync(
        '/bin/sh',
        [
          '-c',
          `ulimit -S -c ${limit}; exec "$0" "$@"`,
          process.execPath,
          ...programArgs('bin/vault.ts'),
        ],
        {
          env: {
            PATH: process.env.PATH ?? '',
            ...env,
            EVM_RPC_URL_BASE: '',
            RUNNER_DOOR_ORIGIN: '',
            GLIBC_TUNABLES: tunables,
          },
          encoding: 'utf8',
        },
      );
    const refused = startWith('1000');
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^The vault may write core dumps \(limit: \d+\)/),
    ]);
    const keeping = startWith('0', '');
    expect([keeping.status, keeping.stderr]).toEqual([
      1,
      expect.stringMatching(/^The vault’s memory would keep/),
    ]);
    // Else it comes as far as its database, which is not there.
    const passed = startWith('0');
    expect([passed.status, passed.stderr]).toEqual([
      1,
      expect.stringContaining('connect ECONNREFUSED'),
    ]);
  },
);
