import type { Environment } from '../../context.ts';
import { normalizeEmail } from '../../lib/people/email.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { Config, MessagingConfig, ScreeningConfig } from '../config.ts';
import type { SettingReader } from '../read-setting.ts';
import type { SettingName } from '../settings.ts';

/** Who sends e-mails and short messages. */
export function readMessaging(
  reader: SettingReader,
  environment: Environment,
): Config['messaging'] {
  return { email: readEmail(reader, environment), sms: readSms(reader, environment) };
}

const smtpNames = [
  'EMAIL_FROM',
  'SMTP_HOST',
  'SMTP_PORT',
  'SMTP_SECURITY',
  'SMTP_USER',
  'SMTP_PASSWORD',
] as const;
const smsNames = ['SMS_URL', 'SMS_ACCOUNT_ID', 'SMS_AUTH_TOKEN', 'SMS_FROM'] as const;

function readEmail(reader: SettingReader, environment: Environment): MessagingConfig['email'] {
  const kind = reader.oneOf('EMAIL', ['smtp', 'sandbox', 'off'], standardOf(environment));
  refuseSandbox(reader, environment, { name: 'EMAIL', kind, others: 'smtp or off' });
  if (kind !== 'smtp') {
    refuseUnused(reader, smtpNames, `EMAIL is ${kind}: set EMAIL=smtp, or remove it.`);
    return { kind };
  }
  const security = reader.oneOf('SMTP_SECURITY', ['starttls', 'tls', 'none'], 'starttls');
  if (security === 'none' && environment === 'production')
    reader.problems.push(
      'SMTP_SECURITY=none would send codes in the clear: production needs starttls or tls.',
    );
  const from = requireText(
    reader,
    'EMAIL_FROM',
    'sender of e-mails, as in Purser <codes@example.com>',
  );
  if (from !== '' && normalizeEmail(/<([^<>]*)>$/.exec(from)?.[1] ?? from) === undefined)
    reader.problems.push('EMAIL_FROM is an address or "Name <address>".');
  const user = reader.text('SMTP_USER');
  const password = reader.secret('SMTP_PASSWORD');
  if ((user === undefined) !== (password === undefined) && reader.mayKnow('SMTP_PASSWORD'))
    reader.problems.push('SMTP_USER and SMTP_PASSWORD: both are set or none is.');
  return {
    kind,
    host: requireText(reader, 'SMTP_HOST', 'host name of the mail server'),
    port: reader.integer('SMTP_PORT', security === 'tls' ? 465 : 587),
    security,
    from,
    ...(user === undefined || password === undefined
      ? {}
      : { user, password: new Secret(password) }),
  };
}

function readSms(reader: SettingReader, environment: Environment): MessagingConfig['sms'] {
  const kind = reader.oneOf('SMS', ['http', 'sandbox', 'off'], standardOf(environment));
  refuseSandbox(reader, environment, { name: 'SMS', kind, others: 'http or off' });
  if (kind !== 'http') {
    refuseUnused(reader, smsNames, `SMS is ${kind}: set SMS=http, or remove it.`);
    return { kind };
  }
  const url = requireText(reader, 'SMS_URL', 'base address of the SMS company');
  if (url !== '' && (!URL.canParse(url) || new URL(url).protocol !== 'https:'))
    reader.problems.push('SMS_URL is an https address.');
  const authToken = reader.secret('SMS_AUTH_TOKEN');
  if (authToken === undefined && reader.mayKnow('SMS_AUTH_TOKEN'))
    reader.problems.push('SMS_AUTH_TOKEN is not set: it is the token of the SMS account.');
  return {
    kind,
    url,
    accountId: requireText(reader, 'SMS_ACCOUNT_ID', 'account at the SMS company'),
    authToken: new Secret(authToken ?? ''),
    from: requireText(reader, 'SMS_FROM', 'number that short messages come from'),
  };
}

/**
 * Which sanctions lists are compared with. Production has to say it, and cannot mean the sandbox.
 */
export function readScreening(reader: SettingReader, environment: Environment): ScreeningConfig {
  if (environment === 'production' && reader.text('SCREENING') === undefined)
    reader.problems.push(
      'SCREENING is not set: production compares with sanctions lists (files), or says that it does not (off).',
    );
  const kind = reader.oneOf(
    'SCREENING',
    ['files', 'sandbox', 'off'],
    environment === 'production' ? 'off' : 'sandbox',
  );
  refuseSandbox(reader, environment, { name: 'SCREENING', kind, others: 'files or off' });
  if (kind !== 'files') {
    refuseUnused(
      reader,
      ['SCREENING_FILES'],
      `SCREENING is ${kind}: set SCREENING=files, or remove it.`,
    );
    return { kind };
  }
  const paths = requireText(reader, 'SCREENING_FILES', 'list of files with commas between')
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
  if (new Set(paths).size < paths.length)
    reader.problems.push('SCREENING_FILES names a file twice.');
  return { kind, paths };
}

function standardOf(environment: Environment): 'off' | 'sandbox' {
  return environment === 'production' ? 'off' : 'sandbox';
}

function refuseSandbox(
  reader: SettingReader,
  environment: Environment,
  input: { readonly name: SettingName; readonly kind: string; readonly others: string },
): void {
  if (input.kind === 'sandbox' && environment === 'production')
    reader.problems.push(
      `${input.name}=sandbox is for development and staging: production needs ${input.others}.`,
    );
}

/** A setting that nobody reads is a mistake: its author thinks that it works. */
function refuseUnused(reader: SettingReader, names: readonly SettingName[], because: string): void {
  const isSet = (name: SettingName) =>
    (isSecret(name) ? reader.secret(name) : reader.text(name)) !== undefined;
  const unused = names.filter(isSet);
  if (unused.length > 0) reader.problems.push(`${unused.join(', ')}: set, and ${because}`);
}

function isSecret(name: SettingName): boolean {
  return name === 'SMTP_PASSWORD' || name === 'SMS_AUTH_TOKEN';
}

function requireText(reader: SettingReader, name: SettingName, what: string): string {
  const text = reader.text(name);
  if (text === undefined) reader.problems.push(`${name} is not set: it is the ${what}.`);
  return text ?? '';
}
