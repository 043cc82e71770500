import type { Environment } from '../../context.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { SettingReader } from '../read-setting.ts';
import type { PayoutConfig, PayoutProviderConfig } from './payout-config.ts';

const kinds = ['sandbox', 'column'] as const;
type Kind = (typeof kinds)[number];
const columnSettings = ['COLUMN_URL', 'COLUMN_BANK_ACCOUNT_ID'] as const;
const columnSecrets = ['COLUMN_API_KEY', 'COLUMN_WEBHOOK_SECRETS'] as const;

/** The allow-list of the vault. Whoever is not named is never called. */
export function readPayoutConfig(reader: SettingReader, environment: Environment): PayoutConfig {
  const names = readNames(reader, environment);
  if (names.includes('sandbox') && environment === 'production')
    reader.problems.push(
      'PAYOUT_PROVIDERS names sandbox, which pays nobody: production needs column, or off.',
    );
  if (names.includes('sandbox') && names.length > 1)
    reader.problems.push(
      'PAYOUT_PROVIDERS names sandbox beside a real bank: which one pays would be luck. Keep one of them.',
    );
  if (!names.includes('column')) refuseStray(reader);
  return names.map(
    (name): PayoutProviderConfig => (name === 'column' ? readColumn(reader) : { kind: name }),
  );
}

function readNames(reader: SettingReader, environment: Environment): Kind[] {
  const text =
    reader.text('PAYOUT_PROVIDERS') ?? (environment === 'production' ? 'off' : 'sandbox');
  if (text === 'off') return [];
  const names = text.split(',').map((name) => name.trim());
  const known = names.flatMap((name) => kinds.find((kind) => kind === name) ?? []);
  if (known.length < names.length)
    reader.problems.push(
      `PAYOUT_PROVIDERS is off, or names of ${kinds.join(', ')} with commas between.`,
    );
  if (new Set(known).size < known.length)
    reader.problems.push('PAYOUT_PROVIDERS names a company twice.');
  return known;
}

function readColumn(reader: SettingReader): PayoutProviderConfig {
  const url = reader.textOrFallback('COLUMN_URL');
  const apiKey = reader.secret('COLUMN_API_KEY');
  const bankAccountId = reader.text('COLUMN_BANK_ACCOUNT_ID');
  const secrets = (reader.secret('COLUMN_WEBHOOK_SECRETS') ?? '')
    .split(',')
    .flatMap((secret) => secret.trim() || []);
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    reader.problems.push('COLUMN_URL is an https address.');
  if (apiKey === undefined)
    reader.problems.push('COLUMN_API_KEY is not set, and PAYOUT_PROVIDERS names column.');
  if (bankAccountId === undefined || !/^[A-Za-z0-9_]{1,100}$/.test(bankAccountId))
    reader.problems.push(
      'COLUMN_BANK_ACCOUNT_ID is the id of the account that payouts are made from, as in bacc_…',
    );
  if (secrets.length === 0 || secrets.length > 2)
    reader.problems.push(
      'COLUMN_WEBHOOK_SECRETS is the secret of the webhook endpoint, or two with a comma while one is replaced.',
    );
  return {
    kind: 'column',
    url,
    apiKey: new Secret(apiKey ?? ''),
    bankAccountId: bankAccountId ?? '',
    webhookSecrets: secrets.map((secret) => new Secret(secret)),
  };
}

/** A bank that is configured and not named would be taken for one that pays. */
function refuseStray(reader: SettingReader): void {
  const stray: string[] = columnSettings.filter((name) => reader.text(name) !== undefined);
  stray.push(...columnSecrets.filter((name) => reader.secret(name) !== undefined));
  if (stray.length > 0)
    reader.problems.push(
      `${stray.join(', ')}: set, and PAYOUT_PROVIDERS does not name column. Name it, or remove them.`,
    );
}
