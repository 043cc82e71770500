import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeSolanaAddress } from '../../chains/solana/addresses.ts';
import { readStellarAddress } from '../../chains/stellar/strkey.ts';
import { isBech32 } from '../../lib/locator/bech32.ts';
import { encodeStellar } from './test-kit.ts';

describe('a Stellar address', () => {
  // SEP-23, valid and invalid examples.
  const key = Buffer.from(
    '3f0c34bf93ad0d9971d04ccc90f705511c838aad9734a4a2fb0d7a03fc7fe89a',
    'hex',
  );

  test('is read as the standard says', () => {
    expect(
      Buffer.from(
        readStellarAddress('GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ')!.bytes,
      ).equals(key),
    ).toBe(true);
    expect(
      readStellarAddress('CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE')?.kind,
    ).toBe('C');
  });

  test.each([
    'GAAAAAAAACGC6',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR',
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA',
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ=',
    'ga7qynf7sowq3glr2bgmzehxavirza4kvwltjjfc7mgxua74p7ujvsgz',
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSG0',
    '',
  ])('is not %j', (text) => {
    expect(readStellarAddress(text)).toBeUndefined();
  });

  test('of any key is read back, and no other character can stand in any place', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.nat(55),
        fc.nat(31),
        (bytes, at, letter) => {
          const text = encodeStellar(6 << 3, bytes);
          expect(Buffer.from(readStellarAddress(text)!.bytes).equals(Buffer.from(bytes))).toBe(
            true,
          );
          const other = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[letter]!;
          if (other !== text[at])
            expect(
              readStellarAddress(text.slice(0, at) + other + text.slice(at + 1)),
            ).toBeUndefined();
        },
      ),
    );
  });
});

describe('bech32', () => {
  // BIP-173.
  test.each([
    ['a12uel5l', 'a'],
    [
      'an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs',
      'an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio',
    ],
    ['abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw', 'abcdef'],
    ['split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w', 'split'],
  ])('%s is valid', (text, prefix) => {
    expect(isBech32(text, prefix)).toBe(true);
  });

  test.each([
    ['a12uel5m', 'a'],
    ['A12UEL5L', 'a'],
    ['abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxb', 'abcdef'],
    ['li1dgmt3', 'li'],
    ['a12uel5l', 'b'],
    ['', 'a'],
  ])('%s is not', (text, prefix) => {
    expect(isBech32(text, prefix)).toBe(false);
  });
});

test('a Solana address has 32 bytes', () => {
  expect(decodeSolanaAddress('11111111111111111111111111111111')).toEqual(new Uint8Array(32));
  expect(decodeSolanaAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')).toHaveLength(32);
  for (const text of [
    '1'.repeat(31),
    `1${'1'.repeat(32)}`,
    'z'.repeat(44),
    '0'.repeat(32),
    'Il'.repeat(16),
    randomBytes(32).toString('hex'),
  ])
    expect(decodeSolanaAddress(text)).toBeUndefined();
});
