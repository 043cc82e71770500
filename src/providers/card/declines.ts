import type { CardDecline, declineCodes } from './card.ts';

type DeclineCode = (typeof declineCodes)[number];

/** What the payer is told. Why a bank is suspicious is nobody's business but the bank's. */
const messages: Readonly<Record<DeclineCode, string>> = {
  'card-declined': 'The card was declined. Try another card.',
  'insufficient-funds': 'The card has insufficient funds. Try another card.',
  'expired-card': 'The card has expired. Try another card.',
  'lost-card': 'The card was declined.',
  'stolen-card': 'The card was declined.',
  'do-not-honor': 'The card was declined by its bank. Try another card, or ask the bank.',
  'incorrect-number': 'The card number is not right.',
  'incorrect-cvc': 'The security code is not right.',
  'invalid-expiry': 'The expiry date is not right.',
  'processing-error': 'Something went wrong at the card’s bank. Try again.',
  fraudulent: 'The card was declined.',
  'authentication-failed':
    'The card’s bank could not confirm that it is you. Try again, or try another card.',
  'authorization-expired': 'The authorization of the card has expired.',
  'capture-declined': 'The card’s bank took its authorization back.',
};

const sameCardCodes = new Set<string>([
  'incorrect-number',
  'incorrect-cvc',
  'invalid-expiry',
  'processing-error',
  'authentication-failed',
]);
const finalCodes = new Set<string>([
  'lost-card',
  'stolen-card',
  'fraudulent',
  'capture-declined',
  'authorization-expired',
]);

/** A decline in our words; a code that is not known reads as `card-declined` would. */
export function toDecline(code: string): CardDecline {
  const message = Object.hasOwn(messages, code)
    ? messages[code as DeclineCode]
    : messages['card-declined'];
  return { code, message, final: finalCodes.has(code), sameCard: sameCardCodes.has(code) };
}
