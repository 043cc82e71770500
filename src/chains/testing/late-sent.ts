import type { LateSent } from '../family/late/network.ts';

/** Whose bytes they are, for networks that do not ask. */
export const lateSent: LateSent = {
  operationId: '00000000-0000-4000-8000-00000000000a',
  projectId: '00000000-0000-4000-8000-00000000000b',
  owner: 'somebody',
  walletId: '00000000-0000-4000-8000-00000000000c',
  operation: {},
  withheld: false,
};
