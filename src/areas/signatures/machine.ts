import { defineMachine } from '../../machine/machine.ts';

/** States of a signature request (supplement, section 22). */
export const signatureMachine = defineMachine('signature', [
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
    when: 'last approval; an operation is handed to the relay',
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
  { from: 'pending', event: 'assembled', to: 'success', when: 'the wallet’s signature is made' },
  { from: 'pending', event: 'not-assembled', to: 'failed', when: 'it could not be made' },
  { from: 'pending', event: 'confirmed', to: 'success', when: 'of an operation: the chain has it' },
  {
    from: 'pending',
    event: 'refused',
    to: 'failed',
    when: 'of an operation: the chain refused it',
  },
  {
    from: 'success',
    event: 'confirmed',
    to: 'success',
    when: 'a reorganisation moved the operation',
  },
  {
    from: 'success',
    event: 'refused',
    to: 'failed',
    when: 'a reorganisation undid it and it failed the second time',
  },
  { from: 'failed', event: 'confirmed', to: 'success', when: 'a reorganisation undid its failure' },
]);

export type SignatureStatus = 'awaiting-approval' | 'pending' | 'success' | 'failed';
