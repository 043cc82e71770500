import type { CardUse, ShopMoney } from '../../../types.ts';

/** What is known after the click, each from another witness. */
export interface Evidence {
  /** What the shop's page says of its own accord. */
  readonly page: 'confirms' | 'refuses' | 'silent';
  /**
   * The refusal has more than words: the answer to the order request was an error, or the page lets
   * one order again.
   */
  readonly isRefusalProven: boolean;
  /** Asked a moment after the click. */
  readonly card: CardUse;
  /** `none`: the gate and the network agree that nothing has left the browser. */
  readonly request: 'none' | 'left' | 'unknown';
  readonly history: 'listed' | 'not-listed' | 'unreadable';
  readonly cart: 'full' | 'empty' | 'unreadable';
  readonly approved: ShopMoney;
}

export type Verdict = 'placed' | 'not-placed' | 'unknown';

/**
 * Whether the shop has the order. Two witnesses that contradict each other, and one weak one alone,
 * leave it unknown: a full cart is weak (some shops keep it), and so is a card that was not used
 * (some shops charge later).
 */
export function judge(evidence: Evidence): Verdict {
  const { page, card, approved } = evidence;
  const isCharged = card.state === 'authorised';
  if (page === 'confirms' || evidence.history === 'listed') return 'placed';
  if (isCharged) return page === 'silent' && isSame(card.total, approved) ? 'placed' : 'unknown';
  if (evidence.request === 'none') return 'not-placed';
  if (page === 'refuses')
    return evidence.isRefusalProven || card.state === 'not-used' ? 'not-placed' : 'unknown';
  const saysNone = evidence.cart === 'full' || evidence.history === 'not-listed';
  return card.state === 'not-used' && saysNone ? 'not-placed' : 'unknown';
}

const isSame = (a: ShopMoney, b: ShopMoney) =>
  a.amountMinor === b.amountMinor && a.currency === b.currency;
