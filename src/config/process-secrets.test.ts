import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from './load-config.ts';
import { foreignSecrets, processSecrets, type SecretHolder } from './process-secrets.ts';
import { loadRunnerConfig } from './runner/load-runner-config.ts';
import { type Setting, type SettingName, settings } from './settings.ts';
import { loadVaultConfig } from './vault/load-vault-config.ts';

const load: Readonly<Record<SecretHolder, (variables: Record<string, string>) => unknown>> = {
  api: (variables) => loadConfig(variables, { process: 'api' }),
  worker: (variables) => loadConfig(variables, { process: 'worker' }),
  migrate: (variables) => loadConfig(variables, { process: 'migrate' }),
  purser: (variables) => loadConfig(variables, { process: 'purser' }),
  vault: loadVaultConfig,
  runner: loadRunnerConfig,
};
function problemsOf(process: SecretHolder, variables: Record<string, string>): readonly string[] {
  try {
    load[process](variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
const processes = Object.keys(processSecrets) as SecretHolder[];
const secrets = settings.flatMap((setting: Setting) =>
  setting.secret ? [setting.name as SettingName] : [],
);

describe.each(processes)('%s', (process) => {
  it('refuses to start with each secret that is not on its list, also from a file, and says whose it is', () => {
    expect(foreignSecrets(process).length).toBeGreaterThan(10);
    for (const name of foreignSecrets(process))
      for (const form of [name, `${name}_FILE`])
        expect(problemsOf(process, { PURSER_ENVIRONMENT: 'staging', [form]: 'x' })).toContainEqual(
          expect.stringMatching(
            new RegExp(
              `^${form} belongs to [a-z, ]+: leave it out of the environment of ${process}\\.$`,
            ),
          ),
        );
  });

  it('asks for no secret that it may not know', () => {
    const missing = problemsOf(process, {
      PURSER_ENVIRONMENT: 'production',
      KYC: 'persona',
      CARD_PROVIDER: 'stripe',
      CARD_SOURCE: 'stripe-issuing',
      EMAIL: 'smtp',
      SMTP_USER: 'purser',
      SMS: 'http',
      PRICING: 'coingecko',
      EVM_RPC_URL_BASE: 'https://node.example',
      VAULT_ORIGIN: 'https://vault.example',
      RUNNER_PUBLIC_KEY: 'ab'.repeat(32),
    });
    const asked = missing
      .map((problem) => problem.split(' ')[0])
      .filter((word) => (foreignSecrets(process) as readonly string[]).includes(word!));
    expect(asked).toEqual([]);
  });
});

it('each secret is on the list of some process', () => {
  expect(
    secrets.filter((name) => processes.every((process) => foreignSecrets(process).includes(name))),
  ).toEqual([]);
});

it('the keys of an instance lie with whoever uses them', () => {
  const holders = (name: SettingName) =>
    processes.filter((process) => !foreignSecrets(process).includes(name));
  expect(
    (
      [
        'KEY_SIGNING_SEED',
        'TREASURY_KEY_ENCRYPTION_KEYS',
        'EVM_EXECUTOR_KEYS',
        'EVM_TREASURY_KEY',
        'VAULT_WORKER_SEED',
      ] as const
    ).map(holders),
  ).toEqual([
    ['purser'],
    ['worker', 'purser'],
    ['worker'],
    ['worker', 'purser'],
    ['worker', 'purser'],
  ]);
  expect(processSecrets.migrate).toEqual(['DATABASE_URL']);
});
