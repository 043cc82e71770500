import type { Environment } from '../../context.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { IdentityConfig, KycConfig } from '../config.ts';
import type { SettingReader } from '../read-setting.ts';

const documentFieldPattern = /^\s*([a-z-]{1,40})=([a-z0-9_-]{1,100})\s*$/;
const documentTypes = [
  'id-ssn',
  'id-passport',
  'id-idcard-front',
  'id-idcard-back',
  'proof-of-address',
  'proof-of-income',
];
const personaVersion = '2023-01-05';

/** Identity verification, and the caps of what users may send. */
export function readIdentityConfig(
  reader: SettingReader,
  environment: Environment,
): IdentityConfig {
  const kyc = readKyc(reader, environment);
  return {
    kyc,
    privacyPolicySince: readInstant(reader),
    privacyPolicyUrl: readPolicyUrl(reader, kyc),
    limits: {
      documentUploadsPerDayMax: reader.integer('DOCUMENT_UPLOADS_PER_DAY'),
      walletLinksPerDayMax: reader.integer('WALLET_LINKS_PER_DAY'),
      identityStartsPerDayMax: reader.integer('IDENTITY_STARTS_PER_DAY'),
    },
  };
}

function readKyc(reader: SettingReader, environment: Environment): KycConfig {
  const kind = reader.oneOf(
    'KYC',
    ['off', 'sandbox', 'persona'],
    environment === 'production' ? 'off' : 'sandbox',
  );
  if (kind === 'sandbox' && environment === 'production')
    reader.problems.push(
      'KYC=sandbox is for development and staging: production needs persona, or off.',
    );
  if (kind === 'persona') return readPersona(reader);
  const names = [
    'PERSONA_TEMPLATE_LIGHT',
    'PERSONA_TEMPLATE_FULL',
    'PERSONA_ENVIRONMENT_ID',
    'PERSONA_DOCUMENT_FIELDS',
  ] as const;
  const stray: string[] = names.filter((name) => reader.text(name) !== undefined);
  if (reader.secret('PERSONA_API_KEY') !== undefined) stray.push('PERSONA_API_KEY');
  if (stray.length > 0)
    reader.problems.push(
      `${stray.join(', ')}: set, and KYC is ${kind}. Set KYC=persona, or remove them.`,
    );
  return { kind };
}

function readPersona(reader: SettingReader): KycConfig {
  const apiKey = reader.secret('PERSONA_API_KEY');
  const secrets = (reader.secret('PERSONA_WEBHOOK_SECRETS') ?? '')
    .split(',')
    .flatMap((text) => text.trim() || []);
  const light = reader.text('PERSONA_TEMPLATE_LIGHT');
  const full = reader.text('PERSONA_TEMPLATE_FULL');
  if (apiKey === undefined && reader.mayKnow('PERSONA_API_KEY'))
    reader.problems.push('PERSONA_API_KEY is not set, and KYC is persona.');
  if (secrets.length === 0 && reader.mayKnow('PERSONA_WEBHOOK_SECRETS'))
    reader.problems.push(
      'PERSONA_WEBHOOK_SECRETS is not set, and KYC is persona: it is the secret of the webhook, or two with a comma while one is replaced.',
    );
  if (light === undefined || full === undefined)
    reader.problems.push(
      'PERSONA_TEMPLATE_LIGHT and PERSONA_TEMPLATE_FULL are both needed with KYC=persona: ids of inquiry templates.',
    );
  return {
    kind: 'persona',
    url: readUrl(reader, 'PERSONA_URL', 'https://api.withpersona.com/api/v1'),
    hostedUrl: readUrl(reader, 'PERSONA_HOSTED_URL', 'https://inquiry.withpersona.com/verify'),
    version: reader.text('PERSONA_VERSION') ?? personaVersion,
    apiKey: new Secret(apiKey ?? ''),
    callbackSecrets: secrets.map((text) => new Secret(text)),
    templates: { light: light ?? '', full: full ?? '' },
    environmentId: reader.text('PERSONA_ENVIRONMENT_ID'),
    documentFields: readDocumentFields(reader),
    passesWhen: reader.oneOf('PERSONA_PASSES_WHEN', ['approved', 'completed'], 'approved'),
  };
}

function readPolicyUrl(reader: SettingReader, { kind }: KycConfig): string | undefined {
  const text = reader.text('PRIVACY_POLICY_URL');
  if (text === undefined && kind === 'persona')
    reader.problems.push(
      'PRIVACY_POLICY_URL is not set, and KYC is persona: orders show people who have not accepted your privacy policy where it is.',
    );
  if (text !== undefined && !(URL.canParse(text) && new URL(text).protocol === 'https:'))
    reader.problems.push('PRIVACY_POLICY_URL is an https address.');
  return text;
}

function readUrl(
  reader: SettingReader,
  name: 'PERSONA_URL' | 'PERSONA_HOSTED_URL',
  fallback: string,
): string {
  const text = reader.text(name) ?? fallback;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.hash !== '')
    reader.problems.push(`${name} is an https address.`);
  return text;
}

function readDocumentFields(reader: SettingReader): ReadonlyMap<string, string> {
  const entries = (reader.text('PERSONA_DOCUMENT_FIELDS') ?? '')
    .split(',')
    .filter((entry) => entry.trim() !== '');
  const fields = new Map<string, string>();
  for (const entry of entries) {
    const [, documentType, field] = documentFieldPattern.exec(entry) ?? [];
    if (documentType === undefined || field === undefined || !documentTypes.includes(documentType))
      reader.problems.push(
        `PERSONA_DOCUMENT_FIELDS is a list such as "id-passport=passport-photo", with commas between; the document types are ${documentTypes.join(', ')}.`,
      );
    else fields.set(documentType, field);
  }
  return fields;
}

function readInstant(reader: SettingReader): Date | undefined {
  const text = reader.text('PRIVACY_POLICY_SINCE');
  if (text === undefined) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN);
  if (Number.isNaN(at.getTime())) {
    reader.problems.push('PRIVACY_POLICY_SINCE is a date or an instant, e.g. 2026-01-15.');
    return undefined;
  }
  return at;
}
