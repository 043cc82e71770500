import type { DeliveryStatus, PaymentStatus, PublicStatus } from './public-status.ts';

/**
 * The states of orders, whatever their kind (supplement, section 22): whom a state waits for and
 * for how long, what callers see of it, and which step of the order's flow it asks for. Where each
 * kind goes from a state stands in `machine.ts`.
 */

/** Whom a state waits for. */
export type StateOwner =
  | 'payer'
  | 'service'
  | 'chain'
  | 'acquirer'
  | 'bank'
  | 'identity-company'
  | 'operator';

/**
 * What a flow does next. Each kind says how; `payer` waits for the payer, `news` for whoever wakes
 * the flow, `done` ends it.
 */
export type OrderTurn =
  | 'payer'
  | 'assess'
  | 'identity'
  | 'proof'
  | 'balance'
  | 'card'
  | 'check'
  | 'capture'
  | 'release'
  | 'deposit'
  | 'late'
  | 'screen'
  | 'route'
  | 'pay'
  | 'retry'
  | 'returns'
  | 'returned'
  | 'deliver'
  | 'refund'
  | 'expired'
  | 'news'
  | 'end'
  | 'done';

type Shown = Pick<PublicStatus, 'phase' | 'payment' | 'delivery'> & {
  readonly quote?: PublicStatus['quote'];
};
type Over = Partial<Pick<PublicStatus, 'quote' | 'delivery'>>;

export interface StateRow {
  readonly owner: StateOwner;
  /** How long it may take: a time, or until the quote expires. Absent: the state is an end. */
  readonly limit?: number | 'quote';
  /**
   * How much longer than its quote the state may last, where somebody has to end it properly first.
   */
  readonly graceMs?: number;
  /** What happens then; `alarm` leaves the state and tells the operator again and again. */
  readonly atLimit?: 'expired' | 'attention-needed' | 'alarm';
  /** What callers see; a function where it hangs on what they saw before. */
  readonly shows: Shown | ((before: PublicStatus | undefined, over: Over) => PublicStatus);
  readonly turn: OrderTurn;
  /**
   * Nothing was paid, and something still can be: not all that paying takes is there, the payer is
   * asked to pay, or the price has ended and can be made anew.
   */
  readonly unpaid?: 'preparing' | 'asked' | 'expired';
  /**
   * Whether a deposit that fits still counts: the order waits for one, would take it late, or what
   * came is on its way to being final.
   */
  readonly deposits?: 'awaited' | 'late' | 'arriving';
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const shown = (
  phase: PublicStatus['phase'],
  payment: PaymentStatus,
  delivery: DeliveryStatus,
  quote?: PublicStatus['quote'],
): Shown => ({
  phase,
  payment,
  delivery,
  ...(quote && { quote }),
});
const quoting = (quote?: PublicStatus['quote']) =>
  shown('quote', 'requires-quote', 'awaiting-payment', quote);
const paying = (payment: PaymentStatus) => shown('payment', payment, 'awaiting-payment');
const delivering = shown('delivery', 'completed', 'in-progress');
const delivered = shown('completed', 'completed', 'completed');
const ended = (payment: PaymentStatus) => shown('completed', payment, 'awaiting-payment');

/** Of states that no order begins in: what it showed before, changed. */
const after =
  (change: (before: PublicStatus, over: Over) => PublicStatus) =>
  (before: PublicStatus | undefined, over: Over) => {
    if (!before) throw new Error('an order cannot begin there');
    return change(before, over);
  };

/**
 * What was delivered remains so, whatever becomes of the money: only what failed is paid back by
 * itself.
 */
const deliveredOf = ({ delivery }: PublicStatus) =>
  delivery === 'completed' || delivery === 'partial-delivery' ? delivery : undefined;

/** The payer has to do something before the quote ends. */
const untilQuote = { owner: 'payer', limit: 'quote', atLimit: 'expired' } as const;
const preparing = { ...untilQuote, unpaid: 'preparing' } as const;
/** Nothing but this service is waited for. */
const atOnce = { owner: 'service', limit: hour, atLimit: 'attention-needed' } as const;

/** Who owns each state, for how long, and what follows. A sweep holds every order to it. */
const states = {
  incomplete: { ...preparing, shows: quoting('requires-recipient'), turn: 'payer' },
  quoted: {
    owner: 'service',
    limit: 5 * minute,
    atLimit: 'attention-needed',
    shows: quoting(),
    turn: 'assess',
    unpaid: 'preparing',
  },
  quote_expired: {
    owner: 'payer',
    shows: quoting('expired'),
    turn: 'expired',
    unpaid: 'expired',
    deposits: 'late',
  },
  email_needed: { ...preparing, shows: paying('requires-email'), turn: 'payer' },
  payer_needed: { ...preparing, shows: paying('requires-crypto-payer-address'), turn: 'payer' },
  payer_short: { ...preparing, shows: paying('crypto-payer-insufficient-funds'), turn: 'balance' },
  payer_short_of_gas: {
    ...preparing,
    shows: paying('crypto-payer-insufficient-funds-for-gas'),
    turn: 'balance',
  },
  proof_needed: { ...preparing, shows: paying('requires-recipient-verification'), turn: 'proof' },

  // Identity checks outlive a quote: the price is made anew when they pass.
  kyc_needed: {
    owner: 'payer',
    limit: 7 * day,
    atLimit: 'expired',
    shows: paying('requires-kyc'),
    turn: 'identity',
    unpaid: 'preparing',
  },
  kyc_review: {
    owner: 'identity-company',
    limit: 30 * day,
    atLimit: 'expired',
    shows: paying('pending-kyc-review'),
    turn: 'identity',
    unpaid: 'preparing',
  },
  kyc_manual: {
    owner: 'identity-company',
    limit: 30 * day,
    atLimit: 'expired',
    shows: paying('manual-kyc'),
    turn: 'identity',
    unpaid: 'preparing',
  },
  kyc_failed: { owner: 'payer', shows: ended('failed-kyc'), turn: 'done' },

  // The order's flow cancels the payment at the acquirer first, and lets a payer finish 3-D Secure.
  awaiting_payment: {
    ...untilQuote,
    graceMs: 10 * minute,
    shows: paying('awaiting-payment'),
    turn: 'card',
    unpaid: 'asked',
  },
  payment_authorised: { ...atOnce, shows: paying('in-progress'), turn: 'check' },
  capturing: {
    owner: 'acquirer',
    limit: day,
    atLimit: 'attention-needed',
    shows: paying('in-progress'),
    turn: 'capture',
  },
  releasing: {
    owner: 'acquirer',
    limit: day,
    atLimit: 'attention-needed',
    shows: paying('in-progress'),
    turn: 'release',
  },
  payment_failed: { owner: 'payer', shows: ended('failed'), turn: 'done' },

  awaiting_deposit: {
    ...untilQuote,
    shows: paying('awaiting-payment'),
    turn: 'deposit',
    unpaid: 'asked',
    deposits: 'awaited',
  },
  deposit_short: {
    ...untilQuote,
    shows: paying('awaiting-payment'),
    turn: 'payer',
    deposits: 'awaited',
  },
  deposit_seen: {
    owner: 'chain',
    limit: day,
    atLimit: 'attention-needed',
    shows: paying('in-progress'),
    turn: 'news',
    deposits: 'arriving',
  },
  deposit_late: {
    owner: 'chain',
    limit: day,
    atLimit: 'attention-needed',
    shows: paying('in-progress'),
    turn: 'late',
    deposits: 'arriving',
  },
  deposit_over: { ...atOnce, shows: paying('in-progress'), turn: 'news' },
  deposit_final: { ...atOnce, shows: paying('in-progress'), turn: 'screen' },
  screened: { ...atOnce, shows: delivering, turn: 'route' },

  converting: { ...atOnce, shows: delivering, turn: 'news' },
  payout_submitted: {
    owner: 'bank',
    limit: 10 * day,
    atLimit: 'attention-needed',
    shows: delivering,
    turn: 'pay',
  },
  payout_rejected: { ...atOnce, shows: delivering, turn: 'retry' },
  payout_settled: {
    owner: 'bank',
    limit: 75 * day,
    atLimit: 'alarm',
    shows: delivered,
    turn: 'news',
  },
  payout_final: { owner: 'bank', shows: delivered, turn: 'returns' },
  payout_returned: {
    ...atOnce,
    shows: after((before) => ({ ...before, phase: 'delivery', delivery: 'failed' })),
    turn: 'returned',
  },

  delivering: {
    owner: 'chain',
    limit: day,
    atLimit: 'attention-needed',
    shows: delivering,
    turn: 'deliver',
  },
  delivered: { owner: 'chain', shows: delivered, turn: 'end' },

  refunding: {
    // A card refund may take the acquirer days.
    owner: 'service',
    limit: 10 * day,
    atLimit: 'attention-needed',
    shows: after((before, over) => ({
      ...before,
      // What was delivered and is paid back by agreement stays completed.
      phase: before.phase === 'completed' ? 'completed' : 'delivery',
      delivery: over.delivery ?? deliveredOf(before) ?? 'failed',
    })),
    turn: 'refund',
  },
  refunded: {
    owner: 'payer',
    shows: (before) => ({
      phase: 'completed',
      quote: 'valid',
      payment: 'refunded',
      delivery: (before && deliveredOf(before)) ?? 'failed',
    }),
    turn: 'end',
  },

  on_hold: {
    owner: 'operator',
    limit: day,
    atLimit: 'alarm',
    shows: after((before) => before),
    turn: 'news',
  },
  needs_operator: {
    owner: 'operator',
    limit: day,
    atLimit: 'alarm',
    shows: after((before) => before),
    turn: 'news',
  },
  // Settled by hand: nothing more will come, and whoever polls may stop.
  closed: {
    owner: 'operator',
    shows: after((before) => ({ ...before, phase: 'completed' })),
    turn: 'end',
  },
} as const satisfies Readonly<Record<string, StateRow>>;

export type OrderState = keyof typeof states;

export const orderStates = Object.keys(states) as OrderState[];

export function stateRow(state: OrderState): StateRow {
  return states[state];
}

/** States that wait for a decision of the operator. */
const parkedStates: readonly OrderState[] = ['on_hold', 'needs_operator'];
/** As {@link isParked}, in statements: the indexes of what waits are written so. */
export const parkedSql = `state in ('on_hold', 'needs_operator')`;

export function isParked({ state }: { readonly state: OrderState }): boolean {
  return parkedStates.includes(state);
}

/**
 * True of an order that automation could not end: an operator resolves it. One that is held for a
 * look at its payer is not.
 */
export function needsOperator({ state }: { readonly state: OrderState }): boolean {
  return state === 'needs_operator';
}

/** True of an order whose price has ended before anything was paid: a new price begins it again. */
export function isExpired({ state }: { readonly state: OrderState }): boolean {
  return stateRow(state).unpaid === 'expired';
}

/** As {@link isExpired}, in statements. */
export const expiredSql = `state = 'quote_expired'`;

/** True of an order that waits for its deposit, or for the rest of it. */
export function awaitsDeposit({ state }: { readonly state: OrderState }): boolean {
  return stateRow(state).deposits === 'awaited';
}

/** As {@link awaitsDeposit}, in statements: the index of open payers is written so. */
export const awaitsDepositSql = `state in ('awaiting_deposit', 'deposit_short')`;

/** True when nothing more is waited for. */
export function isEnd(state: OrderState): boolean {
  return stateRow(state).limit === undefined;
}

/** When the owner of `state` has to have moved; undefined for an end. */
export function deadlineOf(
  state: OrderState,
  at: { readonly now: Date; readonly quoteExpiresAt: Date | undefined },
): Date | undefined {
  const { limit, graceMs = 0 } = stateRow(state);
  if (limit === undefined) return undefined;
  if (limit === 'quote') return new Date((at.quoteExpiresAt ?? at.now).getTime() + graceMs);
  return new Date(at.now.getTime() + limit);
}
