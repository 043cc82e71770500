import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import type { SubmittedApproval } from '../../family.ts';
import { bytesOf } from '../abi/words.ts';
import { type AssertionOptions, aDevice, anAccount, aPasskey } from '../testing/signers.ts';
import { readProof } from './approvals.ts';
import { readP256Key } from './p256.ts';

const hash: Hex = `0x${'5a'.repeat(32)}`;
const other: Hex = `0x${'5b'.repeat(32)}`;

describe('an approval by a passkey', () => {
  const passkey = aPasskey();
  const isRight = (options: AssertionOptions) =>
    readProof(hash, passkey.assert(hash, options)) !== undefined;

  it('is a WebAuthn assertion whose challenge is the message, with either value of s', () => {
    for (const form of ['low', 'high'] as const)
      expect(readProof(hash, passkey.assert(hash, { form }))).toMatchObject({ kind: 'webauthn' });
  });

  it('tells by itself where challenge and type stand', () => {
    const given = passkey.assert(hash);
    const { challengeIndex: _, typeIndex: __, ...metadata } = given.metadata!;
    expect(readProof(hash, { ...given, metadata })).toEqual(readProof(hash, given));
  });

  it('of another message, another key or another purpose does not verify', () => {
    expect(readProof(other, passkey.assert(hash))).toBeUndefined();
    expect(isRight({ challenge: bytesOf(other) })).toBe(false);
    expect(isRight({ challenge: Buffer.concat([bytesOf(hash), Buffer.from([0])]) })).toBe(false);
    expect(isRight({ type: 'webauthn.create' })).toBe(false);
    expect(readProof(hash, { ...passkey.assert(hash), signer: aPasskey().signer })).toBeUndefined();
    expect(
      readProof(hash, { ...passkey.assert(hash), signer: { ...passkey.signer, type: 'device' } }),
    ).toBeUndefined();
  });

  it('needs a user who was present and verified', () => {
    const [present, verified, eligible, backedUp] = [0x01, 0x04, 0x08, 0x10];
    expect(isRight({ flags: present | verified })).toBe(true);
    expect(isRight({ flags: present | verified | eligible })).toBe(true);
    expect(isRight({ flags: present | verified | eligible | backedUp })).toBe(true);
    for (const flags of [0, present, verified, present | verified | backedUp])
      expect(isRight({ flags }), String(flags)).toBe(false);
  });

  it('with other metadata does not verify', () => {
    const right = passkey.assert(hash);
    const { clientDataJSON, authenticatorData, challengeIndex, typeIndex } =
      right.metadata as Record<
        'clientDataJSON' | 'authenticatorData' | 'challengeIndex' | 'typeIndex',
        never
      >;
    const wrong = [
      { challengeIndex: challengeIndex + 1 },
      { challengeIndex: -1 },
      { challengeIndex: 1e9 },
      { typeIndex: typeIndex + 1 },
      { clientDataJSON: `${String(clientDataJSON)} ` },
      { clientDataJSON: `${String(clientDataJSON)}\ud800` },
      { clientDataJSON: null },
      { authenticatorData: `${String(authenticatorData)}00` },
      { authenticatorData: '0x' },
      { authenticatorData: String(authenticatorData).slice(2) },
    ];
    for (const metadata of wrong)
      expect(isRight({ metadata }), JSON.stringify(metadata)).toBe(false);
    expect(readProof(hash, { signer: passkey.signer, signature: right.signature })).toBeUndefined();
  });

  it('with other numbers does not verify', () => {
    const right = passkey.assert(hash);
    const { r, s } = right.signature as { r: Hex; s: Hex };
    const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';
    const wrong = [
      { r: s, s: r },
      { r, s: '0x0' },
      { r: '0x00', s },
      { r, s: `0x${order}` },
      { r: `0x${order}`, s },
      { r, s: `${s}00` },
      { r, s: s.slice(2) },
      { r },
      `${r}${s.slice(2)}`,
      null,
    ];
    for (const signature of wrong)
      expect(readProof(hash, { ...right, signature }), JSON.stringify(signature)).toBeUndefined();
  });
});

describe('an approval by a device', () => {
  it('is a P-256 signature over the 32 bytes of the message', async () => {
    const device = aDevice();
    const [approval] = (await device.approve(hash)) as [SubmittedApproval];
    expect(readProof(hash, approval)).toMatchObject({ kind: 'p256' });
    expect(readProof(other, approval)).toBeUndefined();
    expect(readProof(hash, { ...approval, signer: aDevice().signer })).toBeUndefined();
    expect(
      readProof(hash, {
        ...approval,
        signer: { ...anAccount().signer, publicKey: device.signer['publicKey'] },
      }),
    ).toBeUndefined();
  });
});

describe('a P-256 public key', () => {
  it('is a point of the curve in decimal text, or nothing', () => {
    const { x, y } = aDevice().signer['publicKey'] as { x: string; y: string };
    expect(readP256Key({ x, y })).toEqual({ x: BigInt(x), y: BigInt(y) });
    const field = (1n << 256n) - (1n << 224n) + (1n << 192n) + (1n << 96n) - 1n;
    const wrong = [
      { x: y, y: x },
      { x, y: (BigInt(y) + 1n).toString() },
      { x: '0', y: '0' },
      { x: (BigInt(x) + field).toString(), y },
      { x: `0x${BigInt(x).toString(16)}`, y },
      { x: Number(x), y },
      { x },
      `${x},${y}`,
      null,
      undefined,
    ];
    for (const key of wrong) expect(readP256Key(key as never), JSON.stringify(key)).toBeUndefined();
  });
});
