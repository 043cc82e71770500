import { defineMachine } from '../../machine/machine.ts';

/**
 * States of what a treasury sends. A failure counts once nothing can undo it: the one who hears of
 * it may send again with another id, and both must not arrive.
 */
export const treasuryTransferMachine = defineMachine('treasury-transfer', [
  ['*', 'sent', 'pending', 'handed to the relay'],
  ['pending', 'executed', 'success', 'a block has it'],
  ['pending', 'refused', 'failed', 'it never reached the chain, or it reverted in a final block'],
  ['success', 'refused', 'failed', 'its block went before a watcher read it, and nothing can run'],
  ['success', 'finalized', 'final', 'by the rule of its network the block stays'],
  [
    'success',
    'retracted',
    'pending',
    'a reorganisation removed its block; sent again unless withheld',
  ],
  ['final', 'retracted', 'pending', 'a reorganisation against the rule'],
  ['failed', 'retracted', 'pending', 'a reorganisation against the rule'],
  ['failed', 'executed', 'success', 'a reorganisation against the rule undid its failure'],
]);

export type TreasuryTransferStatus = 'pending' | 'success' | 'final' | 'failed';
