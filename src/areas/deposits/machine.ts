import { defineMachine } from '../../machine/machine.ts';

/** States of a deposit, as its chain tells them. */
export const depositMachine = defineMachine('deposit', [
  { from: '*', event: 'recorded', to: 'seen', when: 'a block has it' },
  {
    from: 'seen',
    event: 'finalized',
    to: 'final',
    when: 'by the rule of its network the block stays',
  },
  { from: 'seen', event: 'retracted', to: 'retracted', when: 'a reorganisation removed its block' },
  {
    from: 'final',
    event: 'retracted',
    to: 'retracted',
    when: 'a reorganisation against the rule: was_final',
  },
  { from: 'retracted', event: 'recorded', to: 'seen', when: 'another block has it' },
]);

const depositStatuses = ['seen', 'final', 'retracted'] as const;
export type DepositStatus = (typeof depositStatuses)[number];
