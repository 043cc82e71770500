import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../lib/sealing/secret.ts';
import type { CallbackRefusal } from './kyc.ts';

/** Older and newer callbacks are refused: whoever recorded one cannot send it again later. */
export const callbackWindowMs = 5 * 60_000;
const pairsMax = 10;

/** `t=<unix seconds>,v1=<HMAC-SHA-256 as hex>` over `<unix seconds>.<body>`. */
export function signCallback(secret: Secret, body: Buffer, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  return `t=${seconds},v1=${hmac(secret, seconds, body).toString('hex')}`;
}

/**
 * Checks a signature header: one such pair, or several with spaces between while a secret is being
 * replaced. One pair that fits one of the secrets suffices.
 * @returns why it is refused, or undefined
 */
export function checkCallback(input: {
  readonly header: string | undefined;
  readonly body: Buffer;
  readonly secrets: readonly Secret[];
  readonly now: Date;
}): CallbackRefusal | undefined {
  const { header, body, secrets, now } = input;
  const pairs = (header ?? '').split(/ +/).slice(0, pairsMax).map(readPair);
  const signed = pairs.find(
    (pair) =>
      pair &&
      secrets.some((secret) => timingSafeEqual(hmac(secret, pair.seconds, body), pair.digest)),
  );
  if (!signed) return 'wrong-signature';
  return Math.abs(now.getTime() - signed.seconds * 1_000) > callbackWindowMs
    ? 'outside-window'
    : undefined;
}

function readPair(text: string): { readonly seconds: number; readonly digest: Buffer } | undefined {
  const [, seconds, digest] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(text) ?? [];
  return seconds === undefined || digest === undefined
    ? undefined
    : { seconds: Number(seconds), digest: Buffer.from(digest, 'hex') };
}

function hmac(secret: Secret, seconds: number, body: Buffer): Buffer {
  return createHmac('sha256', secret.reveal()).update(`${seconds}.`).update(body).digest();
}
