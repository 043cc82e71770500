import { createHmac } from 'node:crypto';
import type { Secret } from '../../../lib/sealing/secret.ts';

const secretPrefix = 'whsec_';
export const secretBytes = 32;

/** A secret as its owner keeps it. */
export function formatSecret(secret: Uint8Array): string {
  return `${secretPrefix}${Buffer.from(secret).toString('base64')}`;
}

/**
 * The headers of the Standard Webhooks scheme: one signature per secret, so that whoever still has
 * the old one and whoever has the new one can both verify.
 * @param input.at the machine's own time: receivers compare it with theirs
 */
export function signWebhook(input: {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
  readonly secrets: readonly Secret<Uint8Array>[];
}): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = Math.floor(input.at.getTime() / 1_000).toString();
  const content = `${input.id}.${timestamp}.${input.body}`;
  const signatures = input.secrets.map(
    (secret) => `v1,${createHmac('sha256', secret.reveal()).update(content).digest('base64')}`,
  );
  return {
    'webhook-id': input.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
