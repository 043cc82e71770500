import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAddress, openWorld, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ feePayers: 2 });
  await world.start();
});
afterAll(() => world?.close());

describe('the relay of a local chain', () => {
  it('sends a token transfer whose recipient had no account, and tells what it cost', async () => {
    const [wallet, recipient] = [await world.aWallet({ tokens: 1_000n }), newAddress()];
    const prepared = await world.prepareTransfer(wallet, 400n, recipient);
    const outcome = await world.outcomeOf(await world.submit(wallet, prepared));
    expect(outcome).toMatchObject({
      status: 'success',
      executed: true,
      onChain: { txId: expect.stringMatching(/^\w{86,88}$/) },
    });
    expect(await world.tokensOf(recipient)).toBe(400n);
    expect(await world.tokensOf(wallet.address)).toBe(600n);
    // Two signatures, and the rent of the account.
    expect(outcome.costMinor).toBeGreaterThanOrEqual(10_000n + 2_039_280n);
    expect(await world.lamportsOf(wallet.address)).toBe(0n);
  });

  it('sends many operations of one wallet side by side, each once', async () => {
    const wallet = await world.aWallet({ lamports: 1_000_000_000n });
    const recipients = Array.from({ length: 12 }, newAddress);
    const ids = await Promise.all(
      recipients.map(async (recipient) =>
        world.submit(
          wallet,
          await world.prepareTransfer(wallet, 1_000_000n, recipient, world.native),
        ),
      ),
    );
    for (const id of ids) expect((await world.outcomeOf(id)).status).toBe('success');
    for (const recipient of recipients) expect(await world.lamportsOf(recipient)).toBe(1_000_000n);
  });
});
