import { type Setting, type SettingName, settings } from './settings.ts';

/**
 * The secrets that a process may know. It refuses to start with any other one: with it, one stolen
 * process would be two. `migrate` is `purser migrate`, `purser` every other command on the main
 * database. `npm start` is one process of everything, made for development alone, and reads no
 * environment: these lists do not bind it.
 */
export const processSecrets = {
  api: [
    'DATABASE_URL',
    'KEY_ENCRYPTION_KEYS',
    'COINGECKO_API_KEY',
    'SMTP_PASSWORD',
    'SMS_AUTH_TOKEN',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRETS',
    'PERSONA_API_KEY',
    'PERSONA_WEBHOOK_SECRETS',
    'VAULT_API_SEED',
    'RUNNER_LIVE_SEED',
  ],
  worker: [
    'DATABASE_URL',
    'KEY_ENCRYPTION_KEYS',
    'TREASURY_KEY_ENCRYPTION_KEYS',
    'EVM_EXECUTOR_KEYS',
    'EVM_TREASURY_KEY',
    'SOLANA_FEE_PAYER_KEYS',
    'SUI_FEE_PAYER_KEYS',
    'SOLANA_TREASURY_KEY',
    'APTOS_FEE_PAYER_KEYS',
    'APTOS_TREASURY_KEY',
    'STELLAR_FEE_PAYER_KEYS',
    'STELLAR_TREASURY_KEY',
    'SUI_TREASURY_KEY',
    'COINGECKO_API_KEY',
    'SMTP_PASSWORD',
    'STRIPE_SECRET_KEY',
    'STRIPE_ISSUING_SECRET_KEY',
    'PERSONA_API_KEY',
    'VAULT_WORKER_SEED',
    'RUNNER_DOOR_SEED',
  ],
  migrate: ['DATABASE_URL'],
  purser: [
    'DATABASE_URL',
    'KEY_SIGNING_SEED',
    'KEY_ENCRYPTION_KEYS',
    'TREASURY_KEY_ENCRYPTION_KEYS',
    'EVM_TREASURY_KEY',
    'SOLANA_TREASURY_KEY',
    'APTOS_TREASURY_KEY',
    'STELLAR_TREASURY_KEY',
    'SUI_TREASURY_KEY',
    'STRIPE_SECRET_KEY',
    'VAULT_WORKER_SEED',
  ],
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
  runner: [
    'RUNNER_SEED',
    'RUNNER_PLANNER_KEY',
    'RUNNER_COMMERCE_TOKENIZERS',
    'RUNNER_COMMERCE_ACP_SHOPS',
  ],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

/** A process as its secrets are counted. */
export type SecretHolder = keyof typeof processSecrets;

const holders = Object.keys(processSecrets) as SecretHolder[];

/** Whether a secret is on the list of a process. */
export function mayKnow(process: SecretHolder, name: SettingName): boolean {
  return (processSecrets[process] as readonly SettingName[]).includes(name);
}

/** Every secret but those on its list. */
export function foreignSecrets(process: SecretHolder): readonly SettingName[] {
  return settings.flatMap((setting: Setting) =>
    setting.secret && !mayKnow(process, setting.name as SettingName)
      ? [setting.name as SettingName]
      : [],
  );
}

/** The processes that may know a secret, as a sentence names them. */
export function holdersOf(name: SettingName): string {
  return new Intl.ListFormat('en').format(holders.filter((process) => mayKnow(process, name)));
}
