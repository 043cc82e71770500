import { defineMachine } from '../../../../machine/machine.ts';

/**
 * States of money that goes back to a payer. Each refund has one transfer that may arrive: a new
 * one only after the last cannot.
 */
export const refundMachine = defineMachine('order-refund', [
  { from: '*', event: 'created', to: 'pending', when: 'its id and its transfer are stored' },
  { from: 'pending', event: 'sent', to: 'sent', when: 'the treasury has taken it' },
  {
    from: 'pending',
    event: 'finalized',
    to: 'final',
    when: 'the chain was faster than the answer',
  },
  { from: 'sent', event: 'finalized', to: 'final' },
  {
    from: 'sent',
    event: 'transfer-failed',
    to: 'pending',
    when: 'for good on the chain: a new transfer',
  },
  {
    from: 'pending',
    event: 'refused',
    to: 'failed',
    when: 'nobody may be paid there, or it cannot be sent',
  },
  { from: 'sent', event: 'refused', to: 'failed', when: 'the last transfer failed on the chain' },
  {
    from: 'final',
    event: 'retracted',
    to: 'sent',
    when: 'a reorganisation against the rule; sent again while its deposit is there',
  },
  { from: 'failed', event: 'retried', to: 'pending', when: 'operator' },
]);

type RefundTransition = (typeof refundMachine)['transitions'][number];
export type RefundStatus = RefundTransition['to'];
export type RefundEvent = RefundTransition['event'];
