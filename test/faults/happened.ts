/** What comes about only when the right things meet: a trouble that never happens tests nothing. */
export const happenings = [
  'a deposit that was seen was taken for good',
  'a deposit that was seen was taken and came back',
  'a delivery was taken',
  'a refund was taken',
  'an order was held',
  'an order needed its operator',
  'a decision was taken',
  'a decision was taken twice',
  'the same decision was asked for by two at once',
  'two decisions were asked for at once',
  'a decision was refused',
  'a decision got no answer',
  'a delivered order was asked back',
  'a refund was granted',
  'a refund was not granted',
  'a card refund failed at its bank',
  'a payment was disputed',
  'a dispute was won',
  'a dispute was lost',
  'a payout was returned after it was final',
] as const;
export type Happening = (typeof happenings)[number];

/** Those of one kind: of each kind some come about in every run of 200 orders, whatever the machine does. */
const kinds: Readonly<Record<string, readonly Happening[]>> = {
  'a reorganisation': happenings.slice(0, 4),
  'a matter for the operator': happenings.slice(4, 6),
  'a decision': happenings.slice(6, 12),
  'a refund that was asked for': happenings.slice(12, 15),
  'money that came back later': happenings.slice(15),
};

/** Of which kind nothing came about. */
export function missingKinds(tally: Tally): string[] {
  const counts = tally.counts();
  return Object.entries(kinds).flatMap(([kind, whats]) => (whats.some((what) => counts[what] > 0) ? [] : [kind]));
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
  const counts = Object.fromEntries(happenings.map((what) => [what, 0])) as Record<Happening, number>;
  return { add: (what) => void (counts[what] += 1), counts: () => ({ ...counts }) };
}
