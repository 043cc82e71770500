import { afterAll, beforeAll, expect, it } from 'vitest';
import { readHourlySpending } from '../../../family/spending/budgets.ts';
import { newAddress, openWorld, type World } from '../../testing/world.ts';
import { relayLimits } from '../limits.ts';
import { planNonces } from './make.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

it('nonces are made as soon as a fee payer gets money that had none; their rents and fees are in the sum of the hour', async () => {
  let isPoor = true;
  let looks = 0;
  const [payer] = world.feePayers;
  const paidBy = async () =>
    Promise.all(world.feePayers.map(({ address }) => world.lamportsOf(address)));
  const before = (await paidBy()).reduce((sum, one) => sum + one, 0n);
  await world.start({
    connect: async () => ({
      network: world.network,
      rpc: {
        ...world.rpc,
        async request(method, params = []) {
          const answer = await world.rpc.request(method, params);
          if (
            !isPoor ||
            method !== 'getMultipleAccounts' ||
            !(params[0] as string[]).includes(payer!.address)
          )
            return answer;
          looks += 1;
          return { ...(answer as object), value: (params[0] as string[]).map(() => null) };
        },
      },
    }),
  });
  await world.until(() => looks > 2, 'it looks again and again');
  isPoor = false;
  const wallet = await world.aWallet({ tokens: 10n });
  await world.until(async () => {
    const { rows } = await world.database.store.query({
      text: `select 1 from solana_nonces where status = 'free'`,
    });
    return rows.length > 0;
  }, 'there are nonces');
  await world.until(async () => {
    const lost = before - (await paidBy()).reduce((sum, one) => sum + one, 0n);
    return (
      lost > 0n && lost === (await readHourlySpending(world.database.store, 'fees')).get('solana')
    );
  }, 'the sum of the hour');
  expect((await world.prepareTransfer(wallet, 4n, newAddress())).message).toMatch(/^\w{43,44}$/);
});

it('nonces are made whatever strangers sent to where they will be, and the sum of the hour is what it cost', {
  tags: 'slow',
}, async () => {
  const other = await openWorld();
  try {
    const { address } = other.feePayers[0]!;
    for (const nonce of await planNonces(address, 0, relayLimits.noncesPerRound))
      await other.rpc.request('requestAirdrop', [nonce.address, 1_000_000]);
    const before = await other.lamportsOf(address);
    await other.start();
    await other.until(async () => {
      const { rows } = await other.database.store.query<{ status: string }>({
        text: `select status from solana_nonces`,
      });
      return (
        rows.length >= relayLimits.noncesReady && rows.every(({ status }) => status === 'free')
      );
    }, 'all of them are there');
    await other.until(async () => {
      const lost = before - (await other.lamportsOf(address));
      return (
        lost > 0n && lost === (await readHourlySpending(other.database.store, 'fees')).get('solana')
      );
    }, 'the sum of the hour');
  } finally {
    await other.close();
  }
});
