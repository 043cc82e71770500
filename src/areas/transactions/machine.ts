import { defineMachine } from '../../machine/machine.ts';

/** States of a transaction (supplement, section 22). */
export const transactionMachine = defineMachine('transaction', [
  {
    from: '*',
    event: 'created-for-signers',
    to: 'awaiting-approval',
    when: 'a signer must approve',
  },
  { from: '*', event: 'created-approved', to: 'pending', when: 'api-key signer, mpc wallet' },
  {
    from: 'awaiting-approval',
    event: 'approved-in-part',
    to: 'awaiting-approval',
    when: 'more approvals required',
  },
  {
    from: 'awaiting-approval',
    event: 'approved',
    to: 'pending',
    when: 'last approval; handed to the relay',
  },
  {
    from: 'awaiting-approval',
    event: 'blocked',
    to: 'failed',
    when: 'an address is on a sanctions list since',
  },
  {
    from: 'awaiting-approval',
    event: 'declined-in-part',
    to: 'awaiting-approval',
    when: 'a member of a quorum says no, and the others are enough',
  },
  {
    from: 'awaiting-approval',
    event: 'declined',
    to: 'failed',
    when: 'a signer without whom it cannot be approved says no',
  },
  {
    from: 'awaiting-approval',
    event: 'window-closed',
    to: 'failed',
    when: '24 h, or the chain’s own validity',
  },
  { from: 'pending', event: 'confirmed', to: 'success' },
  { from: 'pending', event: 'refused', to: 'failed', when: 'build, screening or chain' },
  {
    from: 'success',
    event: 'confirmed',
    to: 'success',
    when: 'a reorganisation moved it to another block or transaction',
  },
  {
    from: 'success',
    event: 'refused',
    to: 'failed',
    when: 'a reorganisation undid it and it failed the second time',
  },
  { from: 'failed', event: 'confirmed', to: 'success', when: 'a reorganisation undid its failure' },
]);

export const transactionStatuses = ['awaiting-approval', 'pending', 'success', 'failed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];
