import { type Setting, type SettingName, settings } from './settings.ts';

/** The secrets that a process may know. It refuses to start with any other one: with it, one stolen process would be two. */
export const processSecrets = {
  vault: [
    'VAULT_DATABASE_URL',
    'VAULT_KEY_ENCRYPTION_KEYS',
    'VAULT_SIGNING_SEED',
    'VAULT_AWS_SECRET_ACCESS_KEY',
    'VAULT_AWS_SESSION_TOKEN',
    'VAULT_GCP_SERVICE_ACCOUNT',
    'VAULT_OPENBAO_TOKEN',
    'COLUMN_API_KEY',
    'COLUMN_WEBHOOK_SECRETS',
  ],
  runner: ['RUNNER_SEED', 'RUNNER_PLANNER_KEY'],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

/** Every secret but those on its list. */
export function foreignSecrets(process: keyof typeof processSecrets): readonly SettingName[] {
  const own: readonly string[] = processSecrets[process];
  return settings.flatMap((setting: Setting) => (setting.secret && !own.includes(setting.name) ? [setting.name as SettingName] : []));
}
