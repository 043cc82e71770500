import { defineMachine } from '../../../../machine/machine.ts';

/**
 * States of money that goes back to a payer. Each refund has one transfer that may arrive: a new
 * one only after the last cannot.
 */
export const refundMachine = defineMachine('order-refund', [
  ['*', 'created', 'pending', 'its id and its transfer are stored'],
  ['pending', 'sent', 'sent', 'the treasury has taken it'],
  ['pending', 'finalized', 'final', 'the chain was faster than the answer'],
  ['sent', 'finalized', 'final'],
  ['sent', 'transfer-failed', 'pending', 'for good on the chain: a new transfer'],
  ['pending', 'refused', 'failed', 'nobody may be paid there, or it cannot be sent'],
  ['sent', 'refused', 'failed', 'the last transfer failed on the chain'],
  [
    'final',
    'retracted',
    'sent',
    'a reorganisation against the rule; sent again while its deposit is there',
  ],
  ['failed', 'retried', 'pending', 'operator'],
]);

type RefundTransition = (typeof refundMachine)['transitions'][number];
export type RefundStatus = RefundTransition['to'];
export type RefundEvent = RefundTransition['event'];
