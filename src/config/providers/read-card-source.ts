import type { Environment } from '../../context.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { CardSourceConfig } from '../config.ts';
import type { SettingReader } from '../read-setting.ts';

const kinds = ['user', 'stripe-issuing', 'sandbox', 'off'] as const;

/**
 * Where the cards of agent checkouts come from. Cards that pay with real money are issued in
 * production only.
 */
export function readCardSource(reader: SettingReader, environment: Environment): CardSourceConfig {
  const kind = reader.oneOf(
    'CARD_SOURCE',
    kinds,
    environment === 'production' ? 'user' : 'sandbox',
  );
  if (kind === 'sandbox' && environment === 'production')
    reader.problems.push(
      'CARD_SOURCE=sandbox is for development and staging: production needs user, stripe-issuing or off.',
    );
  if (kind === 'stripe-issuing') return readStripeIssuing(reader, environment);
  const stray: string[] = (['STRIPE_ISSUING_CARDHOLDER', 'STRIPE_ISSUING_URL'] as const).filter(
    (name) => reader.text(name) !== undefined,
  );
  if (reader.secret('STRIPE_ISSUING_SECRET_KEY') !== undefined)
    stray.push('STRIPE_ISSUING_SECRET_KEY');
  if (stray.length > 0)
    reader.problems.push(
      `${stray.join(', ')}: set, and CARD_SOURCE is ${kind}: set CARD_SOURCE=stripe-issuing, or remove it.`,
    );
  return { kind };
}

function readStripeIssuing(reader: SettingReader, environment: Environment): CardSourceConfig {
  const mode = environment === 'production' ? 'live' : 'test';
  const secretKey = reader.secret('STRIPE_ISSUING_SECRET_KEY') ?? '';
  if (
    reader.mayKnow('STRIPE_ISSUING_SECRET_KEY') &&
    !new RegExp(`^[sr]k_${mode}_\\S{4,250}$`).test(secretKey)
  )
    reader.problems.push(
      `STRIPE_ISSUING_SECRET_KEY is sk_${mode}_… or rk_${mode}_… in ${environment}.`,
    );
  const cardholderId = reader.text('STRIPE_ISSUING_CARDHOLDER') ?? '';
  if (!/^ich_[A-Za-z0-9]{4,100}$/.test(cardholderId))
    reader.problems.push(
      'STRIPE_ISSUING_CARDHOLDER is the id of a cardholder at Stripe, as in ich_….',
    );
  const url = reader.textOrFallback('STRIPE_ISSUING_URL');
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isHost =
    parsed?.pathname === '/' &&
    parsed.search === '' &&
    parsed.hash === '' &&
    parsed.username === '';
  const isSecure =
    parsed?.protocol === 'https:' ||
    (parsed?.protocol === 'http:' && environment === 'development');
  if (!isHost || !isSecure)
    reader.problems.push('STRIPE_ISSUING_URL is an https address without a path.');
  return { kind: 'stripe-issuing', url, secretKey: new Secret(secretKey), cardholderId };
}
