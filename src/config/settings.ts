import { aptosSettings } from './families/aptos-settings.ts';
import { evmSettings } from './families/evm-settings.ts';
import { solanaSettings } from './families/solana-settings.ts';
import { stellarSettings } from './families/stellar-settings.ts';
import { suiSettings } from './families/sui-settings.ts';
import { checkoutSettings } from './runner/checkout-settings.ts';

/**
 * A variable of the environment, as it is documented. `load-config.ts` reads none that is not
 * listed here.
 */
export interface Setting {
  /** A name ending in `*` stands for one variable per chain, e.g. `EVM_RPC_URL_BASE_SEPOLIA`. */
  readonly name: string;
  /**
   * Of a secret: the processes that may know it. Every other one refuses to start with it: with it,
   * one stolen process would be two. It may also come from a file: `<NAME>_FILE` holds its path.
   */
  readonly secret?: readonly SecretHolder[];
  /** It is a whole number within these bounds; `fallback` when absent, where it is always the same. */
  readonly integer?: { readonly fallback?: number; readonly min: number; readonly max: number };
  /** The text that holds when it is not set. */
  readonly fallback?: string;
  /**
   * What holds when it is not set, where no fallback says it; `required` names the processes that do
   * not start without it.
   */
  readonly whenAbsent?: string;
  readonly description: string;
}

/**
 * A process as its secrets are counted. `migrate` is `purser migrate`, `purser` every other command
 * on the main database. `npm start` is one process of everything, made for development alone, and
 * reads no environment: it may know every secret.
 */
export type SecretHolder = 'api' | 'worker' | 'migrate' | 'purser' | 'vault' | 'runner';

export const settings = [
  {
    name: 'PURSER_ENVIRONMENT',
    whenAbsent: 'required',
    description:
      '`development`, `staging` or `production`. Development and staging serve test networks, production serves main networks. An API key works in its own environment only.',
  },
  { name: 'HOST', fallback: '127.0.0.1', description: 'Address the API listens on.' },
  {
    name: 'PORT',
    integer: { fallback: 3_000, min: 1, max: 65_535 },
    description: 'Port the API listens on.',
  },
  {
    name: 'BASE_URL',
    whenAbsent: 'required by api',
    description:
      'Address of the interface as callers see it; ends in `/api`. In production an https address.',
  },
  {
    name: 'TRUST_PROXY',
    integer: { fallback: 0, min: 0, max: 10 },
    description:
      'How many proxies of yours stand before the process and add to `X-Forwarded-For`: who is calling is read that many steps from its end, and what the caller wrote before counts for nothing.',
  },
  {
    name: 'CONSOLE_URL',
    whenAbsent: 'there is no console',
    description:
      'Address of the operators’ console as they see it; ends in `/console`, on the host of the API, https. The same for API, worker and `purser`: passkeys are bound to its name. Absent, the API serves neither pages nor routes of it.',
  },
  {
    name: 'OPERATOR_SECOND_PERSON_ABOVE',
    whenAbsent: 'one person decides',
    description:
      'Amounts above which a decision of an operator takes a second one, as in `usd:1000,eur:900,usdc:1000`; a currency that is not named takes two for any amount. Above them a decision is made in the console, where both sign. The same for API, worker and `purser`.',
  },
  {
    name: 'METRICS_HOST',
    fallback: '127.0.0.1',
    description: 'Address that `/metrics` is served on.',
  },
  {
    name: 'METRICS_PORT',
    whenAbsent: '`9464`; in development not served',
    integer: { fallback: 9_464, min: 1, max: 65_535 },
    description:
      'Port that `/metrics` is served on, or `off`. Never the port of the API: it asks for no key.',
  },
  {
    name: 'DATABASE_URL',
    secret: ['api', 'worker', 'migrate', 'purser'],
    whenAbsent: 'required',
    description: 'Address of the main database: `postgres://user:password@host:5432/name`.',
  },
  {
    name: 'DATABASE_POOL_SIZE',
    integer: { fallback: 20, min: 2, max: 1_000 },
    description: 'Connections that each process may open.',
  },
  {
    name: 'PLAINTEXT_HOSTS',
    whenAbsent: 'none',
    description:
      'Hosts that production may reach without TLS, or with TLS that trusts whoever answers, with commas between: `database,vault`, `{hostname}` for this machine. Without it production refuses databases without `sslmode=verify-full` (or `sslrootcert`) and http addresses, except on its own machine. Only for a network of your own; each start warns.',
  },
  {
    name: 'SERVICE_DOMAIN',
    whenAbsent: 'the host of `BASE_URL`',
    description: 'Domain that self-issued end-user JWTs name as audience (`aud`).',
  },
  {
    name: 'KEY_SIGNING_SEED',
    secret: ['purser'],
    whenAbsent: 'required by purser to create keys',
    description:
      'Ed25519 seed that signs API keys: 32 bytes as hex or base64. One for development and staging, another one for production.',
  },
  {
    name: 'KEY_SIGNING_PUBLIC_KEY',
    whenAbsent: 'required by api and vault; of purser the seed’s',
    description:
      'Ed25519 public key that API keys are checked with: 32 bytes as hex or base64. `purser keys public-key` prints it.',
  },
  {
    name: 'KEY_ENCRYPTION_KEYS',
    secret: ['api', 'worker', 'purser'],
    whenAbsent: 'required by api and worker',
    description:
      'Keys that seal what must not lie readable in the database, and rows that decide who may act, as `id=key` with commas between: 32 bytes each as hex or base64. The first seals, all open: to rotate, put a new one in front. Commands that make or read such rows need them too (`purser keys`, `issuers`).',
  },
  {
    name: 'TREASURY_KEY_ENCRYPTION_KEYS',
    secret: ['worker', 'purser'],
    whenAbsent: 'required by worker',
    description:
      'Keys that seal the keys of treasuries, in the same form, and none of `KEY_ENCRYPTION_KEYS`. Only the worker opens them, and `purser treasury withdraw`: the API gets none, so that its host can empty no treasury.',
  },
  {
    name: 'RATE_LIMIT_WRITES_PER_MINUTE',
    whenAbsent: '`120`; in development `off`',
    integer: { fallback: 120, min: 1, max: 10_000_000 },
    description: 'POST, PUT, PATCH and DELETE of one project in a minute, or `off`.',
  },
  {
    name: 'RATE_LIMIT_READS_PER_MINUTE',
    whenAbsent: '`360`; in development `off`',
    integer: { fallback: 360, min: 1, max: 10_000_000 },
    description: 'GET of one project in a minute, or `off`. Both limits are on or both are off.',
  },
  ...evmSettings,
  ...solanaSettings,
  ...aptosSettings,
  ...stellarSettings,
  ...suiSettings,
  {
    name: 'PRICING',
    whenAbsent: 'required in production; else `sandbox`',
    description: '`coingecko`, or outside production `sandbox` (a fixed table of prices).',
  },
  {
    name: 'COINGECKO_URL',
    fallback: 'https://api.coingecko.com/api/v3',
    description: 'Address of the price service.',
  },
  {
    name: 'COINGECKO_API_KEY',
    secret: ['api', 'worker'],
    whenAbsent: 'none is sent',
    description: 'Its API key.',
  },
  {
    name: 'EMAIL',
    whenAbsent: '`off` in production; else `sandbox`',
    description:
      'Who sends e-mails: `smtp`, `off`, or outside production `sandbox` (nothing leaves; `purser outbox` shows them). With `off`, e-mail signers are refused.',
  },
  {
    name: 'EMAIL_FROM',
    whenAbsent: 'required with `EMAIL=smtp`',
    description: 'Sender of e-mails: an address, or `Name <address>`.',
  },
  { name: 'SMTP_HOST', whenAbsent: 'required with `EMAIL=smtp`', description: 'The mail server.' },
  {
    name: 'SMTP_PORT',
    whenAbsent: '`587`; with `SMTP_SECURITY=tls` `465`',
    integer: { min: 1, max: 65_535 },
    description: 'Its port.',
  },
  {
    name: 'SMTP_SECURITY',
    whenAbsent: '`starttls`',
    description:
      '`starttls` (the connection is upgraded, or nothing is sent), `tls` (encrypted from the first byte), or outside production `none`.',
  },
  { name: 'SMTP_USER', whenAbsent: 'no sign-in', description: 'User at the mail server.' },
  {
    name: 'SMTP_PASSWORD',
    secret: ['api', 'worker'],
    whenAbsent: 'no sign-in',
    description: 'Its password.',
  },
  {
    name: 'SMS',
    whenAbsent: '`off` in production; else `sandbox`',
    description:
      'Who sends short messages: `http`, `off`, or outside production `sandbox`. With `off`, phone signers are refused.',
  },
  {
    name: 'SMS_URL',
    whenAbsent: 'required with `SMS=http`',
    description:
      'Base address of the SMS company; messages are posted to `<SMS_URL>/Accounts/<SMS_ACCOUNT_ID>/Messages.json`.',
  },
  {
    name: 'SMS_ACCOUNT_ID',
    whenAbsent: 'required with `SMS=http`',
    description: 'Account at the SMS company.',
  },
  {
    name: 'SMS_AUTH_TOKEN',
    secret: ['api'],
    whenAbsent: 'required with `SMS=http`',
    description: 'Its token.',
  },
  {
    name: 'SMS_FROM',
    whenAbsent: 'required with `SMS=http`',
    description: 'Number or sender id that short messages come from.',
  },
  {
    name: 'CARD_PROVIDER',
    whenAbsent: '`off` in production, else `sandbox`',
    description:
      'Who takes card payments: `stripe`, `sandbox` (an acquirer of its own, steered by card numbers: `docs/guides/cards.md`; not in production) or `off`.',
  },
  {
    name: 'STRIPE_SECRET_KEY',
    secret: ['api', 'worker', 'purser'],
    whenAbsent: 'required with `CARD_PROVIDER=stripe`',
    description:
      'Stripe’s secret or restricted key: `sk_live_…` or `rk_live_…` in production, `sk_test_…` or `rk_test_…` elsewhere.',
  },
  {
    name: 'STRIPE_PUBLISHABLE_KEY',
    whenAbsent: 'required with `CARD_PROVIDER=stripe`',
    description:
      'Stripe’s key for browsers, of the same account and mode: `pk_live_…` or `pk_test_…`.',
  },
  {
    name: 'STRIPE_WEBHOOK_SECRETS',
    secret: ['api'],
    whenAbsent: 'required with `CARD_PROVIDER=stripe`',
    description:
      'Signing secret of Stripe’s webhook endpoint, `whsec_…`; two with a comma between while one is replaced.',
  },
  {
    name: 'STRIPE_URL',
    fallback: 'https://api.stripe.com',
    description: 'Address of Stripe’s API.',
  },
  {
    name: 'SIGNER_CODES_PER_HOUR',
    integer: { fallback: 1_000, min: 1, max: 10_000_000 },
    description:
      'One-time codes that one project may send in an hour. Limits per signer and wallet are fixed.',
  },
  {
    name: 'SCREENING',
    whenAbsent: 'required in production; else `sandbox`',
    description:
      'Sanctions lists that recipients are compared with: `files`, `off` (nothing is compared), or outside production `sandbox`.',
  },
  {
    name: 'SCREENING_FILES',
    whenAbsent: 'required with `SCREENING=files`',
    description:
      'Paths with commas between: lists with an address per line, JSON lists, or `sdn_advanced.xml`. A changed file is read again by itself.',
  },
  {
    name: 'KYC',
    whenAbsent: '`off` in production; else `sandbox`',
    description:
      'The company that checks identities: `persona`, `off` (no project has the product), or outside production `sandbox` (steered by names). See [identity.md](identity.md).',
  },
  {
    name: 'PERSONA_API_KEY',
    secret: ['api', 'worker'],
    whenAbsent: 'required with `KYC=persona`',
    description: 'Key of the company’s interface.',
  },
  {
    name: 'PERSONA_WEBHOOK_SECRETS',
    secret: ['api'],
    whenAbsent: 'required with `KYC=persona`',
    description:
      'Secret of the webhook that the company calls; two with a comma between while one is replaced.',
  },
  {
    name: 'PERSONA_TEMPLATE_LIGHT',
    whenAbsent: 'required with `KYC=persona`',
    description: 'Inquiry template of the light check, `itmpl_…`.',
  },
  {
    name: 'PERSONA_TEMPLATE_FULL',
    whenAbsent: 'required with `KYC=persona`',
    description: 'Inquiry template of the full check, `itmpl_…`.',
  },
  {
    name: 'PERSONA_ENVIRONMENT_ID',
    whenAbsent: 'is not told',
    description: 'For the company’s browser component, `env_…`.',
  },
  {
    name: 'PERSONA_DOCUMENT_FIELDS',
    whenAbsent: 'documents are taken on the company’s page',
    description:
      'Template fields that take a file, by document type, with commas between: `id-passport=passport-photo`.',
  },
  {
    name: 'PERSONA_PASSES_WHEN',
    whenAbsent: '`approved`',
    description:
      '`completed` where the templates make no decision of their own: then a completed inquiry has passed.',
  },
  {
    name: 'PERSONA_URL',
    whenAbsent: '`https://api.withpersona.com/api/v1`',
    description: 'Base address of the company’s interface.',
  },
  {
    name: 'PERSONA_HOSTED_URL',
    whenAbsent: '`https://inquiry.withpersona.com/verify`',
    description: 'Where the company shows an inquiry.',
  },
  {
    name: 'PERSONA_VERSION',
    whenAbsent: '`2023-01-05`',
    description: 'Dated version of the company’s interface.',
  },
  {
    name: 'PRIVACY_POLICY_SINCE',
    whenAbsent: 'every acceptance counts',
    description:
      'Since when the present privacy policy holds, as a date or instant: who accepted it earlier is asked again.',
  },
  {
    name: 'PRIVACY_POLICY_URL',
    whenAbsent: 'a page of the sandbox',
    description:
      'Where people read your privacy policy: orders of those who have not accepted it name it in `legal.requirements`. Needed with `KYC=persona`.',
  },
  {
    name: 'DOCUMENT_UPLOADS_PER_DAY',
    integer: { fallback: 10_000, min: 1, max: 100_000_000 },
    description: 'Documents that one project may upload in a day.',
  },
  {
    name: 'WALLET_LINKS_PER_DAY',
    integer: { fallback: 100_000, min: 1, max: 100_000_000 },
    description: 'Calls that link wallets, of one project in a day.',
  },
  {
    name: 'IDENTITY_STARTS_PER_DAY',
    integer: { fallback: 10_000, min: 1, max: 100_000_000 },
    description: 'Identity checks that one project may start in a day.',
  },
  {
    name: 'VAULT_URL',
    whenAbsent: 'required by vault',
    description:
      'Address of the vault’s interface as callers see it; ends in `/api`. In production an https address. The api names it to whoever sends an account number to the wrong host. See [vault.md](vault.md).',
  },
  { name: 'VAULT_HOST', fallback: '0.0.0.0', description: 'Address the vault listens on.' },
  {
    name: 'VAULT_PORT',
    integer: { fallback: 3_001, min: 1, max: 65_535 },
    description: 'Port the vault listens on.',
  },
  {
    name: 'VAULT_DATABASE_URL',
    secret: ['vault'],
    whenAbsent: 'required by vault',
    description:
      'Address of the vault’s own database. Only for the vault, which in turn refuses `DATABASE_URL`.',
  },
  {
    name: 'VAULT_DATABASE_POOL_SIZE',
    integer: { fallback: 20, min: 2, max: 1_000 },
    description: 'Connections that each vault process may open.',
  },
  {
    name: 'VAULT_KEY_ENCRYPTION_KEYS',
    secret: ['vault'],
    whenAbsent: 'required by vault',
    description:
      'Keys that wrap the data keys of users, as `id=key` with commas between: 32 random bytes as hex or base64, `aws-kms:<key ARN>`, `gcp-kms:projects/…/cryptoKeys/…`, or `openbao:<transit key>`. The first wraps, all unwrap: to rotate, put a new one in front.',
  },
  {
    name: 'VAULT_SIGNING_SEED',
    secret: ['vault'],
    whenAbsent: 'required by vault',
    description:
      'Ed25519 seed that signs the vault’s answers to the main side: 32 bytes as hex or base64. `purser vault identity` makes one.',
  },
  {
    name: 'VAULT_PEERS',
    whenAbsent: 'required by vault',
    description: 'Public keys of the processes that may ask: `api=<32 bytes>,worker=<32 bytes>`.',
  },
  {
    name: 'VAULT_ORIGIN',
    whenAbsent: 'there is no vault, payment methods are refused',
    description:
      'Where api and worker reach the vault, without a path: `http://vault:3001`. Inside your network: the port is never public beyond `/api`.',
  },
  {
    name: 'VAULT_PUBLIC_KEY',
    whenAbsent: 'required with `VAULT_ORIGIN`',
    description: 'Ed25519 public key of `VAULT_SIGNING_SEED`.',
  },
  {
    name: 'VAULT_API_SEED',
    secret: ['api'],
    whenAbsent: 'required by api with `VAULT_ORIGIN`',
    description: 'Ed25519 seed with which the api signs what it asks the vault.',
  },
  {
    name: 'VAULT_WORKER_SEED',
    secret: ['worker', 'purser'],
    whenAbsent: 'required by worker with `VAULT_ORIGIN`',
    description: 'The same of the worker, which may pay out and erase. Never in the api.',
  },
  {
    name: 'VAULT_AWS_ACCESS_KEY_ID',
    whenAbsent: 'required with an `aws-kms` key',
    description: 'Who uses the AWS key.',
  },
  {
    name: 'VAULT_AWS_SECRET_ACCESS_KEY',
    secret: ['vault'],
    whenAbsent: 'required with an `aws-kms` key',
    description: 'Its secret.',
  },
  {
    name: 'VAULT_AWS_SESSION_TOKEN',
    secret: ['vault'],
    whenAbsent: 'none is sent',
    description: 'Session token of temporary credentials.',
  },
  {
    name: 'VAULT_AWS_KMS_URL',
    whenAbsent: 'the region’s own',
    description: 'Address of AWS KMS, e.g. of a VPC endpoint.',
  },
  {
    name: 'VAULT_GCP_SERVICE_ACCOUNT',
    secret: ['vault'],
    whenAbsent: 'required with a `gcp-kms` key',
    description:
      'JSON of the key of a service account that may encrypt and decrypt with the Google key.',
  },
  {
    name: 'VAULT_GCP_KMS_URL',
    whenAbsent: '`https://cloudkms.googleapis.com/`',
    description: 'Address of Google Cloud KMS.',
  },
  {
    name: 'VAULT_OPENBAO_URL',
    whenAbsent: 'required with an `openbao` key',
    description: 'Address of OpenBao.',
  },
  {
    name: 'VAULT_OPENBAO_TOKEN',
    secret: ['vault'],
    whenAbsent: 'required with an `openbao` key',
    description: 'Token that may encrypt and decrypt with the transit key.',
  },
  {
    name: 'VAULT_OPENBAO_MOUNT',
    fallback: 'transit',
    description: 'Where the transit engine is mounted.',
  },
  {
    name: 'PAYOUT_PROVIDERS',
    whenAbsent: '`off` in production; else `sandbox`',
    description:
      'The only companies that the vault hands payouts to, the preferred one first: `column`, outside production `sandbox`, or `off`. For the vault only. See [payouts.md](payouts.md).',
  },
  {
    name: 'PAYOUT_NEW_DESTINATION_WAIT_HOURS',
    whenAbsent: '`24` in production; else `0`',
    integer: { min: 0, max: 168 },
    description:
      'Hours that a payout waits for after its recipient saved the account, 0 to 168, until `purser payouts limits` says otherwise. For the vault only. See [payouts.md](payouts.md).',
  },
  {
    name: 'COLUMN_URL',
    fallback: 'https://api.column.com',
    description: 'Address of Column’s API.',
  },
  {
    name: 'COLUMN_API_KEY',
    secret: ['vault'],
    whenAbsent: 'required with `column`',
    description: 'Its API key.',
  },
  {
    name: 'COLUMN_BANK_ACCOUNT_ID',
    whenAbsent: 'required with `column`',
    description: 'The account there that payouts are made from.',
  },
  {
    name: 'COLUMN_WEBHOOK_SECRETS',
    secret: ['vault'],
    whenAbsent: 'required with `column`',
    description:
      'Secret of the webhook endpoint `<VAULT_URL>/callbacks/payouts/column`; two with a comma while one is replaced by the other.',
  },
  ...checkoutSettings,
  {
    name: 'LOG_LEVEL',
    whenAbsent: '`info`',
    description: '`fatal`, `error`, `warn`, `info`, `debug` or `silent`.',
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]['name'];
/** Settings that are whole numbers; those of them that have a fallback; texts that have one. */
export type IntegerName = NameOf<{ readonly integer: object }>;
export type IntegerWithFallback = NameOf<{ readonly integer: { readonly fallback: number } }>;
export type TextWithFallback = NameOf<{ readonly fallback: string }>;
type NameOf<Shape> = Extract<(typeof settings)[number], Shape>['name'];
