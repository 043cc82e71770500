import { diceOf } from './dice.ts';

/** What one seed does: an order, and what its payer and its bank or card do. */
export type Plan = OfframpPlan | OnrampPlan | CheckoutPlan;

interface CommonPlan {
  readonly seed: number;
  /** In dollars, which is also in tokens. */
  readonly amount: string;
  /** After the beginning of its round. */
  readonly startsAfterMs: number;
  /** Whoever pays, or receives tokens, gets onto a sanctions list after the order was made. */
  readonly listed: ListedPlan;
  /** Once it is delivered, a refund is asked for. */
  readonly asksBack: boolean;
}

export const listedPlans = [
  'no',
  'no',
  'no',
  'no',
  'no',
  'no',
  'no',
  'no',
  'stays',
  'by mistake',
] as const;
export type ListedPlan = (typeof listedPlans)[number];

export const depositPlans = [
  'exact',
  'exact',
  'exact',
  'exact',
  'over',
  'short',
  'short, then the rest',
  'twice',
  'late',
  'none',
] as const;
export type DepositPlan = (typeof depositPlans)[number];

/** Last digits of the account number, which the bank reads: see `bank.ts`. */
export const bankPlans = [
  'settles',
  'settles',
  'settles',
  '11116001',
  '11115001',
  '11115003',
  '11119003',
  '11117000',
] as const;
/**
 * Settles, is final after 60 days, and is returned after 75, which an ACH transfer that nobody had
 * authorised may be.
 */
export const lateReturn = '11119004';
/**
 * Lies at the bank until its operator is asked: it has settled, or was rejected, or comes after
 * twenty days.
 */
export const stuckPlans = ['11117991', '11117992', '11117993'] as const;
export type BankPlan = (typeof bankPlans)[number] | (typeof stuckPlans)[number] | typeof lateReturn;

/** A deposit that fits no order, made by mistake from an address of nobody. */
export const strayPlans = ['a copied memo', 'unknown memo', 'no memo', 'another token'] as const;
export type StrayPlan = 'none' | (typeof strayPlans)[number];

export const cardPlans = [
  'approved',
  'approved',
  'approved',
  'declined, then approved',
  'challenged',
  'challenge left',
  'none',
  'late',
] as const;
export type CardPlan = (typeof cardPlans)[number];

/** What becomes of a payment that its payer's bank takes back, so long after it was captured. */
export interface DisputePlan {
  readonly end: 'none' | 'open' | 'won' | 'lost';
  readonly afterMs: number;
}
const disputeEnds = ['none', 'none', 'none', 'open', 'won', 'lost'] as const;
const disputesAfterMs = [0, 5 * 86_400_000] as const;

export interface OfframpPlan extends CommonPlan {
  readonly kind: 'offramp';
  readonly rail: 'rtp' | 'ach';
  readonly bank: BankPlan;
  readonly deposit: DepositPlan;
  readonly stray: StrayPlan;
  /** The payer believes to have paid by that. */
  readonly isStrayAll: boolean;
  /** The payer tells the transaction, too. */
  readonly tellsTx: boolean;
  /** A deposit that a reorganisation takes is not sent again. */
  readonly givesUp: boolean;
}

export interface OnrampPlan extends CommonPlan {
  readonly kind: 'onramp';
  readonly card: CardPlan;
  readonly dispute: DisputePlan;
  /** The recipient is named by a later call. */
  readonly patches: boolean;
}

export interface CheckoutPlan extends CommonPlan {
  readonly kind: 'checkout';
  readonly deposit: DepositPlan;
  readonly stray: StrayPlan;
  readonly isStrayAll: boolean;
  readonly tellsTx: boolean;
  readonly givesUp: boolean;
}

export const orderKinds = ['offramp', 'onramp', 'checkout'] as const;

/** @param startsWithinMs so long after its round's beginning the last order is created */
export function planOf(seed: number, startsWithinMs: number): Plan {
  const dice = diceOf(seed);
  const kind = dice.pick(orderKinds);
  const basics = {
    seed,
    amount: `${dice.between(10, 180)}.${String(dice.between(0, 99)).padStart(2, '0')}`,
    startsAfterMs: dice.between(0, startsWithinMs),
  };
  const deposit = dice.pick(depositPlans);
  const tellsTx = dice.percent(50);
  // Dice of their own: what a seed was before these were thrown, it still is.
  const more = diceOf(seed ^ 0x0d1ce);
  const common = { ...basics, listed: more.pick(listedPlans), asksBack: more.percent(45) };
  const givesUp = more.percent(20);
  if (kind === 'onramp') {
    const dispute = { end: more.pick(disputeEnds), afterMs: more.pick(disputesAfterMs) };
    return { ...common, kind, card: dice.pick(cardPlans), patches: dice.percent(30), dispute };
  }
  const rest = diceOf(seed ^ 0x57a7);
  const stray: StrayPlan = rest.percent(16) ? rest.pick(strayPlans) : 'none';
  const paying = { deposit, stray, isStrayAll: rest.percent(60), tellsTx, givesUp };
  if (kind === 'checkout') return { ...common, kind, ...paying };
  const rail = dice.pick(['rtp', 'rtp', 'ach'] as const);
  const usual = dice.pick(bankPlans);
  const bank = rail === 'ach' && seed % 2 === 0 ? lateReturn : usual;
  return {
    ...common,
    kind,
    rail,
    bank: rest.percent(20) ? rest.pick(stuckPlans) : bank,
    ...paying,
  };
}

export function describePlan(plan: Plan): string {
  const how =
    plan.kind === 'onramp'
      ? `card ${plan.card}, dispute ${plan.dispute.end}`
      : `deposit ${plan.deposit}`;
  const more = [
    ...(plan.kind === 'offramp' ? [`${plan.rail} to ${plan.bank}`] : []),
    ...(plan.kind === 'onramp' || plan.stray === 'none'
      ? []
      : [`a stray: ${plan.stray}${plan.isStrayAll ? ' and nothing else' : ''}`]),
    ...(plan.listed === 'no' ? [] : [`listed: ${plan.listed}`]),
    ...(plan.asksBack ? ['asks back'] : []),
  ];
  return [`seed ${plan.seed}: ${plan.kind} of ${plan.amount}, ${how}`, ...more].join(', ');
}
