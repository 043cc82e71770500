import type { EnteredCard } from './card.ts';

/** A card as a payer types it, good for years. */
export function aCard(number: string, overrides: Partial<EnteredCard> = {}): EnteredCard {
  return { number, expiryMonth: '12', expiryYear: '34', cvc: '123', ...overrides };
}
