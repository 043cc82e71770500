import bs58 from 'bs58';
import { expect, test } from 'vitest';
import {
  formatKey,
  type KeyClaims,
  publicKeyOfSeed,
  readKey,
  readPublicKey,
} from './key-format.ts';

const seed = new Uint8Array(
  Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex'),
);
const otherSeed = new Uint8Array(
  Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex'),
);
const expected = {
  environment: 'staging',
  publicKey: readPublicKey(publicKeyOfSeed(seed)),
} as const;
const claims: KeyClaims = {
  kind: 'server',
  environment: 'staging',
  projectId: '961e8438-602d-43db-a386-9f465c39b224',
  secret: 'abcdefghijklmnopqrstuvwxyz012345',
};

test('a key is read back as it was written', () => {
  for (const kind of ['server', 'client'] as const)
    expect(readKey(formatKey({ ...claims, kind }, seed), expected)).toEqual({ ...claims, kind });
});

test('a key is its prefix and base58 of project, key id and signature, so that clients can read the project from it', () => {
  const key = formatKey(claims, seed);
  expect(key).toMatch(/^sk_staging_[1-9A-HJ-NP-Za-km-z]+$/);
  const [project, rest] = Buffer.from(bs58.decode(key.slice('sk_staging_'.length)))
    .toString()
    .split('.');
  expect(project).toBe(claims.projectId);
  const [id, signature] = rest!.split(':');
  expect(id).toBe(claims.secret);
  expect(bs58.decode(signature!)).toHaveLength(64);
});

test.each([
  ['sk_live_abcdef', /old form/],
  ['sk_test_abcdef', /old form/],
  ['ck_live_abcdef', /old form/],
  ['abc', /malformed/],
  ['sk_staging_', /malformed/],
  ['sk_staging_0OIl', /malformed/],
  ['sk_moon_abcdef', /malformed/],
  [`sk_staging_${bs58.encode(Buffer.from('no project'))}`, /malformed/],
  [`sk_staging_${'z'.repeat(401)}`, /malformed/],
  [formatKey({ ...claims, environment: 'production' }, seed), /key of the production environment/],
  [formatKey(claims, otherSeed), /signature .* does not verify/],
  [formatKey(claims, seed).replace('sk_', 'ck_'), /signature .* does not verify/],
  [
    formatKey({ ...claims, environment: 'development' }, seed).replace('development', 'staging'),
    /signature .* does not verify/,
  ],
])('%s is refused', (text, message) => {
  expect(() => readKey(text, expected)).toThrow(message);
});

test('a key with one changed character is refused', () => {
  const key = formatKey(claims, seed);
  for (let index = 'sk_staging_'.length; index < key.length; index += 7) {
    const changed = `${key.slice(0, index)}${key[index] === 'a' ? 'b' : 'a'}${key.slice(index + 1)}`;
    expect(() => readKey(changed, expected)).toThrow(/malformed|does not verify/);
  }
});
