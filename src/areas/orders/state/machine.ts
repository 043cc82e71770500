import { defineMachine, type Machine, type Move } from '../../../machine/machine.ts';
import { type OrderState, stateRow } from './states.ts';

export type { OrderState };

/**
 * How orders go from state to state (supplement, section 22), composed of what kinds of orders
 * share. What a state is, and what callers see of it, stands in `states.ts`: internal states are
 * never on the wire.
 */
type Moves = readonly Move<OrderState, string>[];

/** However an order is paid and delivered. */
const everyOrder = [
  ['quoted', 'expired', 'quote_expired'],
  ['refunding', 'refund-final', 'refunded'],
  ['needs_operator', 'operator-closes', 'closed', 'settled by hand, with a note'],
] as const satisfies Moves;

/** Paid by deposits on a chain. */
const depositLeg = [
  ['quoted', 'checks-passed', 'awaiting_deposit', 'verified'],
  ['awaiting_deposit', 'changed', 'quoted', 'PATCH'],
  ['awaiting_deposit', 'deposit-seen', 'deposit_seen', 'memo, chain, token and payer fit'],
  ['deposit_short', 'deposit-seen', 'deposit_seen', 'a top-up'],
  ['deposit_short', 'expired', 'refunding', 'quote expiry'],
  [
    'deposit_short',
    'deposit-retracted',
    'awaiting_deposit',
    'a reorganisation removed all that came',
  ],
  [
    'deposit_seen',
    'deposit-exact',
    'deposit_final',
    'final; exact, or short by no more than the tolerance',
  ],
  ['deposit_seen', 'deposit-short', 'deposit_short', 'final'],
  ['deposit_seen', 'deposit-over', 'deposit_over', 'final'],
  ['deposit_seen', 'deposit-retracted', 'awaiting_deposit', 'a reorganisation removed it'],
  ['deposit_over', 'excess-split', 'deposit_final', 'the excess is refunded'],
  ['quote_expired', 'deposit-late', 'deposit_late', 'memo fits'],
  [
    'deposit_late',
    'honoured',
    'deposit_final',
    'final, within the tolerance, price still covers it',
  ],
  ['deposit_late', 'refund', 'refunding', 'final'],
  ['deposit_late', 'deposit-retracted', 'quote_expired'],
  ['deposit_final', 'screening-clear', 'screened'],
  ['deposit_final', 'screening-review', 'on_hold', 'payer is on a list'],
  ['deposit_final', 'deposit-unproven', 'on_hold', 'nobody else has the deposit'],
  ['deposit_final', 'deposit-retracted', 'on_hold', 'a reorganisation removed what was final'],
  ['screened', 'deposit-retracted', 'on_hold'],
  ['on_hold', 'released', 'deposit_final', 'operator'],
  ['on_hold', 'refused', 'refunding', 'operator'],
  ['needs_operator', 'operator-continues', 'deposit_final'],
  ['needs_operator', 'operator-refunds', 'refunding'],
] as const satisfies Moves;

/** Delivers tokens. */
const deliveryLeg = [
  ['*', 'created', 'quoted', 'complete'],
  ['*', 'created-incomplete', 'incomplete', 'no recipient or address, or the item cannot be had'],
  ['incomplete', 'completed', 'quoted', 'PATCH'],
  ['quote_expired', 'changed', 'quoted', 'PATCH: priced anew'],
  ['delivering', 'delivered', 'delivered'],
  ['delivering', 'delivery-failed', 'refunding'],
  ['delivered', 'refund-granted', 'refunding', 'the operator accepts a refund request'],
] as const satisfies Moves;

/** Pays out to a bank account. */
const payoutLeg = [
  ['screened', 'routed', 'converting', 'rail set once'],
  ['converting', 'deposit-retracted', 'on_hold'],
  ['converting', 'converted', 'payout_submitted'],
  ['payout_submitted', 'deposit-retracted', 'needs_operator'],
  ['payout_submitted', 'payout-settled', 'payout_settled'],
  ['payout_submitted', 'payout-rejected', 'payout_rejected'],
  ['payout_rejected', 'payout-retried', 'payout_submitted', 'once, same rail'],
  ['payout_rejected', 'refund', 'refunding'],
  ['payout_rejected', 'attention-needed', 'needs_operator', 'the vault has paid the order already'],
  ['payout_settled', 'payout-final', 'payout_final', 'the return window is over'],
  ['payout_settled', 'payout-returned', 'payout_returned'],
  ['payout_final', 'payout-returned', 'payout_returned', 'the bank returned it late'],
  ['payout_returned', 'refund', 'refunding', 'the project refunds returns'],
  ['payout_returned', 'attention-needed', 'needs_operator', 'the project asks its operator'],
  ['needs_operator', 'payout-settled', 'payout_settled', 'the bank said so after all'],
  ['needs_operator', 'payout-rejected', 'payout_rejected', 'the bank said so after all'],
] as const satisfies Moves;

/** Paid by card. */
const cardLeg = [
  ['quoted', 'checks-passed', 'awaiting_payment'],
  ['awaiting_payment', 'payment-declined', 'awaiting_payment', 'another try may succeed'],
  ['awaiting_payment', 'payment-failed', 'payment_failed', 'no try can succeed'],
  ['awaiting_payment', 'payment-authorised', 'payment_authorised'],
  [
    'awaiting_payment',
    'expired',
    'quote_expired',
    'nothing is under way at the acquirer; its payment is cancelled',
  ],
  ['quote_expired', 'payment-late', 'releasing', 'authorised although the quote had expired'],
  ['payment_authorised', 'screening-clear', 'capturing', 'the delivery can be attempted'],
  ['payment_authorised', 'delivery-impossible', 'releasing', 'nothing is captured'],
  ['payment_authorised', 'screening-review', 'on_hold'],
  ['on_hold', 'released', 'payment_authorised', 'operator'],
  ['on_hold', 'refused', 'releasing', 'operator'],
  ['capturing', 'captured', 'delivering'],
  ['capturing', 'payment-failed', 'payment_failed', 'the acquirer refused the capture'],
  ['releasing', 'payment-released', 'payment_failed'],
  ['needs_operator', 'operator-continues', 'delivering', 'the money was captured'],
  ['needs_operator', 'operator-refunds', 'refunding', 'the money was captured'],
  ['needs_operator', 'refused', 'releasing', 'nothing was captured'],
  ['needs_operator', 'refund-final', 'refunded', 'the acquirer has given it back after all'],
] as const satisfies Moves;

/** With what follows when the time of a state is over, as its row says. */
function withLimits<const State extends OrderState, const Event extends string>(
  moves: readonly Move<State, Event>[],
): Move<State | 'needs_operator' | 'quote_expired', Event | 'attention-needed' | 'expired'>[] {
  const isThere = (state: State, event: string) =>
    moves.some(([from, known]) => from === state && known === event);
  const limits = [...new Set(moves.map(([, , to]) => to))].flatMap((from) => {
    const { atLimit } = stateRow(from);
    if (atLimit === undefined || atLimit === 'alarm' || isThere(from, atLimit)) return [];
    return [[from, atLimit, atLimit === 'expired' ? 'quote_expired' : 'needs_operator'] as const];
  });
  return [...moves, ...limits];
}

/** Pays by a deposit on a chain, receives fiat at a bank account. */
export const offrampMachine = defineMachine(
  'order-offramp',
  withLimits([
    ['*', 'created', 'quoted', 'payer wallet and payment method of one user'],
    ['quoted', 'kyc-needed', 'kyc_needed', 'not verified'],
    ['kyc_needed', 'kyc-passed', 'awaiting_deposit', 'priced anew'],
    ['kyc_needed', 'changed', 'quoted', 'PATCH'],
    ['kyc_needed', 'kyc-refused', 'kyc_failed'],
    ...depositLeg,
    ...payoutLeg,
    ...everyOrder,
  ]),
);

/** Pays by card, receives tokens. */
export const onrampMachine = defineMachine(
  'order-onramp',
  withLimits([
    ...deliveryLeg,
    ['quoted', 'email-needed', 'email_needed'],
    ['quoted', 'kyc-needed', 'kyc_needed'],
    ['quoted', 'proof-needed', 'proof_needed'],
    ['email_needed', 'changed', 'quoted', 'PATCH'],
    ['kyc_needed', 'kyc-submitted', 'kyc_review'],
    ['kyc_needed', 'kyc-manual', 'kyc_manual', 'people of the company look at it'],
    ['kyc_needed', 'kyc-passed', 'quoted', 'priced anew'],
    ['kyc_needed', 'kyc-refused', 'kyc_failed'],
    ['kyc_review', 'kyc-manual', 'kyc_manual'],
    ['kyc_review', 'kyc-passed', 'quoted'],
    ['kyc_review', 'kyc-refused', 'kyc_failed'],
    ['kyc_review', 'kyc-reopened', 'kyc_needed', 'more data is asked for'],
    ['kyc_manual', 'kyc-passed', 'quoted'],
    ['kyc_manual', 'kyc-refused', 'kyc_failed'],
    ['kyc_manual', 'kyc-reopened', 'kyc_needed'],
    ['proof_needed', 'proof-valid', 'quoted'],
    ...cardLeg,
    ...everyOrder,
  ]),
);

/** Pays by a deposit on a chain, receives tokens. */
export const checkoutMachine = defineMachine(
  'order-checkout',
  withLimits([
    ...deliveryLeg,
    ['quoted', 'nothing-to-pay', 'screened', 'everything is free'],
    ['quoted', 'payer-needed', 'payer_needed'],
    ['quoted', 'payer-short', 'payer_short'],
    ['quoted', 'payer-short-of-gas', 'payer_short_of_gas'],
    ['payer_needed', 'changed', 'quoted', 'PATCH'],
    ['payer_short', 'changed', 'quoted', 'PATCH, or the balance has risen'],
    ['payer_short_of_gas', 'changed', 'quoted'],
    ...depositLeg,
    ['screened', 'routed', 'delivering', 'converted, and the transfer is stored'],
    ['screened', 'delivery-failed', 'refunding', 'the treasury cannot deliver'],
    ['delivering', 'deposit-retracted', 'needs_operator'],
    ['refunded', 'refund-granted', 'refunding', 'of another line item'],
    ...everyOrder,
  ]),
);

export const orderKinds = ['onramp', 'offramp', 'checkout'] as const;
export type OrderKind = (typeof orderKinds)[number];

type EventsOf<M> = M extends Machine<string, infer Event> ? Event : never;
export type OrderEvent = EventsOf<
  typeof offrampMachine | typeof onrampMachine | typeof checkoutMachine
>;
/** Seen by the rules that serve every kind: the tables differ, the words do not. */
export type OrderMachine = Machine<OrderState, OrderEvent>;

const machines: Readonly<Record<OrderKind, OrderMachine>> = {
  offramp: offrampMachine as OrderMachine,
  onramp: onrampMachine as OrderMachine,
  checkout: checkoutMachine as OrderMachine,
};

export function orderMachineOf(kind: OrderKind): OrderMachine {
  return machines[kind];
}

/** Every state of a kind, for tests and the sweep. */
export function orderStatesOf(kind: OrderKind): readonly OrderState[] {
  return [...new Set(machines[kind].transitions.map((transition) => transition.to))];
}
