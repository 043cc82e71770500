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

/** Counts what really came about. */
export interface Tally {
  add(what: Happening): void;
  counts(): Readonly<Record<Happening, number>>;
}

export function createTally(): Tally {
  const counts = Object.fromEntries(happenings.map((what) => [what, 0])) as Record<Happening, number>;
  return { add: (what) => void (counts[what] += 1), counts: () => ({ ...counts }) };
}
