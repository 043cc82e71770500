import { defineMachine, type Machine, type Transition } from '../../../machine/machine.ts';
import { type OrderState, stateRow } from './states.ts';

export type { OrderState };

/**
 * How orders go from state to state (supplement, section 22), composed of what kinds of orders
 * share. What a state is, and what callers see of it, stands in `states.ts`: internal states are
 * never on the wire.
 */
type Moves = readonly Transition<OrderState, string>[];

/** However an order is paid and delivered. */
const everyOrder = [
  { from: 'quoted', event: 'expired', to: 'quote_expired' },
  { from: 'refunding', event: 'refund-final', to: 'refunded' },
  {
    from: 'needs_operator',
    event: 'operator-closes',
    to: 'closed',
    when: 'settled by hand, with a note',
  },
] as const satisfies Moves;

/** Paid by deposits on a chain. */
const depositLeg = [
  { from: 'quoted', event: 'checks-passed', to: 'awaiting_deposit', when: 'verified' },
  { from: 'awaiting_deposit', event: 'changed', to: 'quoted', when: 'PATCH' },
  {
    from: 'awaiting_deposit',
    event: 'deposit-seen',
    to: 'deposit_seen',
    when: 'memo, chain, token and payer fit',
  },
  { from: 'deposit_short', event: 'deposit-seen', to: 'deposit_seen', when: 'a top-up' },
  { from: 'deposit_short', event: 'expired', to: 'refunding', when: 'quote expiry' },
  {
    from: 'deposit_short',
    event: 'deposit-retracted',
    to: 'awaiting_deposit',
    when: 'a reorganisation removed all that came',
  },
  {
    from: 'deposit_seen',
    event: 'deposit-exact',
    to: 'deposit_final',
    when: 'final; exact, or short by no more than the tolerance',
  },
  { from: 'deposit_seen', event: 'deposit-short', to: 'deposit_short', when: 'final' },
  { from: 'deposit_seen', event: 'deposit-over', to: 'deposit_over', when: 'final' },
  {
    from: 'deposit_seen',
    event: 'deposit-retracted',
    to: 'awaiting_deposit',
    when: 'a reorganisation removed it',
  },
  {
    from: 'deposit_over',
    event: 'excess-split',
    to: 'deposit_final',
    when: 'the excess is refunded',
  },
  { from: 'quote_expired', event: 'deposit-late', to: 'deposit_late', when: 'memo fits' },
  {
    from: 'deposit_late',
    event: 'honoured',
    to: 'deposit_final',
    when: 'final, within the tolerance, price still covers it',
  },
  { from: 'deposit_late', event: 'refund', to: 'refunding', when: 'final' },
  { from: 'deposit_late', event: 'deposit-retracted', to: 'quote_expired' },
  { from: 'deposit_final', event: 'screening-clear', to: 'screened' },
  { from: 'deposit_final', event: 'screening-review', to: 'on_hold', when: 'payer is on a list' },
  {
    from: 'deposit_final',
    event: 'deposit-unproven',
    to: 'on_hold',
    when: 'nobody else has the deposit',
  },
  {
    from: 'deposit_final',
    event: 'deposit-retracted',
    to: 'on_hold',
    when: 'a reorganisation removed what was final',
  },
  { from: 'screened', event: 'deposit-retracted', to: 'on_hold' },
  { from: 'on_hold', event: 'released', to: 'deposit_final', when: 'operator' },
  { from: 'on_hold', event: 'refused', to: 'refunding', when: 'operator' },
  { from: 'needs_operator', event: 'operator-continues', to: 'deposit_final' },
  { from: 'needs_operator', event: 'operator-refunds', to: 'refunding' },
] as const satisfies Moves;

/** Delivers tokens. */
const deliveryLeg = [
  { from: '*', event: 'created', to: 'quoted', when: 'complete' },
  {
    from: '*',
    event: 'created-incomplete',
    to: 'incomplete',
    when: 'no recipient or address, or the item cannot be had',
  },
  { from: 'incomplete', event: 'completed', to: 'quoted', when: 'PATCH' },
  { from: 'quote_expired', event: 'changed', to: 'quoted', when: 'PATCH: priced anew' },
  { from: 'delivering', event: 'delivered', to: 'delivered' },
  { from: 'delivering', event: 'delivery-failed', to: 'refunding' },
  {
    from: 'delivered',
    event: 'refund-granted',
    to: 'refunding',
    when: 'the operator accepts a refund request',
  },
] as const satisfies Moves;

/** Pays out to a bank account. */
const payoutLeg = [
  { from: 'screened', event: 'routed', to: 'converting', when: 'rail set once' },
  { from: 'converting', event: 'deposit-retracted', to: 'on_hold' },
  { from: 'converting', event: 'converted', to: 'payout_submitted' },
  { from: 'payout_submitted', event: 'deposit-retracted', to: 'needs_operator' },
  { from: 'payout_submitted', event: 'payout-settled', to: 'payout_settled' },
  { from: 'payout_submitted', event: 'payout-rejected', to: 'payout_rejected' },
  {
    from: 'payout_rejected',
    event: 'payout-retried',
    to: 'payout_submitted',
    when: 'once, same rail',
  },
  { from: 'payout_rejected', event: 'refund', to: 'refunding' },
  {
    from: 'payout_rejected',
    event: 'attention-needed',
    to: 'needs_operator',
    when: 'the vault has paid the order already',
  },
  {
    from: 'payout_settled',
    event: 'payout-final',
    to: 'payout_final',
    when: 'the return window is over',
  },
  { from: 'payout_settled', event: 'payout-returned', to: 'payout_returned' },
  {
    from: 'payout_final',
    event: 'payout-returned',
    to: 'payout_returned',
    when: 'the bank returned it late',
  },
  {
    from: 'payout_returned',
    event: 'refund',
    to: 'refunding',
    when: 'the project refunds returns',
  },
  {
    from: 'payout_returned',
    event: 'attention-needed',
    to: 'needs_operator',
    when: 'the project asks its operator',
  },
  {
    from: 'needs_operator',
    event: 'payout-settled',
    to: 'payout_settled',
    when: 'the bank said so after all',
  },
  {
    from: 'needs_operator',
    event: 'payout-rejected',
    to: 'payout_rejected',
    when: 'the bank said so after all',
  },
] as const satisfies Moves;

/** Paid by card. */
const cardLeg = [
  { from: 'quoted', event: 'checks-passed', to: 'awaiting_payment' },
  {
    from: 'awaiting_payment',
    event: 'payment-declined',
    to: 'awaiting_payment',
    when: 'another try may succeed',
  },
  {
    from: 'awaiting_payment',
    event: 'payment-failed',
    to: 'payment_failed',
    when: 'no try can succeed',
  },
  { from: 'awaiting_payment', event: 'payment-authorised', to: 'payment_authorised' },
  {
    from: 'awaiting_payment',
    event: 'expired',
    to: 'quote_expired',
    when: 'nothing is under way at the acquirer; its payment is cancelled',
  },
  {
    from: 'quote_expired',
    event: 'payment-late',
    to: 'releasing',
    when: 'authorised although the quote had expired',
  },
  {
    from: 'payment_authorised',
    event: 'screening-clear',
    to: 'capturing',
    when: 'the delivery can be attempted',
  },
  {
    from: 'payment_authorised',
    event: 'delivery-impossible',
    to: 'releasing',
    when: 'nothing is captured',
  },
  { from: 'payment_authorised', event: 'screening-review', to: 'on_hold' },
  { from: 'on_hold', event: 'released', to: 'payment_authorised', when: 'operator' },
  { from: 'on_hold', event: 'refused', to: 'releasing', when: 'operator' },
  { from: 'capturing', event: 'captured', to: 'delivering' },
  {
    from: 'capturing',
    event: 'payment-failed',
    to: 'payment_failed',
    when: 'the acquirer refused the capture',
  },
  { from: 'releasing', event: 'payment-released', to: 'payment_failed' },
  {
    from: 'needs_operator',
    event: 'operator-continues',
    to: 'delivering',
    when: 'the money was captured',
  },
  {
    from: 'needs_operator',
    event: 'operator-refunds',
    to: 'refunding',
    when: 'the money was captured',
  },
  { from: 'needs_operator', event: 'refused', to: 'releasing', when: 'nothing was captured' },
  {
    from: 'needs_operator',
    event: 'refund-final',
    to: 'refunded',
    when: 'the acquirer has given it back after all',
  },
] as const satisfies Moves;

/** With what follows when the time of a state is over, as its row says. */
function withLimits<const State extends OrderState, const Event extends string>(
  moves: readonly Transition<State, Event>[],
): Transition<
  State | 'needs_operator' | 'quote_expired',
  Event | 'attention-needed' | 'expired'
>[] {
  const isThere = (state: State, event: string) =>
    moves.some((move) => move.from === state && move.event === event);
  const limits = [...new Set(moves.map(({ to }) => to))].flatMap((from) => {
    const { atLimit } = stateRow(from);
    if (atLimit === undefined || atLimit === 'alarm' || isThere(from, atLimit)) return [];
    return [
      {
        from,
        event: atLimit,
        to: atLimit === 'expired' ? ('quote_expired' as const) : ('needs_operator' as const),
      },
    ];
  });
  return [...moves, ...limits];
}

/** Pays by a deposit on a chain, receives fiat at a bank account. */
export const offrampMachine = defineMachine(
  'order-offramp',
  withLimits([
    {
      from: '*',
      event: 'created',
      to: 'quoted',
      when: 'payer wallet and payment method of one user',
    },
    { from: 'quoted', event: 'kyc-needed', to: 'kyc_needed', when: 'not verified' },
    { from: 'kyc_needed', event: 'kyc-passed', to: 'awaiting_deposit', when: 'priced anew' },
    { from: 'kyc_needed', event: 'changed', to: 'quoted', when: 'PATCH' },
    { from: 'kyc_needed', event: 'kyc-refused', to: 'kyc_failed' },
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
    { from: 'quoted', event: 'email-needed', to: 'email_needed' },
    { from: 'quoted', event: 'kyc-needed', to: 'kyc_needed' },
    { from: 'quoted', event: 'proof-needed', to: 'proof_needed' },
    { from: 'email_needed', event: 'changed', to: 'quoted', when: 'PATCH' },
    { from: 'kyc_needed', event: 'kyc-submitted', to: 'kyc_review' },
    {
      from: 'kyc_needed',
      event: 'kyc-manual',
      to: 'kyc_manual',
      when: 'people of the company look at it',
    },
    { from: 'kyc_needed', event: 'kyc-passed', to: 'quoted', when: 'priced anew' },
    { from: 'kyc_needed', event: 'kyc-refused', to: 'kyc_failed' },
    { from: 'kyc_review', event: 'kyc-manual', to: 'kyc_manual' },
    { from: 'kyc_review', event: 'kyc-passed', to: 'quoted' },
    { from: 'kyc_review', event: 'kyc-refused', to: 'kyc_failed' },
    { from: 'kyc_review', event: 'kyc-reopened', to: 'kyc_needed', when: 'more data is asked for' },
    { from: 'kyc_manual', event: 'kyc-passed', to: 'quoted' },
    { from: 'kyc_manual', event: 'kyc-refused', to: 'kyc_failed' },
    { from: 'kyc_manual', event: 'kyc-reopened', to: 'kyc_needed' },
    { from: 'proof_needed', event: 'proof-valid', to: 'quoted' },
    ...cardLeg,
    ...everyOrder,
  ]),
);

/** Pays by a deposit on a chain, receives tokens. */
export const checkoutMachine = defineMachine(
  'order-checkout',
  withLimits([
    ...deliveryLeg,
    { from: 'quoted', event: 'nothing-to-pay', to: 'screened', when: 'everything is free' },
    { from: 'quoted', event: 'payer-needed', to: 'payer_needed' },
    { from: 'quoted', event: 'payer-short', to: 'payer_short' },
    { from: 'quoted', event: 'payer-short-of-gas', to: 'payer_short_of_gas' },
    { from: 'payer_needed', event: 'changed', to: 'quoted', when: 'PATCH' },
    {
      from: 'payer_short',
      event: 'changed',
      to: 'quoted',
      when: 'PATCH, or the balance has risen',
    },
    { from: 'payer_short_of_gas', event: 'changed', to: 'quoted' },
    ...depositLeg,
    {
      from: 'screened',
      event: 'routed',
      to: 'delivering',
      when: 'converted, and the transfer is stored',
    },
    {
      from: 'screened',
      event: 'delivery-failed',
      to: 'refunding',
      when: 'the treasury cannot deliver',
    },
    { from: 'delivering', event: 'deposit-retracted', to: 'needs_operator' },
    { from: 'refunded', event: 'refund-granted', to: 'refunding', when: 'of another line item' },
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
