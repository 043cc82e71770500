import { defineMachine } from '../../machine/machine.ts';

/** States of a transaction (supplement, section 22). */
export const transactionMachine = defineMachine('transaction', [
  ['*', 'created-for-signers', 'awaiting-approval', 'a signer must approve'],
  ['*', 'created-approved', 'pending', 'api-key signer, mpc wallet'],
  ['awaiting-approval', 'approved-in-part', 'awaiting-approval', 'more approvals required'],
  ['awaiting-approval', 'approved', 'pending', 'last approval; handed to the relay'],
  ['awaiting-approval', 'blocked', 'failed', 'an address is on a sanctions list since'],
  [
    'awaiting-approval',
    'declined-in-part',
    'awaiting-approval',
    'a member of a quorum says no, and the others are enough',
  ],
  [
    'awaiting-approval',
    'declined',
    'failed',
    'a signer without whom it cannot be approved says no',
  ],
  ['awaiting-approval', 'window-closed', 'failed', '24 h, or the chain’s own validity'],
  ['pending', 'confirmed', 'success'],
  ['pending', 'refused', 'failed', 'build, screening or chain'],
  ['success', 'confirmed', 'success', 'a reorganisation moved it to another block or transaction'],
  ['success', 'refused', 'failed', 'a reorganisation undid it and it failed the second time'],
  ['failed', 'confirmed', 'success', 'a reorganisation undid its failure'],
]);

export const transactionStatuses = ['awaiting-approval', 'pending', 'success', 'failed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];
