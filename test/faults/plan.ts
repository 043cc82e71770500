import { diceOf } from './dice.ts';

/** What one seed does: an order, and what its payer and its bank or card do. */
export type Plan = OfframpPlan | OnrampPlan | CheckoutPlan;

interface CommonPlan {
  readonly seed: number;
  /** In dollars, which is also in tokens. */
  readonly amount: string;
  /** After the beginning of its round. */
  readonly startsAfterMs: number;
}

export const depositPlans = ['exact', 'exact', 'exact', 'exact', 'over', 'short', 'short, then the rest', 'twice', 'late', 'none'] as const;
export type DepositPlan = (typeof depositPlans)[number];

/** Last digits of the account number, which the bank reads: see `bank.ts`. */
export const bankPlans = ['settles', 'settles', 'settles', '11116001', '11115001', '11115003', '11119003', '11117000'] as const;
export type BankPlan = (typeof bankPlans)[number];

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

export interface OfframpPlan extends CommonPlan {
  readonly kind: 'offramp';
  readonly rail: 'rtp' | 'ach';
  readonly bank: BankPlan;
  readonly deposit: DepositPlan;
  /** The payer tells the transaction, too. */
  readonly tellsTx: boolean;
}

export interface OnrampPlan extends CommonPlan {
  readonly kind: 'onramp';
  readonly card: CardPlan;
  /** The recipient is named by a later call. */
  readonly patches: boolean;
}

export interface CheckoutPlan extends CommonPlan {
  readonly kind: 'checkout';
  readonly deposit: DepositPlan;
  readonly tellsTx: boolean;
}

export const orderKinds = ['offramp', 'onramp', 'checkout'] as const;

/** @param startsWithinMs so long after its round's beginning the last order is created */
export function planOf(seed: number, startsWithinMs: number): Plan {
  const dice = diceOf(seed);
  const kind = dice.pick(orderKinds);
  const common = {
    seed,
    amount: `${dice.between(10, 180)}.${String(dice.between(0, 99)).padStart(2, '0')}`,
    startsAfterMs: dice.between(0, startsWithinMs),
  };
  const deposit = dice.pick(depositPlans);
  const tellsTx = dice.percent(50);
  if (kind === 'onramp') return { ...common, kind, card: dice.pick(cardPlans), patches: dice.percent(30) };
  if (kind === 'checkout') return { ...common, kind, deposit, tellsTx };
  return { ...common, kind, rail: dice.pick(['rtp', 'rtp', 'ach'] as const), bank: dice.pick(bankPlans), deposit, tellsTx };
}

export function describePlan(plan: Plan): string {
  const how = plan.kind === 'onramp' ? `card ${plan.card}` : `deposit ${plan.deposit}`;
  return `seed ${plan.seed}: ${plan.kind} of ${plan.amount}, ${how}${plan.kind === 'offramp' ? `, ${plan.rail} to ${plan.bank}` : ''}`;
}
