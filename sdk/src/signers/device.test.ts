import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bytesOfHex } from '../bytes.ts';
import { p256SignatureOfDer, p256SignatureOfRaw } from '../p256.ts';
import { createDeviceKey, deviceSigner } from './device.ts';

const halfOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n / 2n;

describe('a device signer', () => {
  it('signs the bytes of the message with P-256 and SHA-256, s being the lower of its two values', async () => {
    const keyPair = await createDeviceKey();
    const signer = await deviceSigner(keyPair, { name: 'Phone' });
    const spki = Buffer.from(await crypto.subtle.exportKey('spki', keyPair.publicKey));
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const message = `0x${'17'.repeat(32)}`;
    for (let round = 0; round < 10; round++) {
      const { signature } = await signer.approve({ message });
      const { r, s } = signature as { r: string; s: string };
      const raw = Buffer.from(r.slice(2) + s.slice(2), 'hex');
      expect(verify('sha256', bytesOfHex(message), { key, dsaEncoding: 'ieee-p1363' }, raw)).toBe(
        true,
      );
      expect(BigInt(s)).toBeLessThanOrEqual(halfOrder);
    }
  });

  it('has the locator and public key of its point, and no readable private key', async () => {
    const keyPair = await createDeviceKey();
    const { locator, publicKey, input } = await deviceSigner(keyPair);
    const raw = Buffer.from(await crypto.subtle.exportKey('raw', keyPair.publicKey));
    expect(locator).toBe(`device:${raw.toString('base64')}`);
    expect(BigInt(publicKey.x)).toBe(BigInt(`0x${raw.subarray(1, 33).toString('hex')}`));
    expect(input).toEqual({ type: 'device', publicKey });
    await expect(crypto.subtle.exportKey('pkcs8', keyPair.privateKey)).rejects.toThrow();
  });

  it('reads the DER signatures of authenticators, short integers and sign bytes included', () => {
    const short = Uint8Array.from([0x30, 0x08, 0x02, 0x02, 0x00, 0xff, 0x02, 0x02, 0x00, 0x80]);
    expect([p256SignatureOfDer(short).r, p256SignatureOfDer(short).s].map(BigInt)).toEqual([
      255n,
      128n,
    ]);
    expect(() => p256SignatureOfDer(Uint8Array.from([0x31, 0]))).toThrow(TypeError);
    expect(BigInt(p256SignatureOfRaw(new Uint8Array(64).fill(0x11)).r)).toBe(
      BigInt(`0x${'11'.repeat(32)}`),
    );
  });
});
