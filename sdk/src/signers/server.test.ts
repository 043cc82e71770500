import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hexOfBytes } from '../bytes.ts';
import { deriveServerKey, type ServerKeyInput, serverSigner } from './server.ts';

interface Vector extends ServerKeyInput {
  readonly key: string;
  readonly address?: string;
}
const vectors = JSON.parse(
  readFileSync(new URL('../../vectors/server-signer.json', import.meta.url), 'utf8'),
) as Vector[];

describe('a server signer', () => {
  it.each(vectors)(
    'of $environment on $chain is HKDF-SHA256 of the secret: $key',
    async ({ key, address, ...input }) => {
      expect(hexOfBytes(await deriveServerKey(input))).toBe(`0x${key}`);
      if (address !== undefined)
        expect((await serverSigner(input)).locator).toBe(`server:${address}`);
    },
  );

  it('signs the 32 bytes of the message by personal_sign, so that its address is recovered from them', async () => {
    const signer = await serverSigner(vectors[0]!);
    const message = `0x${'ab'.repeat(32)}` as const;
    const { signature } = await signer.approve({ message });
    const { recoverMessageAddress } = await import('viem');
    expect(
      await recoverMessageAddress({
        message: { raw: message },
        signature: signature as `0x${string}`,
      }),
    ).toBe(signer.address);
  });

  it.each(['', 'xyz', '00'.repeat(31), `sk_${'00'.repeat(33)}`])(
    'has a secret of 64 hexadecimal digits: %j is refused',
    async (secret) => {
      await expect(deriveServerKey({ ...vectors[0]!, secret })).rejects.toThrow(
        /64 hexadecimal digits/,
      );
    },
  );
});
