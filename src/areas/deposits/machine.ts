import { defineMachine } from '../../machine/machine.ts';

/** States of a deposit, as its chain tells them. */
export const depositMachine = defineMachine('deposit', [
  ['*', 'recorded', 'seen', 'a block has it'],
  ['seen', 'finalized', 'final', 'by the rule of its network the block stays'],
  ['seen', 'retracted', 'retracted', 'a reorganisation removed its block'],
  ['final', 'retracted', 'retracted', 'a reorganisation against the rule: was_final'],
  ['retracted', 'recorded', 'seen', 'another block has it'],
]);

const depositStatuses = ['seen', 'final', 'retracted'] as const;
export type DepositStatus = (typeof depositStatuses)[number];
