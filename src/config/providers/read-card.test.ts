import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Environment } from '../../context.ts';
import { createSettingReader } from '../read-setting.ts';
import { readCard } from './read-card.ts';

function read(variables: Record<string, string>, environment: Environment = 'production') {
  const reader = createSettingReader(variables);
  return { card: readCard(reader, environment), problems: reader.problems };
}

const keysOf = (mode: 'live' | 'test') => ({
  CARD_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: `sk_${mode}_51Hidden`,
  STRIPE_PUBLISHABLE_KEY: `pk_${mode}_51Shown`,
  STRIPE_WEBHOOK_SECRETS: 'whsec_present1, whsec_former12',
});
const live = keysOf('live');
const testing = keysOf('test');

test('development and staging have the sandbox, production takes no cards until it is told', () => {
  for (const environment of ['development', 'staging'] as const)
    expect(read({}, environment)).toEqual({ card: { kind: 'sandbox' }, problems: [] });
  expect(read({})).toEqual({ card: { kind: 'off' }, problems: [] });
});

test('Stripe is read whole: live keys in production, test keys elsewhere, and no secret shows', () => {
  const { card, problems } = read(live);
  expect(problems).toEqual([]);
  expect(card).toMatchObject({
    kind: 'stripe',
    url: 'https://api.stripe.com',
    publishableKey: 'pk_live_51Shown',
  });
  expect(card.kind === 'stripe' && card.webhookSecrets.map((secret) => secret.reveal())).toEqual([
    'whsec_present1',
    'whsec_former12',
  ]);
  expect(inspect(card) + JSON.stringify(card)).not.toMatch(/Hidden|whsec_/);
  for (const environment of ['development', 'staging'] as const)
    expect(read(testing, environment).problems).toEqual([]);
  expect(read({ ...live, STRIPE_SECRET_KEY: 'rk_live_restricted' }).problems).toEqual([]);
  expect(read({ ...testing, STRIPE_URL: 'http://127.0.0.1:4242' }, 'development').problems).toEqual(
    [],
  );
});

describe('a start is refused, with the variable named, for', () => {
  test.each<[string, Environment, Record<string, string>, RegExp]>([
    [
      'the sandbox in production',
      'production',
      { CARD_PROVIDER: 'sandbox' },
      /^CARD_PROVIDER=sandbox is for development and staging/,
    ],
    [
      'an unknown acquirer',
      'production',
      { CARD_PROVIDER: 'cash' },
      /^CARD_PROVIDER is one of stripe, sandbox, off/,
    ],
    [
      'no secret key',
      'production',
      { ...live, STRIPE_SECRET_KEY: '' },
      /^STRIPE_SECRET_KEY is not set/,
    ],
    [
      'no key for browsers',
      'production',
      { ...live, STRIPE_PUBLISHABLE_KEY: '' },
      /^STRIPE_PUBLISHABLE_KEY is not set/,
    ],
    [
      'a test key in production',
      'production',
      { ...live, STRIPE_SECRET_KEY: 'sk_test_51Hidden' },
      /^STRIPE_SECRET_KEY is a test key/,
    ],
    [
      'a live key in staging',
      'staging',
      { ...testing, STRIPE_SECRET_KEY: 'sk_live_51Hidden' },
      /^STRIPE_SECRET_KEY is a live key/,
    ],
    [
      'a live restricted key in development',
      'development',
      { ...testing, STRIPE_SECRET_KEY: 'rk_live_restricted' },
      /^STRIPE_SECRET_KEY is a live key/,
    ],
    [
      'a live key for browsers in staging',
      'staging',
      { ...testing, STRIPE_PUBLISHABLE_KEY: 'pk_live_51Shown' },
      /^STRIPE_PUBLISHABLE_KEY is a live key/,
    ],
    [
      'keys that are exchanged',
      'production',
      { ...live, STRIPE_PUBLISHABLE_KEY: 'sk_live_51Hidden' },
      /^STRIPE_PUBLISHABLE_KEY is pk_live_/,
    ],
    [
      'a key that is none',
      'production',
      { ...live, STRIPE_SECRET_KEY: 'secret' },
      /^STRIPE_SECRET_KEY is sk_live_/,
    ],
    [
      'no webhook secret',
      'production',
      { ...live, STRIPE_WEBHOOK_SECRETS: '' },
      /^STRIPE_WEBHOOK_SECRETS is the signing secret/,
    ],
    [
      'a webhook secret that is none',
      'production',
      { ...live, STRIPE_WEBHOOK_SECRETS: 'sk_live_x' },
      /^STRIPE_WEBHOOK_SECRETS is the signing/,
    ],
    [
      'an address without https',
      'production',
      { ...live, STRIPE_URL: 'http://stripe.example' },
      /^STRIPE_URL is an https address/,
    ],
    [
      'an address with a path',
      'production',
      { ...live, STRIPE_URL: 'https://stripe.example/v1' },
      /^STRIPE_URL is an https address/,
    ],
    [
      'keys that nobody reads',
      'staging',
      { STRIPE_SECRET_KEY: 'sk_test_1234', STRIPE_URL: 'https://a.example' },
      /^STRIPE_URL, STRIPE_SECRET_KEY: set/,
    ],
  ])('%s', (_, environment, variables, message) => {
    const { problems } = read(variables, environment);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(message);
    expect(problems[0]).not.toContain('Hidden');
  });
});
