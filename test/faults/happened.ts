/**
 * What comes about only when the right things meet: a trouble that never happens tests nothing. Of
 * each kind some do in 120 orders.
 */
const kinds = {
  'a reorganisation': [
    'a deposit that was seen was taken for good',
    'a deposit that was seen was taken and came back',
    'a delivery was taken',
    'a refund was taken',
  ],
  'a matter for the operator': ['an order was held', 'an order needed its operator'],
  'a decision': [
    'a decision was taken',
    'a decision was taken twice',
    'the same decision was asked for by two at once',
    'two decisions were asked for at once',
    'a decision was refused',
    'a decision got no answer',
  ],
  'a refund that was asked for': [
    'a delivered order was asked back',
    'a refund was granted',
    'a refund was not granted',
  ],
  'a deposit that fits no order': [
    'a deposit waited for its operator',
    'a deposit was given to its order',
    'a deposit was sent back by its operator',
    'a deposit was kept by its operator',
  ],
  'a decision about a payout': [
    'a payout needed its operator',
    'an operator said what became of a payout',
    'a payout was looked up again for its operator',
    'a payout was called off',
  ],
  'money that came back later': [
    'a card refund failed at its bank',
    'a payment was disputed',
    'a dispute was won',
    'a dispute was lost',
    'a payout was returned after it was final',
  ],
} as const;
export const happenings = Object.values(kinds).flat();
export type Happening = (typeof happenings)[number];

/** Of which kind nothing came about. */
export function missingKinds(tally: Tally): string[] {
  const counts = tally.counts();
  return Object.entries(kinds).flatMap(([kind, whats]) =>
    whats.some((what) => counts[what] > 0) ? [] : [kind],
  );
}

/** What did not come about at all. */
export function missingHappenings(tally: Tally): Happening[] {
  const counts = tally.counts();
  return happenings.filter((what) => counts[what] === 0);
}

/** Counts what really came about. */
export interface Tally {
  add(what: Happening): void;
  counts(): Readonly<Record<Happening, number>>;
}

export function createTally(): Tally {
  const counts = Object.fromEntries(happenings.map((what) => [what, 0])) as Record<
    Happening,
    number
  >;
  return { add: (what) => void (counts[what] += 1), counts: () => ({ ...counts }) };
}
