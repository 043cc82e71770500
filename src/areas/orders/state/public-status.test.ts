import { describe, expect, it } from 'vitest';
import { move } from '../../../machine/machine.ts';
import {
  type OrderEvent,
  type OrderKind,
  type OrderState,
  orderKinds,
  orderMachineOf,
  orderStatesOf,
} from './machine.ts';
import { type PublicStatus, publicStatusOf } from './public-status.ts';

/** Every way from creation through the table of a kind, as what callers see on it. */
function walk(
  kind: OrderKind,
): Map<string, { readonly state: OrderState; readonly publicStatus: PublicStatus }> {
  const seen = new Map<
    string,
    { readonly state: OrderState; readonly publicStatus: PublicStatus }
  >();
  const { transitions } = orderMachineOf(kind);
  const go = (from: OrderState | '*', before: PublicStatus | undefined) => {
    for (const { event } of transitions.filter((transition) => transition.from === from)) {
      const state = move(orderMachineOf(kind), from, event);
      const publicStatus = publicStatusOf(state, before);
      const key = JSON.stringify([state, publicStatus]);
      if (seen.has(key)) continue;
      seen.set(key, { state, publicStatus });
      go(state, publicStatus);
    }
  };
  go('*', undefined);
  return seen;
}
const walks = orderKinds.map((kind) => ({ kind, places: [...walk(kind).values()] }));
const outers = walks.flatMap(({ places }) => places.map(({ publicStatus }) => publicStatus));

describe('what callers see of an order', () => {
  // As interface.md and section 13 of the supplement list them. A draft is not stored: it has no
  // state.
  it.each<[keyof PublicStatus, string[]]>([
    ['phase', ['quote', 'payment', 'delivery', 'completed']],
    [
      'payment',
      [
        'awaiting-payment',
        'in-progress',
        'requires-email',
        'requires-recipient-verification',
        'requires-kyc',
        'manual-kyc',
        'pending-kyc-review',
        'completed',
        'failed',
        'failed-kyc',
        'requires-quote',
        'requires-crypto-payer-address',
        'crypto-payer-insufficient-funds',
        'crypto-payer-insufficient-funds-for-gas',
        'refunded',
      ],
    ],
    ['delivery', ['awaiting-payment', 'in-progress', 'completed', 'failed']],
  ])('has every %s of the interface within reach, and no other', (field, values) => {
    expect([...new Set(outers.map((publicStatus) => publicStatus[field]))].sort()).toEqual(
      values.toSorted(),
    );
  });

  it.each(walks)(
    'of kind $kind: every state can be reached, and every end is one for callers too',
    ({ kind, places }) => {
      expect(new Set(places.map(({ state }) => state))).toEqual(new Set(orderStatesOf(kind)));
      const goesOn = (state: OrderState) =>
        orderMachineOf(kind).transitions.some(({ from }) => from === state);
      for (const { state, publicStatus } of places)
        if (!goesOn(state)) expect([state, publicStatus.phase]).toEqual([state, 'completed']);
    },
  );

  it('says that it was delivered only where it was paid', () => {
    for (const { payment, delivery } of outers)
      if (delivery === 'completed') expect(['completed', 'refunded']).toContain(payment);
  });
});

/**
 * `states: phase payment delivery`, as the supplement's table of offramp orders (section 22) maps
 * them.
 */
const offrampOuter: readonly [OrderState[], string][] = [
  [['quoted', 'quote_expired'], 'quote requires-quote awaiting-payment'],
  [['kyc_needed'], 'payment requires-kyc awaiting-payment'],
  [['awaiting_deposit', 'deposit_short'], 'payment awaiting-payment awaiting-payment'],
  [
    ['deposit_seen', 'deposit_final', 'deposit_over', 'deposit_late'],
    'payment in-progress awaiting-payment',
  ],
  [
    ['screened', 'converting', 'payout_submitted', 'payout_rejected'],
    'delivery completed in-progress',
  ],
  [['payout_settled', 'payout_final'], 'completed completed completed'],
  [['refunded'], 'completed refunded failed'],
];

/** The moves of the same section. */
const offrampMoves: readonly [OrderState | '*', OrderEvent, OrderState][] = [
  ['*', 'created', 'quoted'],
  ['quoted', 'checks-passed', 'awaiting_deposit'],
  ['quoted', 'kyc-needed', 'kyc_needed'],
  ['kyc_needed', 'kyc-passed', 'awaiting_deposit'],
  ['kyc_needed', 'kyc-refused', 'kyc_failed'],
  ['awaiting_deposit', 'expired', 'quote_expired'],
  ['awaiting_deposit', 'deposit-seen', 'deposit_seen'],
  ['deposit_short', 'deposit-seen', 'deposit_seen'],
  ['deposit_seen', 'deposit-exact', 'deposit_final'],
  ['deposit_seen', 'deposit-short', 'deposit_short'],
  ['deposit_seen', 'deposit-over', 'deposit_over'],
  ['deposit_short', 'expired', 'refunding'],
  ['deposit_over', 'excess-split', 'deposit_final'],
  ['quote_expired', 'deposit-late', 'deposit_late'],
  ['deposit_late', 'refund', 'refunding'],
  ['deposit_final', 'screening-clear', 'screened'],
  ['deposit_final', 'screening-review', 'on_hold'],
  ['on_hold', 'released', 'deposit_final'],
  ['on_hold', 'refused', 'refunding'],
  ['screened', 'routed', 'converting'],
  ['converting', 'converted', 'payout_submitted'],
  ['payout_submitted', 'payout-settled', 'payout_settled'],
  ['payout_submitted', 'payout-rejected', 'payout_rejected'],
  ['payout_rejected', 'payout-retried', 'payout_submitted'],
  ['payout_rejected', 'refund', 'refunding'],
  ['payout_settled', 'payout-final', 'payout_final'],
  ['payout_settled', 'payout-returned', 'payout_returned'],
  ['payout_returned', 'refund', 'refunding'],
  ['refunding', 'refund-final', 'refunded'],
];

describe('an offramp order', () => {
  const before = publicStatusOf('payout_settled', undefined);
  const shown = (state: OrderState, from?: PublicStatus) => {
    const { phase, payment, delivery } = publicStatusOf(state, from);
    return `${phase} ${payment} ${delivery}`;
  };

  it.each(offrampOuter)('in %j is shown as the supplement says', (states, publicStatus) => {
    for (const state of states) expect([state, shown(state)]).toEqual([state, publicStatus]);
  });

  it('that goes back keeps its payment status until the money is there; one that is held keeps all', () => {
    const returned = publicStatusOf('payout_returned', before);
    expect([shown('payout_returned', before), shown('refunding', returned)]).toEqual(
      Array(2).fill('delivery completed failed'),
    );
    expect(shown('refunding', publicStatusOf('deposit_short', undefined))).toBe(
      'delivery awaiting-payment failed',
    );
    for (const state of ['on_hold', 'needs_operator'] as const)
      expect(publicStatusOf(state, before)).toEqual(before);
    expect(publicStatusOf('quote_expired', before).quote).toBe('expired');
  });

  it.each(offrampMoves)('%s + %s -> %s, as in the supplement', (from, event, to) => {
    expect(move(orderMachineOf('offramp'), from, event)).toBe(to);
  });
});
