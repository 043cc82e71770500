import { defineMachine } from '../../machine/machine.ts';

/**
 * States of a payout. `rejected`, `returned` and `canceled` are three ways of not being paid:
 * before it settled, after it, and before it was sent.
 */
export const payoutMachine = defineMachine('payout', [
  { from: '*', event: 'stored', to: 'accepted', when: 'with its key, before any call' },
  { from: 'accepted', event: 'sending', to: 'submitting', when: 'stored before the call' },
  {
    from: 'accepted',
    event: 'refused',
    to: 'rejected',
    when: 'the destination is refused, the payment method is gone, or it is above a limit of the vault',
  },
  { from: 'accepted', event: 'canceled', to: 'canceled', when: 'operator, before it was sent' },
  { from: 'accepted', event: 'given-up', to: 'needs-operator', when: 'calls exhausted' },
  {
    from: 'submitting',
    event: 'not-taken',
    to: 'accepted',
    when: 'the bank has certainly not taken it; same key',
  },
  {
    from: 'submitting',
    event: 'unanswered',
    to: 'unknown',
    when: 'no answer, or the process died',
  },
  {
    from: 'unknown',
    event: 'not-there',
    to: 'accepted',
    when: 'a look-up late enough finds nothing; same key',
  },
  {
    from: 'unknown',
    event: 'given-up',
    to: 'needs-operator',
    when: 'look-ups exhausted, or the key too old to send again',
  },
  {
    from: 'pending',
    event: 'overdue',
    to: 'needs-operator',
    when: 'not settled long after it should have',
  },
  { from: 'accepted', event: 'taken', to: 'pending', when: 'the bank had it after all' },
  { from: 'submitting', event: 'taken', to: 'pending' },
  { from: 'unknown', event: 'taken', to: 'pending' },
  { from: 'needs-operator', event: 'taken', to: 'pending' },
  { from: 'accepted', event: 'settled', to: 'settled' },
  { from: 'submitting', event: 'settled', to: 'settled' },
  { from: 'unknown', event: 'settled', to: 'settled' },
  { from: 'pending', event: 'settled', to: 'settled' },
  { from: 'needs-operator', event: 'settled', to: 'settled' },
  { from: 'settled', event: 'window-over', to: 'final', when: 'it can no longer be returned' },
  { from: 'accepted', event: 'rejected', to: 'rejected' },
  { from: 'submitting', event: 'rejected', to: 'rejected' },
  { from: 'unknown', event: 'rejected', to: 'rejected' },
  { from: 'pending', event: 'rejected', to: 'rejected' },
  { from: 'needs-operator', event: 'rejected', to: 'rejected' },
  { from: 'accepted', event: 'returned', to: 'returned' },
  { from: 'submitting', event: 'returned', to: 'returned' },
  { from: 'unknown', event: 'returned', to: 'returned' },
  { from: 'pending', event: 'returned', to: 'returned' },
  { from: 'needs-operator', event: 'returned', to: 'returned' },
  { from: 'settled', event: 'returned', to: 'returned' },
  {
    from: 'final',
    event: 'returned',
    to: 'returned',
    when: 'after the window: rare, and told as late',
  },
  { from: 'needs-operator', event: 'retried-unsent', to: 'accepted', when: 'operator; never sent' },
  { from: 'needs-operator', event: 'retried', to: 'unknown', when: 'operator; looked up again' },
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
