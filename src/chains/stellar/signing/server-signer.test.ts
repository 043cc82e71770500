import { hkdfSync, randomBytes } from 'node:crypto';
import { Keypair } from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import { deriveServerSigner } from './server-signer.ts';

const secret = randomBytes(32).toString('hex');
const derive = (input: object = {}) =>
  deriveServerSigner({
    secret,
    projectId: 'p',
    environment: 'staging',
    chain: 'stellar',
    ...input,
  });

describe('a server signer of the caller’s own on Stellar', () => {
  it('is the key that section 5 of the supplement derives, whatever text stands before its secret', () => {
    const seed = hkdfSync(
      'sha256',
      Buffer.from(secret, 'hex'),
      'svc',
      'p:staging:stellar-ed25519',
      32,
    );
    const { locator } = derive();
    expect(locator).toBe(`server:${Keypair.fromRawEd25519Seed(Buffer.from(seed)).publicKey()}`);
    expect(derive({ secret: `xmsk1_${secret}` }).locator).toBe(locator);
    for (const other of [
      { projectId: 'q' },
      { environment: 'production' },
      { secret: randomBytes(32).toString('hex') },
    ])
      expect(derive(other).locator).not.toBe(locator);
    expect(() => derive({ secret: 'abc' })).toThrow(TypeError);
  });

  it('signs the bytes of an approval’s message, and nothing else', async () => {
    const signer = derive();
    const key = Keypair.fromPublicKey(signer.locator.slice('server:'.length));
    const payload = randomBytes(32);
    expect(
      key.verify(payload, Buffer.from(await signer.sign(payload.toString('base64')), 'base64')),
    ).toBe(true);
    for (const text of [
      '',
      'nonsense',
      `0x${payload.toString('hex')}`,
      randomBytes(33).toString('base64'),
    ])
      await expect(signer.sign(text)).rejects.toThrow(TypeError);
  });
});
