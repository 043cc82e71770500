import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { leasesPerWalletMax } from '../../../family/lease-one.ts';
import { createNonceLeases } from './leases.ts';
import { useNonce } from './store.ts';

let database: TestDatabase;
let leases: ReturnType<typeof createNonceLeases>;
beforeAll(async () => {
  database = await startTestDatabase();
  leases = createNonceLeases(database.store, { waitMaxMs: 200 });
});
afterAll(() => database?.close());

const chain = 'solana';
let count = 0;
const lease = (wallet: string, projectId?: string) =>
  leases.lease({
    chain,
    wallet,
    projectId,
    until: new Date(Date.now() + 3_600_000 + 1_000 * count++),
  });
const query = async <Row>(text: string) =>
  (await database.store.query<Row & object>({ text })).rows;

/** So many nonces, and no worker that makes more. */
async function pool(count: number): Promise<void> {
  await query(`insert into solana_nonces (address, chain, fee_payer, seed, value, status)
    select 'nonce ' || n, '${chain}', 'payer', 'nonce-' || n, 'value ' || n, 'free' from generate_series(1, ${count}) as n`);
}
const countOf = async (wallet: string) =>
  Number(
    (
      await query<{ count: string }>(
        `select count(*) from solana_nonces where wallet = '${wallet}'`,
      )
    )[0]!.count,
  );

describe('durable nonces', () => {
  beforeEach(() =>
    query('delete from solana_operations; delete from solana_nonces; delete from fee_accounts'),
  );

  it('of a wallet have a bound, which says what to do', async () => {
    await pool(leasesPerWalletMax + 5);
    for (let index = 0; index < leasesPerWalletMax; index++) await lease('busy');
    await expect(lease('busy')).rejects.toMatchObject({
      code: 'provider-unavailable',
      message: expect.stringContaining('approve those'),
    });
    expect((await lease('other')).account).toMatch(/^nonce /);
  });

  describe('where a fee payer is nearly empty', () => {
    const seen = (payer: string, lamports: number, ago: string) =>
      query(`insert into fee_accounts (chain, address, role, minor, seen_at)
        values ('${chain}', '${payer}', 'fee-payer', ${lamports}, now() - interval '${ago}')`);

    it('are offered at once, whatever one had that nobody pays from any more', async () => {
      await pool(1);
      await seen('payer', 10_000_000, '1 second');
      await seen('retired', 5_000_000_000, '2 hours');
      const startedAt = performance.now();
      expect((await lease('wallet')).feePayer).toBe('payer');
      expect(performance.now() - startedAt).toBeLessThan(200);
    });

    it('are not offered when nobody pays from it any more', async () => {
      await pool(2);
      await query(`update solana_nonces set fee_payer = 'retired' where address = 'nonce 2'`);
      await seen('payer', 10_000_000, '1 second');
      await seen('retired', 10_000_000, '2 hours');
      expect((await lease('wallet')).feePayer).toBe('payer');
      await expect(lease('other')).rejects.toMatchObject({ code: 'provider-unavailable' });
    });

    it('are offered at once where it has all that may be made, and nobody else any', async () => {
      await pool(3);
      await seen('payer', 10_000_000, '1 second');
      await seen('rich', 5_000_000_000, '1 second');
      const of = (noncesMax: number) =>
        createNonceLeases(database.store, { noncesMax, waitMaxMs: 800 });
      const wish = { chain, wallet: 'wallet', until: new Date(Date.now() + 3_600_000) };
      const timed = async (noncesMax: number) => {
        const startedAt = performance.now();
        expect((await of(noncesMax).lease(wish)).feePayer).toBe('payer');
        return performance.now() - startedAt;
      };
      expect(await timed(3)).toBeLessThan(400);
      // The other one makes the fourth: that is waited for.
      expect(await timed(4)).toBeGreaterThan(700);
      await query(`update solana_nonces set fee_payer = 'rich' where status = 'free'`);
      expect((await of(3).lease(wish)).feePayer).toBe('rich');
    });

    it('are offered at last when another one has none, and no more are made', async () => {
      await pool(1);
      await seen('payer', 10_000_000, '1 second');
      await seen('rich', 5_000_000_000, '1 second');
      expect((await lease('wallet')).feePayer).toBe('payer');
    });
  });

  it('do not run out for others by the operations that one wallet leaves unapproved', async () => {
    await pool(4);
    const taken = [
      await lease('greedy'),
      await lease('greedy'),
      await lease('greedy'),
      await lease('greedy'),
    ];
    const [first, second] = [await lease('modest'), await lease('frugal')];
    expect(taken.slice(0, 2).map(({ account }) => account)).toEqual([
      first.account,
      second.account,
    ]);
    expect(
      [first.lease, second.lease].some((one) => taken.some((before) => before.lease === one)),
    ).toBe(false);
    expect(await countOf('greedy')).toBe(2);
    // Nobody gets more than those whose place he would take.
    await expect(lease('greedy')).rejects.toMatchObject({ code: 'provider-unavailable' });
    await expect(lease('modest')).rejects.toMatchObject({ code: 'provider-unavailable' });
  });

  it('do not run out for a project by those of another, however many wallets that has', async () => {
    const [greedy, modest] = [randomUUID(), randomUUID()];
    await pool(8);
    for (let wallet = 0; wallet < 8; wallet++) await lease(`free ${wallet}`, greedy);
    for (let wallet = 0; wallet < 4; wallet++) await lease(`paying ${wallet}`, modest);
    const shares = await query(
      `select project_id, count(*)::int as nonces from solana_nonces group by project_id order by project_id`,
    );
    expect(shares).toEqual(
      [greedy, modest].sort().map((project_id) => ({ project_id, nonces: 4 })),
    );
    // Each has its half, and its wallets share that.
    await expect(lease('free 9', greedy)).rejects.toMatchObject({ code: 'provider-unavailable' });
    await expect(lease('paying 9', modest)).rejects.toMatchObject({ code: 'provider-unavailable' });
  });

  it('that were taken over are not signed with for the operation that had them', async () => {
    await pool(2);
    const [before] = [await lease('greedy'), await lease('greedy')];
    const after = await lease('modest');
    expect(after.account).toBe(before.account);
    const use = (of: typeof before) =>
      useNonce(database.store, {
        lease: of.lease,
        operationId: randomUUID(),
        address: of.account,
        value: of.value,
      });
    expect([await use(before), await use(after), await use(before)]).toEqual([false, true, false]);
  });

  it('of operations that are handed to the relay are nobody else’s', async () => {
    await pool(2);
    const [handed] = [await lease('greedy'), await lease('greedy')];
    await query(`insert into solana_operations
      (operation_id, project_id, owner, chain, wallet, lease, message, signatures, cost_max, valid_until)
      values (gen_random_uuid(), gen_random_uuid(), '', '${chain}', 'greedy', '${handed.lease}', '', '{}', 0, now() + interval '1 hour')`);
    const other = await lease('modest');
    expect(other.account).not.toBe(handed.account);
    await expect(lease('frugal')).rejects.toMatchObject({ code: 'provider-unavailable' });
  });
});
