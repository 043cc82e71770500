import type { Environment } from '../../context.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { CardConfig } from '../config.ts';
import type { SettingReader } from '../read-setting.ts';

const stripeTexts = ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_URL'] as const;
const stripeSecrets = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'] as const;
const webhookSecretsMax = 5;

/** Who takes card payments. Real cards are charged in production only, and only there. */
export function readCard(reader: SettingReader, environment: Environment): CardConfig {
  const kind = reader.oneOf(
    'CARD_PROVIDER',
    ['stripe', 'sandbox', 'off'],
    environment === 'production' ? 'off' : 'sandbox',
  );
  if (kind === 'sandbox' && environment === 'production')
    reader.problems.push(
      'CARD_PROVIDER=sandbox is for development and staging: production needs stripe or off.',
    );
  if (kind === 'stripe') return readStripe(reader, environment);
  const stray: string[] = stripeTexts.filter((name) => reader.text(name) !== undefined);
  stray.push(...stripeSecrets.filter((name) => reader.secret(name) !== undefined));
  if (stray.length > 0)
    reader.problems.push(
      `${stray.join(', ')}: set, and CARD_PROVIDER is ${kind}: set CARD_PROVIDER=stripe, or remove it.`,
    );
  return { kind };
}

function readStripe(reader: SettingReader, environment: Environment): CardConfig {
  const mode = environment === 'production' ? 'live' : 'test';
  const secretKey = reader.secret('STRIPE_SECRET_KEY');
  const publishableKey = reader.text('STRIPE_PUBLISHABLE_KEY');
  if (reader.mayKnow('STRIPE_SECRET_KEY'))
    checkKey(reader, {
      name: 'STRIPE_SECRET_KEY',
      key: secretKey,
      prefixes: ['sk', 'rk'],
      mode,
      environment,
    });
  checkKey(reader, {
    name: 'STRIPE_PUBLISHABLE_KEY',
    key: publishableKey,
    prefixes: ['pk'],
    mode,
    environment,
  });
  const secrets = (reader.secret('STRIPE_WEBHOOK_SECRETS') ?? '')
    .split(',')
    .flatMap((secret) => secret.trim() || []);
  const areGood =
    secrets.length > 0 &&
    secrets.length <= webhookSecretsMax &&
    secrets.every((secret) => /^whsec_\S{8,200}$/.test(secret));
  if (!areGood && reader.mayKnow('STRIPE_WEBHOOK_SECRETS'))
    reader.problems.push(
      'STRIPE_WEBHOOK_SECRETS is the signing secret of the webhook endpoint, as in whsec_…, or several with commas between while one is replaced.',
    );
  const url = reader.textOrFallback('STRIPE_URL');
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  // The official package knows hosts only.
  const isHost =
    parsed?.pathname === '/' &&
    parsed.search === '' &&
    parsed.hash === '' &&
    parsed.username === '';
  const isSecure =
    parsed?.protocol === 'https:' ||
    (parsed?.protocol === 'http:' && environment === 'development');
  if (!isHost || !isSecure) reader.problems.push('STRIPE_URL is an https address without a path.');
  return {
    kind: 'stripe',
    url,
    secretKey: new Secret(secretKey ?? ''),
    publishableKey: publishableKey ?? '',
    webhookSecrets: secrets.map((secret) => new Secret(secret)),
  };
}

function checkKey(
  reader: SettingReader,
  input: {
    readonly name: 'STRIPE_SECRET_KEY' | 'STRIPE_PUBLISHABLE_KEY';
    readonly key: string | undefined;
    readonly prefixes: readonly string[];
    readonly mode: 'live' | 'test';
    readonly environment: Environment;
  },
): void {
  const { name, key, prefixes, mode, environment } = input;
  const wanted = prefixes.map((prefix) => `${prefix}_${mode}_…`).join(' or ');
  if (key === undefined) {
    reader.problems.push(`${name} is not set, and CARD_PROVIDER is stripe: it is ${wanted}.`);
    return;
  }
  const [, prefix, given] = /^([a-z]{2})_(live|test)_\S{4,250}$/.exec(key) ?? [];
  if (given !== undefined && given !== mode && prefixes.includes(prefix!))
    reader.problems.push(
      given === 'live'
        ? `${name} is a live key, which charges real cards: ${environment} needs ${wanted}.`
        : `${name} is a test key, which charges nobody: production needs ${wanted}.`,
    );
  else if (given === undefined || !prefixes.includes(prefix!))
    reader.problems.push(`${name} is ${wanted}.`);
}
