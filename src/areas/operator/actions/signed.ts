import { createHash } from 'node:crypto';
import { z } from 'zod';

/** How long a signature may be under way; longer than a page that is asked for one stays open. */
export const signedForMs = 5 * 60_000;

/**
 * What an operator signs with a passkey: the hash of this as JSON, every word of it. It names the one who signs, so that it is nobody
 * else's, the console, so that it is good for no other service, and itself, so that it is done once.
 */
export const signedActionSchema = z.strictObject({
  purser: z.literal('operator-action-1'),
  /** The console's page. */
  console: z.string().max(300),
  id: z.uuid(),
  operatorId: z.uuid(),
  projectId: z.uuid(),
  /** Name of the rule. */
  action: z.string().max(80),
  params: z.record(z.string().max(40), z.union([z.string().max(500), z.number()])),
  reason: z.string().max(500),
  expiresAt: z.iso.datetime(),
});
export type SignedAction = z.infer<typeof signedActionSchema>;

export const signedLengthMax = 8_192;

/** The challenge of a text, as browsers are told it. */
export const challengeOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** @returns undefined when it is none */
export function readSignedAction(text: string): SignedAction | undefined {
  try {
    return signedActionSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
