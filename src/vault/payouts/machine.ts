import { defineMachine } from '../../machine/machine.ts';

/**
 * States of a payout. `rejected`, `returned` and `canceled` are three ways of not being paid:
 * before it settled, after it, and before it was sent.
 */
export const payoutMachine = defineMachine('payout', [
  ['*', 'stored', 'accepted', 'with its key, before any call'],
  ['accepted', 'sending', 'submitting', 'stored before the call'],
  [
    'accepted',
    'refused',
    'rejected',
    'the destination is refused, the payment method is gone, or it is above a limit of the vault',
  ],
  ['accepted', 'canceled', 'canceled', 'operator, before it was sent'],
  ['accepted', 'given-up', 'needs-operator', 'calls exhausted'],
  ['submitting', 'not-taken', 'accepted', 'the bank has certainly not taken it; same key'],
  ['submitting', 'unanswered', 'unknown', 'no answer, or the process died'],
  ['unknown', 'not-there', 'accepted', 'a look-up late enough finds nothing; same key'],
  ['unknown', 'given-up', 'needs-operator', 'look-ups exhausted, or the key too old to send again'],
  ['pending', 'overdue', 'needs-operator', 'not settled long after it should have'],
  ['accepted', 'taken', 'pending', 'the bank had it after all'],
  ['submitting', 'taken', 'pending'],
  ['unknown', 'taken', 'pending'],
  ['needs-operator', 'taken', 'pending'],
  ['accepted', 'settled', 'settled'],
  ['submitting', 'settled', 'settled'],
  ['unknown', 'settled', 'settled'],
  ['pending', 'settled', 'settled'],
  ['needs-operator', 'settled', 'settled'],
  ['settled', 'window-over', 'final', 'it can no longer be returned'],
  ['accepted', 'rejected', 'rejected'],
  ['submitting', 'rejected', 'rejected'],
  ['unknown', 'rejected', 'rejected'],
  ['pending', 'rejected', 'rejected'],
  ['needs-operator', 'rejected', 'rejected'],
  ['accepted', 'returned', 'returned'],
  ['submitting', 'returned', 'returned'],
  ['unknown', 'returned', 'returned'],
  ['pending', 'returned', 'returned'],
  ['needs-operator', 'returned', 'returned'],
  ['settled', 'returned', 'returned'],
  ['final', 'returned', 'returned', 'after the window: rare, and told as late'],
  ['needs-operator', 'retried-unsent', 'accepted', 'operator; never sent'],
  ['needs-operator', 'retried', 'unknown', 'operator; looked up again'],
]);

export type PayoutStatus =
  | 'accepted'
  | 'submitting'
  | 'unknown'
  | 'pending'
  | 'settled'
  | 'final'
  | 'rejected'
  | 'returned'
  | 'needs-operator'
  | 'canceled';

/** Nothing more is done about these by itself. A callback may still return what is final. */
export const endedStatuses: ReadonlySet<PayoutStatus> = new Set([
  'final',
  'rejected',
  'returned',
  'canceled',
]);
