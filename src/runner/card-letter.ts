import { z } from 'zod';
import type { JsonObject } from '../lib/json/json.ts';
import { openLetter } from '../lib/sealing/sealed-letter.ts';
import type { Secret } from '../lib/sealing/secret.ts';

/** A saved card on its way from the vault to a runner, among the values of the user's answer. */
const contentSchema = z.object({
  number: z.string(),
  expirationMonth: z.number().int(),
  expirationYear: z.number().int(),
  holder: z.string(),
  postalCode: z.string(),
});
export type SavedCardContent = z.output<typeof contentSchema>;

/** Where such a letter belongs. */
export const cardLetterContext = (checkoutId: string): readonly string[] => [
  'card-for-run',
  checkoutId,
];

/**
 * The values as `cardFromAnswer` reads them, with the card in place of its letter. Values without
 * one are answered as they are.
 * @throws Error when the letter is not for this runner and checkout
 */
export async function openCardLetter(
  seed: Secret<Uint8Array>,
  { checkoutId, values }: { readonly checkoutId: string; readonly values: JsonObject },
): Promise<JsonObject> {
  const { cardLetter, ...others } = values;
  if (typeof cardLetter !== 'string') return values;
  const content = JSON.parse(
    await openLetter(seed, Buffer.from(cardLetter, 'base64'), cardLetterContext(checkoutId)),
  ) as unknown;
  return { ...others, ...contentSchema.parse(content) };
}
