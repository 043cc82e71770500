import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../../config/config.ts';
import type { Secret } from '../../../lib/sealing/secret.ts';

type Keys = Pick<Config, 'keyEncryptionKeys'>;
interface Checkout {
  readonly id: string;
  readonly createdAt: Date;
}

const tokenPattern = /^([0-9a-z]{1,11})\.([\w-]{43})$/;

/**
 * What opens the live page of a checkout. It is derived and nowhere stored; it opens this checkout
 * alone.
 */
export function liveToken({ keyEncryptionKeys }: Keys, checkout: Checkout): string {
  const startMs = checkout.createdAt.getTime();
  return `${startMs.toString(36)}.${mac(keyEncryptionKeys[0]!.key, checkout.id, startMs).toString('base64url')}`;
}

/**
 * Without a look into the database, so that guessing costs it nothing.
 * @returns when the checkout must have been created
 */
export function readLiveToken(
  { keyEncryptionKeys }: Keys,
  input: { readonly id: string; readonly token: string },
): Date | undefined {
  const [, start, given] = tokenPattern.exec(input.token) ?? [];
  if (start === undefined || given === undefined) return undefined;
  const startMs = Number.parseInt(start, 36);
  const bytes = Buffer.from(given, 'base64url');
  const isOurs = keyEncryptionKeys.some(({ key }) =>
    timingSafeEqual(mac(key, input.id, startMs), bytes),
  );
  return isOurs ? new Date(startMs) : undefined;
}

/** A key of its own for each purpose: what seals is never what signs. */
function mac(key: Secret<Uint8Array>, id: string, startMs: number): Buffer {
  const own = createHmac('sha256', key.reveal())
    .update('live pages of agent checkouts, 1')
    .digest();
  return createHmac('sha256', own).update(`${id}\n${startMs}`).digest();
}
