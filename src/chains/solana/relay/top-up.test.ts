import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RpcClient } from '../../../lib/net/json-rpc.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { readHourlySpending } from '../../family/spending/budgets.ts';
import { readBlockhash } from '../operation/node.ts';
import { openWorld, type World } from '../testing/world.ts';
import { watchBalances } from './balances.ts';
import { createSigningAccount } from './keys.ts';

const sol = 1_000_000_000n;
const least = 20n * sol;
const treasury = createSigningAccount(new Secret(new Uint8Array(randomBytes(32))));
let world: World;
beforeAll(async () => {
  world = await openWorld();
  await world.rpc.request('requestAirdrop', [treasury.address, Number(1_000n * sol)]);
});
afterAll(() => world?.close());

/** A node that takes transactions and hands them on when it is told to, as a busy leader does. */
function slowNode() {
  const held: (() => Promise<unknown>)[] = [];
  const rpc: RpcClient = {
    ...world.rpc,
    request: async (method, params = []) => {
      if (method !== 'sendTransaction') return world.rpc.request(method, params);
      held.push(() => world.rpc.request(method, params));
      return '1'.repeat(64);
    },
  };
  return { connection: { network: world.network, rpc }, held };
}

/** A process of its own each time: it remembers nothing of the others. */
const look = (connection: Parameters<typeof watchBalances>[1]) => {
  const deps = world.relayDeps();
  return watchBalances(
    { ...deps, treasury, settings: { ...deps.settings, feePayerBalanceMinLamports: least } },
    connection,
  );
};
const payer = () => world.lamportsOf(world.feePayers[0]!.address);
const openTopUps = async () =>
  (await world.database.store.query({ text: 'select 1 from fee_top_ups' })).rows.length;

it('a fee payer that is short is topped up once, however late the first payment lands and whichever process looks', async () => {
  const before = await payer();
  const had = await world.lamportsOf(treasury.address);
  const { connection, held } = slowNode();
  for (let looks = 0; looks < 3; looks++) {
    await look(connection);
    const seen = await readBlockhash(world.connection);
    await world.until(
      async () => (await readBlockhash(world.connection)) !== seen,
      'another block',
    );
  }
  expect(held.length).toBeGreaterThan(1);
  for (const release of held) await release().catch(() => undefined);
  await world.until(async () => (await payer()) > before, 'the payment');
  expect(await payer()).toBe(before + 2n * least);
  await world.until(async () => {
    await look(world.connection);
    return (await openTopUps()) === 0;
  }, 'it is final');
  await look(world.connection);
  expect([await payer(), await openTopUps()]).toEqual([before + 2n * least, 0]);
  const fees = had - (await world.lamportsOf(treasury.address)) - 2n * least;
  expect([
    fees > 0n,
    (await readHourlySpending(world.database.store, 'fees')).get('solana'),
  ]).toEqual([true, fees]);
});

it('one that no block can have any more is made anew', async () => {
  const before = await payer();
  const poorer = {
    treasury,
    settings: { ...world.relayDeps().settings, feePayerBalanceMinLamports: before * 2n },
  };
  const { connection, held } = slowNode();
  const lookAgain = (at: typeof connection) =>
    watchBalances({ ...world.relayDeps(), ...poorer }, at);
  await lookAgain(connection);
  expect(held).toHaveLength(1);
  await world.chain.advanceTime(120);
  await world.until(async () => {
    await lookAgain(connection);
    return (await openTopUps()) === 0;
  }, 'the first one has ended');
  await lookAgain(world.connection);
  await world.until(async () => (await payer()) > before, 'the second payment');
  await held[0]!().catch(() => undefined);
  expect(await payer()).toBe(before + before * 4n);
});
