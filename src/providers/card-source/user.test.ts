import { testCardSource } from './card-source.contract.ts';
import { createUserCards } from './user.ts';

testCardSource('user', { issues: false, isRemote: false }, async () => ({
  source: createUserCards(),
  pay: async () => {
    throw new Error('There is no card to pay with.');
  },
  countCards: async () => 0,
  now: () => new Date(),
  close: async () => undefined,
}));
