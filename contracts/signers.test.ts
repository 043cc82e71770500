import { concatHex, encodeAbiParameters, keccak256, numberToHex, size, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import {
  addresses,
  adminSignerId,
  delegateArguments,
  delegateNonce,
  encodeAddSigner,
  encodeDelegateSignature,
  encodeProof,
  encodeRemoveSigner,
  encodeScopeIndexes,
  encodeSignerKey,
  limitMax,
  ownerAddressOf,
  type SignerKey,
  signerIdOf,
} from './index.ts';

const address = '0x00000000000000000000000000000000000000Aa';
const account: SignerKey = { kind: 'ecdsa', address };
const device: SignerKey = { kind: 'p256', x: 1n, y: 2n };
const passkey: SignerKey = { kind: 'webauthn', x: 3n, y: 4n, requireUserVerification: true };
const word = (value: bigint) => numberToHex(value, { size: 32 });

describe('the key of a signer', () => {
  test('is its kind and what it is, and the id is the hash of that', () => {
    expect(encodeSignerKey(account)).toBe('0x0100000000000000000000000000000000000000aa');
    expect(encodeSignerKey(device)).toBe(concatHex(['0x02', word(1n), word(2n)]));
    expect(encodeSignerKey(passkey)).toBe(concatHex(['0x03', word(3n), word(4n), '0x01']));
    expect(encodeSignerKey({ ...passkey, requireUserVerification: false })).toBe(
      concatHex(['0x03', word(3n), word(4n), '0x00']),
    );
    const ids = [account, device].map(signerIdOf).sort();
    expect(encodeSignerKey({ kind: 'quorum', threshold: 1, members: [device, account] })).toBe(
      concatHex(['0x040102', ...ids]),
    );
    expect(signerIdOf(account)).toBe(keccak256('0x0100000000000000000000000000000000000000aa'));
  });

  test('is the same however its address is written', () => {
    expect(
      signerIdOf({ kind: 'ecdsa', address: '0x00000000000000000000000000000000000000AA' }),
    ).toBe(signerIdOf(account));
  });

  test.each<[string, SignerKey, string]>([
    ['nobody', { kind: 'quorum', threshold: 1, members: [] }, '1 to 255 members'],
    [
      'a threshold of nought',
      { kind: 'quorum', threshold: 0, members: [account] },
      'The threshold',
    ],
    [
      'a threshold that is no number of people',
      { kind: 'quorum', threshold: 1.5, members: [account, device] },
      'The threshold',
    ],
    [
      'a threshold above its size',
      { kind: 'quorum', threshold: 3, members: [account, device] },
      'The threshold',
    ],
    [
      'somebody twice',
      { kind: 'quorum', threshold: 1, members: [account, { ...account }] },
      'twice',
    ],
    [
      'one key as a device and as a passkey',
      {
        kind: 'quorum',
        threshold: 2,
        members: [device, { kind: 'webauthn', x: 1n, y: 2n, requireUserVerification: true }],
      },
      'twice',
    ],
    [
      'one passkey with and without verification',
      {
        kind: 'quorum',
        threshold: 2,
        members: [passkey, { ...passkey, requireUserVerification: false }],
      },
      'twice',
    ],
  ])('cannot be a quorum of %s', (_, key, message) => {
    expect(() => signerIdOf(key)).toThrow(message);
    expect(() => encodeAddSigner({ signer: key, scopes: [] })).toThrow(message);
    expect(() => ownerAddressOf(key)).toThrow(message);
  });
});

describe('a registration', () => {
  const scope = { token: address } as const;

  test('without recipients, limit, interval and times means everybody, none, for ever and always', () => {
    expect(delegateArguments({ signer: account, scopes: [scope] })).toEqual({
      signerId: signerIdOf(account),
      validAfter: 0,
      validUntil: 2 ** 48 - 1,
      scopes: [{ token: address, limit: 2n ** 112n - 1n, interval: 0, recipients: [] }],
    });
  });

  test.each([
    ['an empty list of recipients, which would mean everybody', { recipients: [] }, '1 to 65535'],
    ['a limit that would mean none', { limit: limitMax + 1n }, '112 bits'],
    ['a limit below nought', { limit: -1n }, '112 bits'],
    ['an interval below nought', { interval: -1 }, '32 bits'],
    ['an interval of a part of a second', { interval: 0.5 }, '32 bits'],
    ['an interval beyond what is stored', { interval: 2 ** 32 }, '32 bits'],
    ['the module as its token', { token: addresses.walletModule }, 'not a token'],
  ])('with %s is refused', (_, change, message) => {
    expect(() => encodeAddSigner({ signer: account, scopes: [{ ...scope, ...change }] })).toThrow(
      message,
    );
  });

  test('that ends before it begins, has too many scopes, or is of the admin is refused', () => {
    expect(() =>
      encodeAddSigner({ signer: account, validAfter: 2, validUntil: 1, scopes: [] }),
    ).toThrow('valid at some time');
    expect(() => encodeAddSigner({ signer: account, validUntil: 2 ** 48, scopes: [] })).toThrow(
      'valid at some time',
    );
    expect(() =>
      encodeAddSigner({
        signer: account,
        scopes: Array.from({ length: 256 }, () => ({ token: zeroAddress })),
      }),
    ).toThrow('at most 255');
    for (const id of [adminSignerId, '0x1234'] as const)
      expect(() => encodeRemoveSigner(id)).toThrow('32 bytes');
  });
});

describe('a proof', () => {
  const signature = `0x${'11'.repeat(64)}01` as const;

  test('of an address has v of its scheme, and of a contract the bytes as they are', () => {
    const proofOf = (scheme: 'eip712' | 'eip191' | 'contract') =>
      encodeProof(account, { kind: 'ecdsa', signature, scheme });
    expect(proofOf('eip712').slice(-2)).toBe('1c');
    expect(proofOf('eip191').slice(-2)).toBe('20');
    expect(proofOf('contract')).toBe(concatHex([encodeSignerKey(account), signature]));
    expect(() =>
      encodeProof(account, { kind: 'ecdsa', signature: '0x1234', scheme: 'eip712' }),
    ).toThrow('65 bytes');
  });

  test('of another kind than the key, or of somebody who is no member, is refused', () => {
    expect(() => encodeProof(account, { kind: 'p256', r: 1n, s: 1n })).toThrow(
      'cannot be of a signer of kind ecdsa',
    );
    const quorum: SignerKey = { kind: 'quorum', threshold: 1, members: [account] };
    expect(() =>
      encodeProof(quorum, {
        kind: 'quorum',
        members: [{ key: device, proof: { kind: 'p256', r: 1n, s: 1n } }],
      }),
    ).toThrow('no member');
  });

  test('of a passkey is what an ERC-7913 verifier decodes', () => {
    const proof = {
      kind: 'webauthn',
      authenticatorData: '0x1234',
      clientDataJSON: '{}',
      challengeIndex: 5,
      typeIndex: 6,
      r: 7n,
      s: 8n,
    } as const;
    const encoded = encodeAbiParameters(
      [
        {
          type: 'tuple',
          components: [
            { type: 'bytes32' },
            { type: 'bytes32' },
            { type: 'uint256' },
            { type: 'uint256' },
            { type: 'bytes' },
            { type: 'string' },
          ],
        },
      ],
      [[word(7n), word(8n), 5n, 6n, '0x1234', '{}']],
    );
    // The same without the offset of the tuple.
    expect(encodeProof(passkey, proof)).toBe(
      concatHex([encodeSignerKey(passkey), `0x${encoded.slice(66)}`]),
    );
  });

  test('stands behind the id and the scopes in the signature of a delegate', () => {
    const proof = { kind: 'p256', r: 1n, s: 1n } as const;
    const tail = encodeProof(device, proof);
    expect(encodeDelegateSignature({ key: device, proof })).toBe(
      concatHex([signerIdOf(device), '0x00', tail]),
    );
    expect(encodeDelegateSignature({ key: device, scopeIndexes: [3, 255], proof })).toBe(
      concatHex([signerIdOf(device), '0x0203ff', tail]),
    );
    expect(() => encodeScopeIndexes([256])).toThrow();
  });
});

test('nonces of a delegate start with its id and have room for 64 bits', () => {
  const nonce = delegateNonce(account, 5n);
  expect(numberToHex(nonce, { size: 32 })).toBe(
    `${signerIdOf(account).slice(0, 50)}0000000000000005`,
  );
  expect(delegateNonce(account, 2n ** 64n + 5n)).toBe(nonce);
  expect(size(numberToHex(nonce, { size: 32 }))).toBe(32);
});
