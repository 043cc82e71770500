import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../../lib/json/parse-json.ts';
import { storableText } from '../../../lib/json/storable-text.ts';

/** Text that every column of the database keeps: no NUL, no half of a surrogate pair. */
const storable = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .refine((text) => storableText(text) === text, 'has a character that is none, such as NUL');

/** How long a signature may be under way; longer than a page that is asked for one stays open. */
export const signedForMs = 5 * 60_000;

/**
 * What an operator signs with a passkey: the hash of this as JSON, every word of it. It names the
 * one who signs, so that it is nobody else's, the console, so that it is good for no other service,
 * and itself, so that it is done once.
 */
const signedActionSchema = z.strictObject({
  purser: z.literal('operator-action-1'),
  /** The console's page. */
  console: z.string().max(300),
  id: z.uuid(),
  operatorId: z.uuid(),
  projectId: z.uuid(),
  /** Name of the rule. */
  action: z.string().max(80),
  params: z.record(storable(40), z.union([storable(500), z.number()])),
  reason: storable(500),
  expiresAt: z.iso.datetime(),
});
export type SignedAction = z.infer<typeof signedActionSchema>;

export const signedLengthMax = 8_192;

/** The challenge of a text, as browsers are told it. */
export const challengeOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url');

/** @returns what is wrong with it when it is none */
export function readSignedAction(
  text: string,
):
  | { readonly action: SignedAction; readonly problem?: never }
  | { readonly action?: never; readonly problem: string } {
  const value = parseJson(text);
  if (value === undefined) return { problem: 'it is no JSON' };
  const { data, error } = signedActionSchema.safeParse(value);
  if (data) return { action: data };
  return {
    problem: error!.issues
      .map((issue) => `${issue.path.map(String).join('.')} ${issue.message}`.trim())
      .join('; '),
  };
}
