import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createSettingReader } from '../read-setting.ts';
import { readIdentityConfig } from './read-identity.ts';

const persona = {
  KYC: 'persona',
  PERSONA_API_KEY: 'persona_production_1',
  PERSONA_WEBHOOK_SECRETS: 'wbhsec_new, wbhsec_old',
  PERSONA_TEMPLATE_LIGHT: 'itmpl_light',
  PERSONA_TEMPLATE_FULL: 'itmpl_full',
  PRIVACY_POLICY_URL: 'https://purser.example/privacy',
};

function read(
  variables: Record<string, string>,
  environment: 'development' | 'staging' | 'production' = 'production',
) {
  const reader = createSettingReader(variables);
  return { config: readIdentityConfig(reader, environment), problems: reader.problems };
}

test('without a word the sandbox serves development and staging, and production has no company', () => {
  expect(read({}, 'development')).toMatchObject({
    config: { kyc: { kind: 'sandbox' } },
    problems: [],
  });
  expect(read({}, 'staging')).toMatchObject({ config: { kyc: { kind: 'sandbox' } }, problems: [] });
  expect(read({})).toMatchObject({
    config: {
      kyc: { kind: 'off' },
      limits: {
        documentUploadsPerDayMax: 10_000,
        walletLinksPerDayMax: 100_000,
        identityStartsPerDayMax: 10_000,
      },
    },
    problems: [],
  });
});

test('production refuses the sandbox at start-up', () => {
  expect(read({ KYC: 'sandbox' }).problems).toEqual([
    'KYC=sandbox is for development and staging: production needs persona, or off.',
  ]);
});

test('a company is read with its published addresses', () => {
  const { config, problems } = read({
    ...persona,
    PERSONA_ENVIRONMENT_ID: 'env_1',
    PERSONA_DOCUMENT_FIELDS: 'id-passport=passport-photo, proof-of-address=utility_bill',
    PERSONA_PASSES_WHEN: 'completed',
    PRIVACY_POLICY_SINCE: '2026-01-01',
    DOCUMENT_UPLOADS_PER_DAY: '5',
  });
  expect(problems).toEqual([]);
  expect(config).toMatchObject({
    kyc: {
      kind: 'persona',
      url: 'https://api.withpersona.com/api/v1',
      hostedUrl: 'https://inquiry.withpersona.com/verify',
      version: '2023-01-05',
      templates: { light: 'itmpl_light', full: 'itmpl_full' },
      environmentId: 'env_1',
      passesWhen: 'completed',
      documentFields: new Map([
        ['id-passport', 'passport-photo'],
        ['proof-of-address', 'utility_bill'],
      ]),
    },
    privacyPolicySince: new Date('2026-01-01T00:00:00Z'),
    limits: { documentUploadsPerDayMax: 5 },
  });
  if (config.kyc.kind !== 'persona') throw new Error('another company');
  expect(config.kyc.callbackSecrets.map((secret) => secret.reveal())).toEqual([
    'wbhsec_new',
    'wbhsec_old',
  ]);
  expect(inspect(config, { depth: 10 })).not.toMatch(/wbhsec|persona_production/);
});

test.each([
  [
    { KYC: 'persona' },
    [
      'PERSONA_API_KEY is not set',
      'PERSONA_WEBHOOK_SECRETS is not set',
      'PERSONA_TEMPLATE_LIGHT',
      'PRIVACY_POLICY_URL is not set',
    ],
  ],
  [{ ...persona, PERSONA_URL: 'http://api.example' }, ['PERSONA_URL is an https address']],
  [{ ...persona, PERSONA_HOSTED_URL: 'inquiry' }, ['PERSONA_HOSTED_URL is an https address']],
  [{ ...persona, PERSONA_DOCUMENT_FIELDS: 'passport' }, ['PERSONA_DOCUMENT_FIELDS is a list']],
  [
    { ...persona, PERSONA_DOCUMENT_FIELDS: 'id-library-card=x' },
    ['PERSONA_DOCUMENT_FIELDS is a list'],
  ],
  [{ ...persona, PERSONA_PASSES_WHEN: 'always' }, ['PERSONA_PASSES_WHEN is one of']],
  [{ KYC: 'maybe' }, ['KYC is one of off, sandbox, persona']],
  [
    { PERSONA_API_KEY: 'x', PERSONA_TEMPLATE_FULL: 'y' },
    ['PERSONA_TEMPLATE_FULL, PERSONA_API_KEY: set, and KYC is off'],
  ],
  [
    { PRIVACY_POLICY_URL: 'ftp://purser.example/privacy' },
    ['PRIVACY_POLICY_URL is an https address'],
  ],
  [{ PRIVACY_POLICY_SINCE: 'soon' }, ['PRIVACY_POLICY_SINCE is a date']],
  [{ PRIVACY_POLICY_SINCE: '2026-13-01' }, ['PRIVACY_POLICY_SINCE is a date']],
  [{ WALLET_LINKS_PER_DAY: '0' }, ['WALLET_LINKS_PER_DAY is a whole number']],
])('%j stops the start', (variables, beginnings) => {
  const { problems } = read(variables as Record<string, string>);
  expect(problems).toHaveLength(beginnings.length);
  beginnings.forEach((beginning, index) => expect(problems[index]).toContain(beginning));
});
