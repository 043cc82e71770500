import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Secret } from '../../../lib/sealing/secret.ts';

/**
 * Secrets of the sandbox, derived so that every process has the same ones and none lies in the
 * database. The first is the present one.
 */

export function callbackSecrets(keys: readonly Secret<Uint8Array>[]): Secret[] {
  return keys.map((key) => new Secret(derive(key, 'sandbox card callbacks')));
}

export function clientSecrets(keys: readonly Secret<Uint8Array>[], reference: string): string[] {
  return keys.map(
    (key) => `${reference}_secret_${derive(key, `sandbox card client ${reference}`).slice(0, 40)}`,
  );
}

export function isClientSecret(
  keys: readonly Secret<Uint8Array>[],
  input: { readonly reference: string; readonly clientSecret: string },
): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return clientSecrets(keys, input.reference).some((secret) =>
    timingSafeEqual(digest(secret), digest(input.clientSecret)),
  );
}

function derive(key: Secret<Uint8Array>, what: string): string {
  return createHmac('sha256', key.reveal()).update(what).digest('hex');
}
