import { defineMachine } from '../../machine/machine.ts';

/**
 * States of what a treasury sends. A failure counts once nothing can undo it: the one who hears of
 * it may send again with another id, and both must not arrive.
 */
export const treasuryTransferMachine = defineMachine('treasury-transfer', [
  { from: '*', event: 'sent', to: 'pending', when: 'handed to the relay' },
  { from: 'pending', event: 'executed', to: 'success', when: 'a block has it' },
  {
    from: 'pending',
    event: 'refused',
    to: 'failed',
    when: 'it never reached the chain, or it reverted in a final block',
  },
  {
    from: 'success',
    event: 'finalized',
    to: 'final',
    when: 'by the rule of its network the block stays',
  },
  {
    from: 'success',
    event: 'retracted',
    to: 'pending',
    when: 'a reorganisation removed its block; sent again unless withheld',
  },
  { from: 'final', event: 'retracted', to: 'pending', when: 'a reorganisation against the rule' },
  { from: 'failed', event: 'retracted', to: 'pending', when: 'a reorganisation against the rule' },
  {
    from: 'failed',
    event: 'executed',
    to: 'success',
    when: 'a reorganisation against the rule undid its failure',
  },
]);

export type TreasuryTransferStatus = 'pending' | 'success' | 'final' | 'failed';
