import { defineMachine } from '../../machine/machine.ts';

/**
 * States of a change of a delegated signer on one chain: its registration or its removal
 * (supplement, section 22).
 */
export const signerChangeMachine = defineMachine('signer-change', [
  { from: '*', event: 'started', to: 'open', when: 'a signature request or transaction was made' },
  { from: 'open', event: 'confirmed', to: 'success', when: 'the chain has it' },
  {
    from: 'open',
    event: 'refused',
    to: 'failed',
    when: 'the chain refused it, or nobody approved it in time',
  },
  {
    from: 'open',
    event: 'replaced',
    to: 'replaced',
    when: 'asked for again with other settings, before it was approved',
  },
  { from: 'replaced', event: 'confirmed', to: 'success', when: 'it was approved all the same' },
  { from: 'replaced', event: 'refused', to: 'failed' },
  { from: 'failed', event: 'confirmed', to: 'success', when: 'a reorganisation undid its failure' },
  { from: 'success', event: 'confirmed', to: 'success', when: 'a reorganisation moved it' },
  { from: 'success', event: 'refused', to: 'failed', when: 'a reorganisation undid it' },
  { from: 'failed', event: 'refused', to: 'failed', when: 'told again' },
]);

export type SignerChangeStatus = 'open' | 'success' | 'failed' | 'replaced';
