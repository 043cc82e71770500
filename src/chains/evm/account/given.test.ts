import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { brokenSeal } from '../../../store/row-mac.ts';
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
const stranger = `0x${'57'.repeat(20)}`;

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

  /** What executors have given, one line for each transaction. */
  const paymentsOf = (id: string) =>
    world.query(
      `select 1 from evm_sends s where kind = 'call' and exists (select 1 from evm_attempts a where a.send_id = s.id
        and position(decode(substr($1, 3), 'hex') in a.raw) > 0)`,
      [id],
    );

  it.each([
    ['names another account in', `new.address := '${stranger}'`],
    ['names another account in, at the end,', `new.address := '${stranger}'; new.status := 'done'`],
    ['sets back', `new.status := 'queued'; new.send_id := null`],
    ['takes from its transaction', 'new.send_id := null'],
    ['takes from its transaction, at the end,', `new.send_id := null; new.status := 'done'`],
  ])(
    'is not given again by the row that somebody %s on its way',
    { tags: 'slow' },
    async (_, set) => {
      world = await anAccountsWorld(chain);
      const [wallet, other] = [await world.aWallet(), await world.aWallet()];
      await writeOnceSent(`if new.address = '${wallet.address}' then ${set}; end if`);
      const ids = [await world.submit(wallet, {}, owner), await world.submit(wallet, {}, owner)];
      await world.start();
      await expect
        .poll(() => chain.balanceOf(wallet.address), { timeout: 20_000 })
        .toBeGreaterThan(0n);
      const balanceWei = await chain.balanceOf(wallet.address);
      // The same executor goes on for everybody else.
      expect(await world.outcomesOf(await world.submit(other))).toMatchObject([
        { status: 'success' },
      ]);
      await delay(4_000);
      expect(await chain.balanceOf(wallet.address)).toBe(balanceWei);
      expect(await paymentsOf(wallet.address)).toHaveLength(1);
      for (const id of ids) expect(await world.outcomesOf(id, 0)).toEqual([]);
    },
  );

  it.each(['done', 'failed'])(
    'is in the books by what its transaction says, though somebody told it as %s before',
    { tags: 'slow' },
    async (status) => {
      world = await anAccountsWorld(chain);
      const wallet = await world.aWallet();
      await writeOnceSent(`new.status := '${status}'`);
      await world.start();
      expect(await world.outcomesOf(await world.submit(wallet, {}, owner))).toMatchObject([
        { status: 'success' },
      ]);
      expect(await paymentsOf(wallet.address)).toHaveLength(1);
      // Of what lies there the service knows all.
      expect(await world.fundOf(wallet)).toBe(await chain.balanceOf(wallet.address));
    },
  );

  it('is not given once more by a row that has ended and that somebody sets back', async () => {
    world = await anAccountsWorld(chain);
    const { wallet } = await aFedWallet();
    const balanceWei = await chain.balanceOf(wallet.address);
    await world.query(`update evm_account_top_ups set status = 'queued', send_id = null`);
    await world.start();
    const status = async () => (await world.topUpsOf(wallet)).map((one) => one.status);
    await expect.poll(status, { timeout: 20_000 }).toEqual(['failed']);
    expect(await chain.balanceOf(wallet.address)).toBe(balanceWei);
  });

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

  it('is given once, whoever deletes each row that says so, for this operation and the next', {
    tags: 'slow',
  }, async () => {
    world = await anAccountsWorld(chain);
    const wallet = await world.aWallet();
    await world.query(`create function test_drop() returns trigger language plpgsql as $$
      begin delete from evm_account_top_ups where id = new.id; return null; end $$`);
    await world.query(
      `create trigger test_drop after update on evm_account_top_ups for each row when (new.status = 'sent') execute function test_drop()`,
    );
    for (const _ of [1, 2]) await world.submit(wallet, {}, owner);
    await world.start();
    await expect
      .poll(() => chain.balanceOf(wallet.address), { timeout: 20_000 })
      .toBeGreaterThan(0n);
    await delay(5_000);
    expect(await paymentsOf(wallet.address)).toHaveLength(1);
  });

  it.each([
    ['evm_sends', 'delete from evm_sends where id = any($1::bigint[])'],
    ['evm_attempts', 'delete from evm_attempts where send_id = any($1::bigint[])'],
  ])(
    'is given once more, and no third time, by whoever deletes its row and its transaction from %s before a block has it: then the account stops',
    { tags: 'slow' },
    async (_, text) => {
      world = await anAccountsWorld(chain);
      const wallet = await world.aWallet();
      const giftsUnderWay = async () => {
        const { pending } = (await chain.call('txpool_content')) as {
          pending: Record<string, Record<string, { to: string }>>;
        };
        const all = Object.values(pending).flatMap((one) => Object.values(one));
        return all.filter(({ to }) => to === wallet.address).length;
      };
      await chain.call('evm_setAutomine', [false]);
      try {
        const id = await world.submit(wallet, {}, owner);
        await world.start();
        await expect.poll(giftsUnderWay, { timeout: 20_000 }).toBe(1);
        const sent = await world.query<{ send_id: string }>(
          'delete from evm_account_top_ups returning send_id',
        );
        await world.query(text, [sent.map(({ send_id: sendId }) => sendId)]);
        await expect.poll(giftsUnderWay, { timeout: 20_000 }).toBe(2);
        await chain.call('evm_mine');
        const seal = () => world.query('select mac from evm_paying_accounts');
        await expect.poll(seal, { timeout: 20_000 }).toEqual([{ mac: brokenSeal }]);
        const balanceWei = await chain.balanceOf(wallet.address);
        await chain.call('evm_setAutomine', [true]);
        await delay(2_000);
        expect(await chain.balanceOf(wallet.address)).toBe(balanceWei);
        expect(await world.outcomesOf(id, 0)).toEqual([]);
      } finally {
        await chain.call('evm_setAutomine', [true]);
      }
    },
  );
});
