import { describe, expect, test } from 'vitest';
import type { Environment } from '../../context.ts';
import { createSettingReader } from '../read-setting.ts';
import { readMessaging, readScreening } from './read-messaging.ts';

function read(variables: Record<string, string>, environment: Environment = 'production') {
  const reader = createSettingReader(variables);
  return {
    messaging: readMessaging(reader, environment),
    screening: readScreening(reader, environment),
    problems: reader.problems,
  };
}

const none = { SCREENING: 'off' };
const smtp = {
  ...none,
  EMAIL: 'smtp',
  EMAIL_FROM: 'Purser <codes@example.com>',
  SMTP_HOST: 'mail.example.com',
};
const sms = {
  ...none,
  SMS: 'http',
  SMS_URL: 'https://sms.example.com/2010-04-01',
  SMS_ACCOUNT_ID: 'AC1',
  SMS_AUTH_TOKEN: 'token',
  SMS_FROM: '+14155550100',
};

test('development and staging have the sandbox for everything, production has nothing until it is told', () => {
  expect(read({}, 'staging')).toMatchObject({
    messaging: { email: { kind: 'sandbox' }, sms: { kind: 'sandbox' } },
    screening: { kind: 'sandbox' },
    problems: [],
  });
  expect(read(none)).toMatchObject({
    messaging: { email: { kind: 'off' }, sms: { kind: 'off' } },
    problems: [],
  });
});

test('a mail server is spoken to with STARTTLS on port 587 unless another way is named', () => {
  expect(read(smtp)).toMatchObject({
    messaging: { email: { kind: 'smtp', security: 'starttls', port: 587 } },
    problems: [],
  });
  expect(read({ ...smtp, SMTP_SECURITY: 'tls' })).toMatchObject({
    messaging: { email: { port: 465 } },
    problems: [],
  });
  expect(read({ ...smtp, SMTP_PORT: '2525', EMAIL_FROM: 'codes@example.com' })).toMatchObject({
    messaging: { email: { port: 2525 } },
    problems: [],
  });
});

test('an SMS company and list files are read whole, and no secret shows', () => {
  const { messaging, screening, problems } = read({
    ...sms,
    SCREENING: 'files',
    SCREENING_FILES: '/lists/sdn_advanced.xml, /lists/own.txt',
  });
  expect(problems).toEqual([]);
  expect(screening).toEqual({
    kind: 'files',
    paths: ['/lists/sdn_advanced.xml', '/lists/own.txt'],
  });
  expect(JSON.stringify(messaging)).not.toContain('token"');
  expect(messaging.sms).toMatchObject({ kind: 'http', accountId: 'AC1', from: '+14155550100' });
});

describe('a start is refused, with the variable named, for', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    [
      'the mail sandbox in production',
      { ...none, EMAIL: 'sandbox' },
      /^EMAIL=sandbox is for development and staging/,
    ],
    [
      'the SMS sandbox in production',
      { ...none, SMS: 'sandbox' },
      /^SMS=sandbox is for development and staging/,
    ],
    [
      'the sandbox list in production',
      { SCREENING: 'sandbox' },
      /^SCREENING=sandbox is for development and staging/,
    ],
    ['nothing said about sanctions lists in production', {}, /^SCREENING is not set/],
    [
      'an unknown way of sending',
      { ...none, EMAIL: 'pigeon' },
      /^EMAIL is one of smtp, sandbox, off/,
    ],
    ['a mail server without a name', { ...smtp, SMTP_HOST: '' }, /^SMTP_HOST is not set/],
    ['a sender that is no address', { ...smtp, EMAIL_FROM: 'Purser' }, /^EMAIL_FROM is an address/],
    [
      'two senders',
      { ...smtp, EMAIL_FROM: 'a@example.com, b@example.com' },
      /^EMAIL_FROM is an address/,
    ],
    [
      'mail in the clear in production',
      { ...smtp, SMTP_SECURITY: 'none' },
      /^SMTP_SECURITY=none would send codes in the clear/,
    ],
    ['a user without a password', { ...smtp, SMTP_USER: 'purser' }, /^SMTP_USER and SMTP_PASSWORD/],
    [
      'settings of a mail server that is not used',
      { ...none, SMTP_PASSWORD: 'x', SMTP_HOST: 'mail' },
      /^SMTP_HOST, SMTP_PASSWORD: set/,
    ],
    [
      'an SMS company without https',
      { ...sms, SMS_URL: 'http://sms.example.com' },
      /^SMS_URL is an https address/,
    ],
    [
      'an SMS account without its token',
      { ...sms, SMS_AUTH_TOKEN: '' },
      /^SMS_AUTH_TOKEN is not set/,
    ],
    ['list files without a path', { SCREENING: 'files' }, /^SCREENING_FILES is not set/],
    [
      'the same list file twice',
      { SCREENING: 'files', SCREENING_FILES: 'a.txt,a.txt' },
      /^SCREENING_FILES names a file twice/,
    ],
    [
      'list files that nobody reads',
      { ...none, SCREENING_FILES: 'a.txt' },
      /^SCREENING_FILES: set/,
    ],
  ])('%s', (_, variables, message) => {
    const { problems } = read(variables);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(message);
  });
});
