import { randomBytes } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { expect, test } from 'vitest';
import { makeSecret, openKey } from './curve-keys.ts';

test('a secp256k1 signature is, byte by byte, the one that another library makes by RFC 6979', () => {
  for (let round = 0; round < 50; round++) {
    const secret = makeSecret('secp256k1', (count) => randomBytes(count));
    const digest = randomBytes(32);
    const [recovery, ...compact] = secp256k1.sign(digest, secret, {
      prehash: false,
      lowS: true,
      format: 'recovered',
    });
    expect([...openKey('secp256k1', secret).sign(digest)]).toEqual([...compact, 27 + recovery!]);
  }
});
