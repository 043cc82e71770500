import { defineMachine } from '../../machine/machine.ts';

/** States of a signature request (supplement, section 22). */
export const signatureMachine = defineMachine('signature', [
  ['*', 'created-for-signers', 'awaiting-approval', 'a signer must approve'],
  ['*', 'created-approved', 'pending', 'api-key signer, mpc wallet'],
  ['awaiting-approval', 'approved-in-part', 'awaiting-approval', 'more approvals required'],
  [
    'awaiting-approval',
    'approved',
    'pending',
    'last approval; an operation is handed to the relay',
  ],
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
  ['pending', 'assembled', 'success', 'the wallet’s signature is made'],
  ['pending', 'not-assembled', 'failed', 'it could not be made'],
  ['pending', 'confirmed', 'success', 'of an operation: the chain has it'],
  ['pending', 'refused', 'failed', 'of an operation: the chain refused it'],
  ['success', 'confirmed', 'success', 'a reorganisation moved the operation'],
  ['success', 'refused', 'failed', 'a reorganisation undid it and it failed the second time'],
  ['failed', 'confirmed', 'success', 'a reorganisation undid its failure'],
]);

export type SignatureStatus = 'awaiting-approval' | 'pending' | 'success' | 'failed';
