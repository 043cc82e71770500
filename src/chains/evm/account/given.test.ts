import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RelayTestChain, startRelayTestChain } from '../relay/testing/chain.ts';
import { type AccountsWorld, anAccountsWorld } from './testing/world.ts';

// Accounts that send by themselves, on a real node of rules before EIP-7702.

let chain: RelayTestChain;
let world: AccountsWorld;
beforeAll(async () => {
  chain = await startRelayTestChain({ hardfork: 'cancun' });
});
afterAll(() => chain?.stop());
afterEach(() => world.close());

const owner = 'userId:thief';

/** As somebody who writes a row while its transaction is on its way. */
async function writeOnceSent(set: string): Promise<void> {
  await world.query(`create function test_write() returns trigger language plpgsql as $$
    begin if new.status = 'sent' then ${set}; end if; return new; end $$`);
  await world.query(
    'create trigger test_write before update on evm_account_top_ups for each row execute function test_write()',
  );
}

/** A wallet of the owner that was given gas once, and what that was. */
async function aFedWallet() {
  const wallet = await world.aWallet();
  const relay = await world.start();
  expect(await world.outcomesOf(await world.submit(wallet, {}, owner))).toMatchObject([
    { status: 'success' },
  ]);
  await relay.stop();
  return { wallet, givenWei: (await world.topUpsOf(wallet))[0]!.value_wei };
}

describe('what accounts were given for gas', () => {
  it.each([
    ['lowers', 'new.value_wei := 1'],
    ['raises', 'new.value_wei := new.value_wei * 1000'],
  ])(
    'is not given again, nor counted for more: an account stops whose top-up somebody %s',
    { tags: 'slow' },
    async (_, set) => {
      world = await anAccountsWorld(chain);
      const [wallet, other] = [await world.aWallet(), await world.aWallet()];
      await writeOnceSent(`if new.address = '${wallet.address}' then ${set}; end if`);
      const id = await world.submit(wallet, {}, owner);
      await world.start();
      const status = async () => (await world.topUpsOf(wallet)).map((one) => one.status);
      await expect.poll(status, { timeout: 20_000 }).toEqual(['done']);
      const balanceWei = await chain.balanceOf(wallet.address);
      // The same executor goes on for everybody else.
      expect(await world.outcomesOf(await world.submit(other))).toMatchObject([
        { status: 'success' },
      ]);
      await delay(2_000);
      expect(await status()).toEqual(['done']);
      expect(await world.outcomesOf(id, 0)).toEqual([]);
      expect(await chain.balanceOf(wallet.address)).toBe(balanceWei);
    },
  );

  it.each([
    ['deletes', 'delete from evm_account_top_ups'],
    ['lowers', 'update evm_account_top_ups set value_wei = 1'],
    ['sets back', `update evm_account_top_ups set created_at = created_at - interval '3 days'`],
  ])(
    'counts on the budget of its owner, whoever %s the rows that say so',
    { tags: 'slow' },
    async (_, text) => {
      world = await anAccountsWorld(chain);
      const { givenWei: ownerDayMaxWei } = await aFedWallet();
      await world.query(text);
      const second = await world.aWallet();
      await world.start({ bounds: { ownerDayMaxWei } });
      expect(await world.outcomesOf(await world.submit(second, {}, owner))).toMatchObject([
        {
          status: 'failed',
          error: { message: expect.stringContaining('The gas budget of the owner of the wallet') },
        },
      ]);
      expect(await chain.balanceOf(second.address)).toBe(0n);
    },
  );

  it('for one operation is no more than its bound, whoever deletes each row that says so', async () => {
    world = await anAccountsWorld(chain);
    const { givenWei } = await aFedWallet();
    const wallet = await world.aWallet();
    await world.query(`create function test_drop() returns trigger language plpgsql as $$
      begin delete from evm_account_top_ups where id = new.id; return null; end $$`);
    await world.query(
      `create trigger test_drop after update on evm_account_top_ups for each row when (new.status = 'sent') execute function test_drop()`,
    );
    const accountTopUpMaxWei = (BigInt(givenWei) * 2n).toString();
    await world.submit(wallet, {}, owner);
    await world.start({ bounds: { accountTopUpMaxWei } });
    await expect
      .poll(() => chain.balanceOf(wallet.address), { timeout: 20_000 })
      .toBeGreaterThan(0n);
    await delay(5_000);
    expect(await chain.balanceOf(wallet.address)).toBeLessThanOrEqual(BigInt(accountTopUpMaxWei));
  });
});
