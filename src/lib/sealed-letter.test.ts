import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openLetter, SealedLetterError, sealLetter } from './sealed-letter.ts';
import { Secret } from './secret.ts';
import { internalPublicKey } from './signed-requests.ts';

const seed = new Secret(new Uint8Array(randomBytes(32)));
const publicKey = internalPublicKey(seed.reveal());
const context = ['run-card', 'checkout-1'];

describe('a sealed letter', () => {
  it('is read by the process whose key it was sealed to, and shows nothing on its way', () => {
    const letter = sealLetter(publicKey, '4242424242424242', context);
    expect(openLetter(seed, letter, context)).toBe('4242424242424242');
    expect(letter.toString('latin1')).not.toContain('4242');
    expect(sealLetter(publicKey, '4242424242424242', context).equals(letter)).toBe(false);
  });

  it('is not read by another process, elsewhere, or after a change of any byte', () => {
    const letter = sealLetter(publicKey, 'text', context);
    expect(() => openLetter(new Secret(new Uint8Array(randomBytes(32))), letter, context)).toThrow(SealedLetterError);
    for (const other of [['run-card', 'checkout-2'], ['run-card'], ['run-cardcheckout-1']])
      expect(() => openLetter(seed, letter, other)).toThrow(SealedLetterError);
    for (let at = 0; at < letter.length; at++) {
      const changed = Buffer.from(letter);
      changed[at]! ^= 1;
      expect(() => openLetter(seed, changed, context)).toThrow(SealedLetterError);
    }
    expect(() => openLetter(seed, letter.subarray(0, 40), context)).toThrow(SealedLetterError);
    // A key of small order gives everybody the same secret.
    expect(() => openLetter(seed, Buffer.concat([Buffer.alloc(32), letter.subarray(32)]), context)).toThrow(SealedLetterError);
  });
});
