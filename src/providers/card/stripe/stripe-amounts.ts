import { CardRefusedError } from '../card.ts';
import { currencyDecimals } from '../currency.ts';

/**
 * Stripe's own smallest units, where they are not those of ISO 4217 (docs.stripe.com/currencies).
 */
const stripeDecimals: Readonly<Record<string, number>> = { isk: 2, ugx: 2, mga: 0 };
/** Stripe takes three decimals and wants the last one to be zero. */
const roundedCurrencies = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);
const amountMax = 99_999_999n;

/**
 * Smallest units as Stripe counts them.
 * @throws CardRefusedError for what Stripe cannot take without rounding
 */
export function toStripeAmount(amountMinor: bigint, currency: string): number {
  const lower = currency.toLowerCase();
  const shift = (stripeDecimals[lower] ?? currencyDecimals(lower)) - currencyDecimals(lower);
  const factor = 10n ** BigInt(Math.abs(shift));
  if (
    (shift < 0 && amountMinor % factor !== 0n) ||
    (roundedCurrencies.has(lower) && amountMinor % 10n !== 0n)
  )
    throw new CardRefusedError('stripe', 'the amount would have to be rounded in this currency.');
  const amount = shift < 0 ? amountMinor / factor : amountMinor * factor;
  if (amount <= 0n || amount > amountMax)
    throw new CardRefusedError('stripe', 'the amount is zero, or too large.');
  return Number(amount);
}

/** @throws CardRefusedError when Stripe's amount is a fraction of our smallest unit */
export function fromStripeAmount(amount: number, currency: string): bigint {
  const shift =
    (stripeDecimals[currency] ?? currencyDecimals(currency)) - currencyDecimals(currency);
  const factor = 10n ** BigInt(Math.abs(shift));
  if (shift <= 0) return BigInt(amount) * factor;
  if (BigInt(amount) % factor !== 0n)
    throw new CardRefusedError(
      'stripe',
      'the amount is a fraction of the currency’s smallest unit.',
    );
  return BigInt(amount) / factor;
}
