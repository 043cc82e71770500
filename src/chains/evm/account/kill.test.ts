import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf } from '../../../../contracts/test/chain.ts';
import { type RelayTestChain, startRelayTestChain } from '../relay/testing/chain.ts';
import { waitForEnd } from '../relay/testing/world.ts';
import type { KillAt } from './testing/relay.ts';
import { type AccountsWorld, anAccountsWorld } from './testing/world.ts';

// Accounts that send by themselves, on a real node of rules before EIP-7702.

let chain: RelayTestChain;
let world: AccountsWorld;
beforeAll(async () => {
  chain = await startRelayTestChain({ hardfork: 'cancun' });
});
afterAll(() => chain.stop());
afterEach(async () => {
  await chain.call('evm_setAutomine', [true]);
  await world.close();
});

describe('a call of an account whose worker is killed', () => {
  it.each<KillAt>([
    'top-up before-store',
    'top-up after-store',
    'top-up after-broadcast',
    'top-up after-inclusion',
    'top-up before-confirmation',
    'call before-store',
    'call after-store',
    'call after-broadcast',
    'call after-inclusion',
    'call before-confirmation',
  ])('at "%s" lands once, and the account is given its gas once', async (killAt) => {
    world = await anAccountsWorld(chain);
    const wallet = await world.aWallet();
    const id = await world.submit(wallet);
    expect(await waitForEnd(world.spawnWorker(killAt))).toBe('SIGKILL');
    await world.start();
    expect(await world.outcomesOf(id)).toMatchObject([{ status: 'success' }]);
    expect(await balanceOf(chain, world.recipient)).toBe(1n);
    expect(await world.countOf(wallet)).toBe(1);
    expect(await world.topUpsOf(wallet)).toMatchObject([{ status: 'done' }]);
    // No wei is out of the books.
    expect(await chain.balanceOf(wallet.address)).toBe(await world.fundOf(wallet));
  });

  it('before what it signed is stored leaves nothing to the next one that gets its nonce', async () => {
    world = await anAccountsWorld(chain);
    const wallet = await world.aWallet();
    const first = await world.submit(wallet);
    expect(await waitForEnd(world.spawnWorker('call before-store'))).toBe('SIGKILL');
    const code = await chain.call('eth_getCode', [chain.token, 'latest']);
    await chain.call('anvil_setCode', [chain.token, '0x60006000fd']);
    await world.start();
    expect(await world.outcomesOf(first)).toMatchObject([{ status: 'failed' }]);
    await chain.call('anvil_setCode', [chain.token, code]);
    const next = await world.submit(wallet, { gasLimit: 90_000n });
    expect(await world.outcomesOf(next)).toMatchObject([{ status: 'success' }]);
    expect([await balanceOf(chain, world.recipient), await world.countOf(wallet)]).toEqual([1n, 1]);
  });
});
