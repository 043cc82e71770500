import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Environment } from '../../context.ts';
import { createSettingReader } from '../read-setting.ts';
import { readCardSource } from './read-card-source.ts';

function read(variables: Record<string, string>, environment: Environment = 'production') {
  const reader = createSettingReader(variables);
  return { source: readCardSource(reader, environment), problems: reader.problems };
}

const settingsOf = (mode: 'live' | 'test') => ({
  CARD_SOURCE: 'stripe-issuing',
  STRIPE_ISSUING_SECRET_KEY: `rk_${mode}_51Hidden`,
  STRIPE_ISSUING_CARDHOLDER: 'ich_1Holder',
});

test('development and staging issue sandbox cards, production asks the user until it is told', () => {
  for (const environment of ['development', 'staging'] as const)
    expect(read({}, environment)).toEqual({ source: { kind: 'sandbox' }, problems: [] });
  expect(read({})).toEqual({ source: { kind: 'user' }, problems: [] });
  expect(read({ CARD_SOURCE: 'off' })).toEqual({ source: { kind: 'off' }, problems: [] });
});

test('Stripe Issuing is read whole: live keys in production, test keys elsewhere, and no secret shows', () => {
  const { source, problems } = read(settingsOf('live'));
  expect(problems).toEqual([]);
  expect(source).toMatchObject({
    kind: 'stripe-issuing',
    url: 'https://api.stripe.com',
    cardholderId: 'ich_1Holder',
  });
  expect(inspect(source) + JSON.stringify(source)).not.toContain('Hidden');
  for (const environment of ['development', 'staging'] as const)
    expect(read(settingsOf('test'), environment).problems).toEqual([]);
  expect(
    read({ ...settingsOf('test'), STRIPE_ISSUING_URL: 'http://127.0.0.1:4242' }, 'development')
      .problems,
  ).toEqual([]);
});

describe('a start is refused, with the variable named, for', () => {
  test.each<[string, Environment, Record<string, string>, RegExp]>([
    [
      'the sandbox in production',
      'production',
      { CARD_SOURCE: 'sandbox' },
      /^CARD_SOURCE=sandbox is for development and staging/,
    ],
    [
      'an unknown source',
      'staging',
      { CARD_SOURCE: 'cash' },
      /^CARD_SOURCE is one of user, stripe-issuing, sandbox, off/,
    ],
    [
      'no key',
      'production',
      { ...settingsOf('live'), STRIPE_ISSUING_SECRET_KEY: '' },
      /^STRIPE_ISSUING_SECRET_KEY is sk_live/,
    ],
    [
      'a test key in production',
      'production',
      settingsOf('test'),
      /^STRIPE_ISSUING_SECRET_KEY is sk_live/,
    ],
    [
      'a live key in staging',
      'staging',
      settingsOf('live'),
      /^STRIPE_ISSUING_SECRET_KEY is sk_test/,
    ],
    [
      'no cardholder',
      'production',
      { ...settingsOf('live'), STRIPE_ISSUING_CARDHOLDER: '' },
      /^STRIPE_ISSUING_CARDHOLDER is the id/,
    ],
    [
      'an address without https',
      'production',
      { ...settingsOf('live'), STRIPE_ISSUING_URL: 'http://stripe.example' },
      /^STRIPE_ISSUING_URL is an https address/,
    ],
    [
      'settings that nobody reads',
      'production',
      { ...settingsOf('live'), CARD_SOURCE: 'user' },
      /CARD_SOURCE is user/,
    ],
  ])('%s', (_, environment, variables, problem) => {
    const { problems } = read(variables, environment);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
    expect(problems[0]).not.toContain('Hidden');
  });
});
