import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { internalPublicKey } from '../net/signed-requests.ts';
import { openLetter, SealedLetterError, sealLetter } from './sealed-letter.ts';
import { Secret } from './secret.ts';

const seed = new Secret(new Uint8Array(randomBytes(32)));
const publicKey = internalPublicKey(seed.reveal());
const context = ['run-card', 'checkout-1'];

describe('a sealed letter', () => {
  it('is read by the process whose key it was sealed to, and shows nothing on its way', async () => {
    const letter = await sealLetter(publicKey, '4242424242424242', context);
    expect(await openLetter(seed, letter, context)).toBe('4242424242424242');
    expect(letter.toString('latin1')).not.toContain('4242');
    expect((await sealLetter(publicKey, '4242424242424242', context)).equals(letter)).toBe(false);
  });

  it('is not read by another process, elsewhere, or after a change of any byte', async () => {
    const letter = await sealLetter(publicKey, 'text', context);
    const isRefused = (bytes: Uint8Array, { key = seed, where = context } = {}) =>
      expect(openLetter(key, bytes, where)).rejects.toThrow(SealedLetterError);
    await isRefused(letter, { key: new Secret(new Uint8Array(randomBytes(32))) });
    for (const where of [['run-card', 'checkout-2'], ['run-card'], ['run-cardcheckout-1']])
      await isRefused(letter, { where });
    for (let at = 0; at < letter.length; at++) {
      const changed = Buffer.from(letter);
      changed[at]! ^= 1;
      // X25519 does not look at the highest bit of a key, HKDF does.
      await isRefused(changed);
    }
    await isRefused(letter.subarray(0, 40));
    await isRefused(Buffer.alloc(0));
    // A key of small order gives everybody the same secret.
    await isRefused(Buffer.concat([Buffer.alloc(32), letter.subarray(32)]));
  });
});
