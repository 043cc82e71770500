/** @module-tag slow */

import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf } from '../../../../contracts/test/chain.ts';
import { type RelayTestChain, startRelayTestChain } from '../relay/testing/chain.ts';
import { waitForEnd } from '../relay/testing/world.ts';
import type { KillAt } from './testing/relay.ts';
import { aCallInNoBlock, cheapAgain, mineDear, soon } from './testing/too-dear.ts';
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

  it('is given its gas once, and it is in the books, though somebody changed the stored bytes that gave it, and the worker that put them right is killed as well', async () => {
    world = await anAccountsWorld(chain);
    const wallet = await world.aWallet();
    const id = await world.submit(wallet);
    expect(await waitForEnd(world.spawnWorker('top-up after-broadcast'))).toBe('SIGKILL');
    const given = `from evm_sends s where s.id = a.send_id and s.kind = 'call'`;
    const bytes = () =>
      world.query<{ raw: Buffer }>(`select a.raw from evm_attempts a, ${given.slice(5)}`);
    const before = await bytes();
    const changed = await world.query(
      `update evm_attempts a set raw = substr(a.raw, 1, 40) || '\\x00'::bytea || substr(a.raw, 42) ${given} returning 1`,
    );
    expect(changed).toHaveLength(1);
    expect(await bytes()).not.toEqual(before);
    expect(await waitForEnd(world.spawnWorker('top-up after-inclusion'))).toBe('SIGKILL');
    expect(await bytes()).toEqual(before);
    await world.start();
    expect(await world.outcomesOf(id)).toMatchObject([{ status: 'success' }]);
    expect(await world.topUpsOf(wallet)).toMatchObject([{ status: 'done' }]);
    expect(await chain.balanceOf(wallet.address)).toBe(await world.fundOf(wallet));
  });

  it.each<KillAt>([
    'call another before-store',
    'call another after-store',
    'call another after-broadcast',
    'call after-inclusion',
    'call before-confirmation',
  ])('at "%s" after its time, too dear, ends once, with one no-op', async (killAt) => {
    world = await anAccountsWorld(chain);
    let worker: ChildProcess;
    const { wallet, id } = await aCallInNoBlock(chain, world, () => {
      worker = world.spawnWorker(killAt, soon);
    });
    const isKilled = async () => worker.signalCode !== null;
    await mineDear(chain, isKilled);
    expect(worker!.signalCode).toBe('SIGKILL');
    await world.start(soon);
    await mineDear(chain, async () => (await world.outcomesOf(id, 0)).length > 0);
    const told = await world.outcomesOf(id, 0);
    expect(told).toMatchObject([{ status: 'failed' }]);
    expect([await balanceOf(chain, world.recipient), await world.countOf(wallet)]).toEqual([0n, 1]);
    // No wei is out of the books, nor paid by nobody.
    const burnedWei = 10n ** 18n - (await chain.balanceOf(wallet.address));
    expect(await world.fundOf(wallet)).toBe(10n ** 18n - burnedWei);
    expect(await world.spentOfOwners()).toBe(burnedWei);
    expect(told[0]!.costMinor).toBe(burnedWei.toString());
    await cheapAgain(chain);
    expect(await world.outcomesOf(await world.submit(wallet))).toMatchObject([
      { status: 'success' },
    ]);
    expect([await balanceOf(chain, world.recipient), await world.countOf(wallet)]).toEqual([1n, 2]);
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
