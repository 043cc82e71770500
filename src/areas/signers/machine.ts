import { defineMachine } from '../../machine/machine.ts';

/**
 * States of a change of a delegated signer on one chain: its registration or its removal
 * (supplement, section 22).
 */
export const signerChangeMachine = defineMachine('signer-change', [
  ['*', 'started', 'open', 'a signature request or transaction was made'],
  ['open', 'confirmed', 'success', 'the chain has it'],
  ['open', 'refused', 'failed', 'the chain refused it, or nobody approved it in time'],
  ['open', 'replaced', 'replaced', 'asked for again with other settings, before it was approved'],
  ['replaced', 'confirmed', 'success', 'it was approved all the same'],
  ['replaced', 'refused', 'failed'],
  ['failed', 'confirmed', 'success', 'a reorganisation undid its failure'],
  ['success', 'confirmed', 'success', 'a reorganisation moved it'],
  ['success', 'refused', 'failed', 'a reorganisation undid it'],
  ['failed', 'refused', 'failed', 'told again'],
]);

export type SignerChangeStatus = 'open' | 'success' | 'failed' | 'replaced';
