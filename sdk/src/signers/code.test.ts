import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSealer } from '../../../src/lib/sealing/seal.ts';
import { listSandboxMessages } from '../../../src/providers/messaging/sandbox.ts';
import { type Stack, startStack } from '../../../test/harness/stack.ts';
import { createPurser } from '../client.ts';
import type { Review } from '../evm/review.ts';
import { codeSigner } from './code.ts';
import { createDeviceKey } from './device.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

it('a person with an e-mail address approves with a code, after a wrong one too, and then without one for a while', async () => {
  const purser = createPurser({ baseUrl: stack.api.baseUrl, apiKey: stack.api.serverKey });
  const email = 'ada@example.com';
  const wallet = await purser.createWallet({
    chainType: 'evm',
    config: { adminSigner: { type: 'email', email } },
  });
  const asked: { sentTo: string; triesLeft?: number; review?: Review }[] = [];
  const signer = codeSigner(purser, {
    walletAddress: wallet.address,
    locator: `email:${email}`,
    device: await createDeviceKey(),
    askForCode: async (question) => {
      asked.push(question);
      const sealer = createSealer(stack.ctx.config.keyEncryptionKeys);
      const [message] = await listSandboxMessages(
        { store: stack.ctx.store, sealer },
        { to: email, limit: 1 },
      );
      const code = /\b\d{6}\b/.exec(message!.text!)![0];
      return asked.length === 1 ? String((Number(code) + 1) % 1_000_000).padStart(6, '0') : code;
    },
  });
  for (const text of ['first', 'second']) {
    const signed = await purser.sign(
      wallet.address,
      { type: 'message', params: { chain: 'base-sepolia', message: text } },
      { signers: [signer] },
    );
    expect(signed.outputSignature).toMatch(/^0x/);
  }
  const review = expect.objectContaining({ kind: 'message', text: 'first' }) as unknown;
  expect(asked).toEqual([
    { sentTo: 'a***@example.com', review },
    { sentTo: 'a***@example.com', triesLeft: 4, review },
  ]);
});
