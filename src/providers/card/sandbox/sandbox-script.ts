import type { CardDetails, declineCodes, EnteredCard } from '../card.ts';

/**
 * What a card number of the sandbox stands for. All other numbers with a right check digit are
 * approved.
 */
export interface SandboxScript {
  readonly name: string;
  readonly number: string;
  /** For the table of the guide. */
  readonly what: string;
  /** Declined with this; after 3-D Secure or the wait, where there is one. */
  readonly decline?: (typeof declineCodes)[number];
  readonly challenge?: true;
  readonly slow?: true;
  readonly capture?: 'lost-answer' | 'unreachable' | 'declined';
  readonly dispute?: true;
  readonly refund?: 'pending' | 'fails' | 'refused';
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Times of the sandbox, by the service's clock. */
export const sandboxTimes = {
  slowMs: 30_000,
  challengeMs: 60 * minuteMs,
  authorizationMs: 7 * dayMs,
  disputeAfterMs: 10 * dayMs,
  refundMs: 3 * dayMs,
} as const;

/** Calls of one key that an `unreachable` acquirer does not hear. */
export const unreachableCalls = 2;

export const sandboxCards = {
  approved: { number: '4242424242424242', what: 'Approved.' },
  declined: {
    number: '4000000000000002',
    what: 'Declined: `card-declined`.',
    decline: 'card-declined',
  },
  insufficientFunds: {
    number: '4000000000009995',
    what: 'Declined: `insufficient-funds`.',
    decline: 'insufficient-funds',
  },
  expired: {
    number: '4000000000000069',
    what: 'Declined: `expired-card`.',
    decline: 'expired-card',
  },
  doNotHonor: {
    number: '4000000000000226',
    what: 'Declined: `do-not-honor`.',
    decline: 'do-not-honor',
  },
  incorrectCvc: {
    number: '4000000000000127',
    what: 'Declined: `incorrect-cvc`.',
    decline: 'incorrect-cvc',
  },
  processingError: {
    number: '4000000000000119',
    what: 'Declined: `processing-error`.',
    decline: 'processing-error',
  },
  lost: {
    number: '4000000000009987',
    what: 'Declined for good: `lost-card`.',
    decline: 'lost-card',
  },
  stolen: {
    number: '4000000000009979',
    what: 'Declined for good: `stolen-card`.',
    decline: 'stolen-card',
  },
  fraudulent: {
    number: '4100000000000019',
    what: 'Declined for good: `fraudulent`.',
    decline: 'fraudulent',
  },
  challenge: { number: '4000002500003155', what: '3-D Secure, then approved.', challenge: true },
  challengeDeclined: {
    number: '4000000000003220',
    what: '3-D Secure, then declined: `insufficient-funds`.',
    challenge: true,
    decline: 'insufficient-funds',
  },
  slow: {
    number: '4000000000000333',
    what: 'Processing for 30 seconds, then approved.',
    slow: true,
  },
  slowDeclined: {
    number: '4000000000000440',
    what: 'Processing for 30 seconds, then declined: `card-declined`.',
    slow: true,
    decline: 'card-declined',
  },
  captureLost: {
    number: '4000000000000556',
    what: 'Approved. Capture is done, and its first answer is lost.',
    capture: 'lost-answer',
  },
  captureUnreachable: {
    number: '4000000000000663',
    what: 'Approved. The acquirer cannot be reached by the first two calls of each key that change the payment.',
    capture: 'unreachable',
  },
  captureDeclined: {
    number: '4000000000000770',
    what: 'Approved. Capture is declined: `capture-declined`.',
    capture: 'declined',
  },
  chargeback: {
    number: '4000000000000259',
    what: 'Approved. Disputed 10 days after capture, reason `fraudulent`.',
    dispute: true,
  },
  refundPending: {
    number: '4000000000007726',
    what: 'Approved. Refunds are pending for 3 days, then done.',
    refund: 'pending',
  },
  refundFails: {
    number: '4000000000005126',
    what: 'Approved. Refunds are pending for 3 days, then fail.',
    refund: 'fails',
  },
  refundRefused: {
    number: '4000000000000887',
    what: 'Approved. Refunds fail at once.',
    refund: 'refused',
  },
} as const satisfies Record<string, Omit<SandboxScript, 'name'>>;

const scripts: readonly SandboxScript[] = Object.entries(sandboxCards).map(([name, script]) => ({
  name,
  ...script,
}));

/** By the name that is kept with a payment. */
export function findScript(name: string | undefined): SandboxScript {
  return scripts.find((script) => script.name === name) ?? scripts[0]!;
}

/** Reads a card as typed: what it stands for, or what is wrong with it. */
export function readCard(
  card: EnteredCard,
  now: Date,
):
  | { readonly script: SandboxScript; readonly details: CardDetails }
  | { readonly mistake: (typeof declineCodes)[number] } {
  const number = card.number.replaceAll(/[\s-]/g, '');
  if (!isCardNumber(number)) return { mistake: 'incorrect-number' };
  const mistake = readExpiry(card, now);
  if (mistake) return { mistake };
  const brand = brandOf(number);
  if (!(brand === 'amex' ? /^\d{4}$/ : /^\d{3}$/).test(card.cvc.trim()))
    return { mistake: 'incorrect-cvc' };
  const script = scripts.find((one) => one.number === number) ?? scripts[0]!;
  return {
    script,
    details: { brand, last4: number.slice(-4), country: 'US', fundingType: 'credit' },
  };
}

/** 12 to 19 digits whose last one is the right check digit (Luhn). */
export function isCardNumber(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** A card is good to the end of its month. */
function readExpiry(
  { expiryMonth, expiryYear }: EnteredCard,
  now: Date,
): 'invalid-expiry' | 'expired-card' | undefined {
  const month = /^\d{1,2}$/.test(expiryMonth.trim()) ? Number(expiryMonth) : 0;
  const year = /^(?:\d{2}|20\d{2})$/.test(expiryYear.trim())
    ? 2_000 + (Number(expiryYear) % 100)
    : 0;
  if (month < 1 || month > 12 || year === 0 || year > now.getUTCFullYear() + 30)
    return 'invalid-expiry';
  return new Date(Date.UTC(year, month, 1)) <= now ? 'expired-card' : undefined;
}

function brandOf(number: string): string {
  if (number.startsWith('4')) return 'visa';
  if (/^(?:5[1-5]|2[2-7])/.test(number)) return 'mastercard';
  if (/^3[47]/.test(number)) return 'amex';
  return number.startsWith('6') ? 'discover' : 'unknown';
}
