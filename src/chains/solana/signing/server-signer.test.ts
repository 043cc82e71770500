import { hkdfSync, randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { solana } from '../facts.ts';
import { messageBytesOf, writeMessage, writeTransaction } from '../operation/message.ts';
import { newAddress } from '../testing/world.ts';

const secret = randomBytes(32).toString('hex');
const about = { projectId: 'p', environment: 'staging', chain: 'solana' };
const derive = async (input: object = {}) =>
  (await solana.code!.loadServerSigners!()).derive({ secret, ...about, ...input });

describe('a server signer of the caller’s own', () => {
  it('is the key that section 5 of the supplement derives, whatever text stands before its secret', async () => {
    const seed = new Uint8Array(
      hkdfSync('sha256', Buffer.from(secret, 'hex'), 'svc', 'p:staging:solana-ed25519', 32),
    );
    const { locator } = await derive();
    expect(locator).toBe(`server:${bs58.encode(ed25519.getPublicKey(seed))}`);
    expect((await derive({ secret: `xmsk1_${secret}` })).locator).toBe(locator);
    for (const other of [
      { projectId: 'q' },
      { environment: 'production' },
      { secret: randomBytes(32).toString('hex') },
    ])
      expect((await derive(other)).locator).not.toBe(locator);
    await expect(derive({ secret: 'abc' })).rejects.toThrow(TypeError);
  });

  it('signs the message of a transaction in base58, and nothing else', async () => {
    const signer = await derive();
    const address = signer.locator.slice('server:'.length);
    const source = createNoopSigner(address as never);
    const instructions = [
      getTransferSolInstruction({ source, destination: newAddress() as never, amount: 1n }),
    ];
    const transaction = bs58.encode(
      writeTransaction(writeMessage({ feePayer: source.address, instructions, tables: {} })),
    );
    const signature = bs58.decode(await signer.sign(transaction));
    expect(ed25519.verify(signature, messageBytesOf(transaction), bs58.decode(address))).toBe(true);
    for (const text of ['', 'nonsense', '0x00', bs58.encode(Buffer.from('a text'))])
      await expect(signer.sign(text)).rejects.toThrow(TypeError);
  });
});
