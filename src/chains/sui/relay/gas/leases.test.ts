import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { addIntents } from '../../../family/late/store.ts';
import { leasesPerWalletMax } from '../../../family/lease-one.ts';
import { createGasLeases } from './leases.ts';
import { useCoin } from './store.ts';

let database: TestDatabase;
let leases: ReturnType<typeof createGasLeases>;
beforeAll(async () => {
  database = await startTestDatabase();
  leases = createGasLeases(database.store, { waitMaxMs: 200 });
});
afterAll(() => database?.close());

const chain = 'sui';
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

/** So many coins, and no worker that makes more. */
async function pool(count: number): Promise<void> {
  await query(`insert into sui_gas_coins (chain, object_id, sponsor, version, digest, mist)
    select '${chain}', 'coin ' || n, 'sponsor', n, 'digest', 1 from generate_series(1, ${count}) as n`);
}
const countOf = async (wallet: string) =>
  Number(
    (
      await query<{ count: string }>(
        `select count(*) from sui_gas_coins where wallet = '${wallet}'`,
      )
    )[0]!.count,
  );

describe('coins that pay', () => {
  beforeEach(() => query('delete from operation_intents; delete from sui_gas_coins'));

  it('of a wallet have a bound, which says what to do', async () => {
    await pool(leasesPerWalletMax + 5);
    for (let index = 0; index < leasesPerWalletMax; index++) await lease('busy');
    await expect(lease('busy')).rejects.toMatchObject({
      code: 'provider-unavailable',
      message: expect.stringContaining('approve those'),
    });
    expect((await lease('other')).coin.objectId).toMatch(/^coin /);
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
    expect(taken.slice(0, 2).map(({ coin }) => coin)).toEqual([first.coin, second.coin]);
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
      `select project_id, count(*)::int as coins from sui_gas_coins group by project_id order by project_id`,
    );
    expect(shares).toEqual([greedy, modest].sort().map((project_id) => ({ project_id, coins: 4 })));
    // Each has its half, and its wallets share that.
    await expect(lease('free 9', greedy)).rejects.toMatchObject({ code: 'provider-unavailable' });
    await expect(lease('paying 9', modest)).rejects.toMatchObject({ code: 'provider-unavailable' });
  });

  it('that were taken over are not signed with for the operation that had them', async () => {
    await pool(2);
    const [before] = [await lease('greedy'), await lease('greedy')];
    const after = await lease('modest');
    expect(after.coin).toEqual(before.coin);
    const use = (of: typeof before) =>
      useCoin(database.store, { chain, lease: of.lease, operationId: randomUUID(), coin: of.coin });
    expect([await use(before), await use(after), await use(before)]).toEqual([false, true, false]);
  });

  it('of operations that are handed to the relay are nobody else’s', async () => {
    await pool(2);
    const [handed] = [await lease('greedy'), await lease('greedy')];
    const intent = {
      operationId: randomUUID(),
      subject: '',
      projectId: randomUUID(),
      owner: '',
      chain,
      walletId: randomUUID(),
    };
    const rest = {
      operation: { lease: handed.lease },
      costMax: 0n,
      validUntil: new Date(Date.now() + 3_600_000),
    };
    await database.store.transaction((tx) => addIntents(tx, [{ ...intent, ...rest }]));
    const other = await lease('modest');
    expect(other.coin).not.toEqual(handed.coin);
    await expect(lease('frugal')).rejects.toMatchObject({ code: 'provider-unavailable' });
  });
});
