import { afterAll, beforeAll, expect, it } from 'vitest';
import { addresses } from '../../contracts/index.ts';
import { payoutOf } from '../../src/areas/orders/legs/payout/fact.ts';
import { selectRefundsOfOrder } from '../../src/areas/orders/legs/refund/store.ts';
import {
  type OfframpWorld,
  startOfframpWorld,
} from '../../src/areas/orders/testing/offramp-kit.ts';
import { selectTransfersOfSubject } from '../../src/areas/treasury/index.ts';
import { encodeBatch } from '../../src/chains/evm/relay/queue/batch.ts';
import { selectFinalHeight } from '../../src/chains/evm/watcher/index.ts';
import { eventually } from '../../src/jobs/test-kit.ts';
import { apiRole, asRole } from '../../src/store/grants.ts';
import { createStore } from '../../src/store/pool.ts';
import type { Store } from '../../src/store/types.ts';

/** What stands in a block, taken for somebody else's: from the row to the money. */

const chain = 'base-sepolia';
const nobody = '0x000000000000000000000000000000000000dEaD';

let world: OfframpWorld;
let api: Store;
beforeAll(async () => {
  world = await startOfframpWorld();
  const { database } = world.stack.ctx.config;
  api = createStore({ url: asRole(database.url.reveal(), apiRole), poolSize: 1 });
  for (let times = 0; times < 3; times++)
    await world.stack.call('POST', `/v1-alpha2/wallets/${world.payer}/balances`, {
      body: { amount: 100, token: 'usdxm', chain },
    });
}, 180_000);
afterAll(async () => {
  await api?.close();
  await world?.stack.close();
});

const sql = async <Row>(text: string, ...values: readonly unknown[]) =>
  (await world.stack.ctx.store.query<Row>({ text, values })).rows;
const word = (value: bigint) => value.toString(16).padStart(64, '0');
const transferTo = (recipient: string, amountMinor: bigint) =>
  `0xa9059cbb${recipient.slice(2).toLowerCase().padStart(64, '0')}${word(amountMinor)}`;

/** Asks for a call of the payer's wallet; answers its transaction's id. */
async function call(data: string): Promise<string> {
  const asked = await world.stack.call('POST', `/2025-06-09/wallets/${world.payer}/transactions`, {
    body: { params: { chain, calls: [{ to: world.token.address, value: '0', data }] } },
  });
  expect([asked.status, asked.text]).toEqual([201, expect.any(String)]);
  return asked.body.id;
}

/** Somebody as fast as a trigger does this to each row that is added. */
async function onEach(when: string, what: string): Promise<() => Promise<void>> {
  await sql(`create or replace function on_each() returns trigger language plpgsql security definer as $$
    begin ${what}; return new; end $$`);
  await sql(
    `create or replace trigger on_each ${when} on evm_operations for each row execute function on_each()`,
  );
  return async () => {
    await sql('drop function on_each cascade');
  };
}

it('a refund is not sent twice by whoever has an operation of his own, which failed, stand in its place', async () => {
  const { stack, token } = world;
  const family = stack.ctx.chains.familyOfChain(chain);
  // From here on the wallet is on the chain.
  const first = await call(transferTo(nobody, 1n));
  expect(await stack.waitForTransaction(world.payer, first)).toMatchObject({ status: 'success' });
  const release = await onEach(
    'before insert',
    `new.withheld := true; new.status := 'held'; new.run_at := 'infinity'`,
  );
  // His own, which nobody hands over: he sends it himself.
  const own = await call(transferTo(nobody, 299_999_999n));
  const [{ hash, item }] = (await sql(
    'delete from evm_operations where operation_id = $1 returning operation_hash as hash, item',
    own,
  )) as [{ hash: string; item: Buffer }];
  const order = await world.order();
  await (await world.deposit({ memo: order.memo, amountMinor: 100_000_000n })).finalize();
  await (await world.deposit({ memo: order.memo, amountMinor: 100_000_000n })).finalize();
  const refund = async () => (await selectRefundsOfOrder(stack.ctx.store, order.id))[0];
  await eventually('the refund is handed over', async () => (await refund())?.status === 'sent');
  const { id, transferId } = (await refund())!;
  await api.query({
    text: `insert into operation_intents (operation_id, mac, subject, project_id, owner, chain, wallet_id, operation, cost_max, valid_until, status, tx_id)
      select $1, mac, 'treasury-transfer', project_id, owner, chain, gen_random_uuid(), '{}', 1, now(), 'settled', $2 from evm_operations where operation_id = $1`,
    values: [transferId, hash],
  });
  // What it was to send is gone by now.
  await stack.setNativeBalance(chain, world.payer, 10n ** 18n);
  await stack.chainCall(chain, 'anvil_impersonateAccount', [world.payer]);
  const send = (from: string, to: string, input: string) =>
    stack.chainCall<string>(chain, 'eth_sendTransaction', [
      { from, to, data: input, gas: '0xf42400' },
    ]);
  await send(world.payer, token.address!, transferTo(nobody, 299_999_999n));
  const batch = `0x${encodeBatch([item]).toString('hex')}`;
  const txId = await send(world.payer, addresses.batchExecutor, batch);
  await stack.chainCall(chain, 'anvil_mine', ['0x80']);
  const { blockNumber, logs } = await stack.chainCall<{ blockNumber: string; logs: object[] }>(
    chain,
    'eth_getTransactionReceipt',
    [txId],
  );
  expect(logs.at(-1)).toMatchObject({ topics: [expect.anything(), expect.anything(), hash] });
  await eventually(
    'his is final',
    async () => ((await selectFinalHeight(stack.ctx.store, chain)) ?? 0n) >= BigInt(blockNumber),
  );
  await release();
  const sent = await sql<{ id: string }>(
    'select operation_id as id from evm_operations where withheld',
  );
  await stack.ctx.store.transaction((tx) =>
    family.releaseOperations(
      tx,
      sent.map((one) => one.id),
    ),
  );
  await eventually('it is final', async () => (await refund())?.status === 'final');
  expect(await selectTransfersOfSubject(stack.ctx.store, `refund:${id}`)).toMatchObject([
    { id: transferId, status: 'final' },
  ]);
});

it('what one order was paid pays no other one, by whoever writes another memo into its operation', async () => {
  const [honest, thief] = [await world.order(), await world.order()];
  const columns =
    'project_id, chain, operation_hash, wallet, valid_until, gas_limit, batch_gas, owner, subject, mac';
  const stop = await onEach(
    // His row is the newest, whenever somebody looks.
    'after insert or update',
    `if pg_trigger_depth() = 1 then
      insert into evm_operations (operation_id, item, status, ${columns}) values (gen_random_uuid(),
        decode(replace(encode(new.item, 'hex'), '${honest.memo!.slice(2)}', '${thief.memo!.slice(2)}'), 'hex'), 'settled', new.${columns.replaceAll(', ', ', new.')});
    end if`,
  );
  await world.stack.call('POST', `/v1-alpha2/wallets/${world.payer}/balances`, {
    body: { amount: 100, token: 'usdxm', chain },
  });
  await call(`${transferTo(world.treasury, 100_000_000n)}${honest.memo!.slice(2)}`);
  await eventually('one of them is paid out', async () =>
    (await Promise.all([honest, thief].map(({ id }) => world.read(id)))).some(
      (order) => payoutOf(order)?.submittedAt !== undefined,
    ),
  );
  await stop();
  expect(payoutOf(await world.read(thief.id))).toBeUndefined();
  expect(payoutOf(await world.read(honest.id))).toBeDefined();
});
