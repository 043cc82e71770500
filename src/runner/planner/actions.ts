import { z } from 'zod';

/** Actions of one answer; a longer list is no answer. */
export const actionsMax = 8;
const wordsMax = 60;

/** Values of ours that may be typed, by name: a model names them and never sees them. */
export const valueNames = [
  'buyer.firstName',
  'buyer.lastName',
  'buyer.fullName',
  'buyer.email',
  'buyer.phone',
  'shipping.line1',
  'shipping.line2',
  'shipping.houseNumber',
  'shipping.city',
  'shipping.region',
  'shipping.postalCode',
  'shipping.country',
  'request.quantity',
] as const;
export type ValueName = (typeof valueNames)[number];

/** Names an element of one snapshot: `<number of the call>-<number of the element>`. */
const ref = z.string().max(20);

// A plain union: many servers know `anyOf` and not `oneOf`.
const actionSchema = z.union([
  z.object({ do: z.literal('click'), ref }),
  z.object({ do: z.literal('choose'), ref, option: z.number().int().min(0).max(1_000) }),
  z.object({ do: z.literal('type'), ref, value: z.enum(valueNames) }),
  z.object({ do: z.literal('type-words'), ref, words: z.string().min(1).max(wordsMax) }),
  z.object({ do: z.literal('scroll'), to: z.enum(['up', 'down']) }),
  z.object({ do: z.literal('done') }),
  z.object({ do: z.literal('give-up'), reason: z.string().max(300) }),
]);
export type Action = z.output<typeof actionSchema>;

export const answerSchema = z.object({ actions: z.array(actionSchema).min(1).max(actionsMax) });
