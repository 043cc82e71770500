import type { CardSource } from './card-source.ts';

/** No cards of its own: the user enters one for each purchase. */
export function createUserCards(): CardSource {
  return {
    name: 'user',
    issues: false,
    issue: async () => ({ none: 'The user is asked for a card.' }),
    readUse: async () => ({ state: 'unknown' }),
    close: async () => undefined,
  };
}
