import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selectOrder } from '../../src/areas/orders/state/store.ts';
import type { OrderRecord } from '../../src/areas/orders/state/types.ts';
import {
  depositChain,
  type OfframpWorld,
  startOfframpWorld,
} from '../../src/areas/orders/testing/offramp-kit.ts';
import { aBuyer, createOnramp } from '../../src/areas/orders/testing/onramp-kit.ts';
import { writeOrder } from '../../src/areas/orders/testing/write-order-kit.ts';
import { fundTreasury, selectTreasuryTransfer } from '../../src/areas/treasury/index.ts';
import { pokeWorkers } from '../../src/jobs/index.ts';
import { eventually } from '../../src/jobs/test-kit.ts';
import { apiRole, asRole } from '../../src/store/grants.ts';
import { createStore } from '../../src/store/pool.ts';
import type { Store } from '../../src/store/types.ts';

/**
 * Somebody writes the main database, with any role, as if an order were further than it is. What
 * follows is the service's own work: the worker, the vault with its bank, the relay and the chain.
 */
let world: OfframpWorld;
const thief = '0x00000000000000000000000000000000deadbeef';

beforeAll(async () => {
  world = await startOfframpWorld();
  await fundTreasury(world.stack.ctx, {
    projectId: world.projectId,
    chain: depositChain,
    token: 'usdc',
    amount: '10000',
  });
}, 180_000);
afterAll(() => world?.close());

const sql = (text: string, ...values: unknown[]) =>
  world.stack.ctx.store.query<any>({ text, values });
/**
 * As who has the keys that rows are sealed with, too: the ledger and the vault stand behind the
 * seals.
 */
const forge = (text: string, id: string, ...values: unknown[]) =>
  writeOrder(world.stack.ctx.store, text, id, ...values);
const state = async (orderId: string) =>
  (await selectOrder(world.stack.ctx.store, { by: 'id', id: orderId }))!;

async function run(orderId: string) {
  await sql(`update flows set run_at = now() - interval '1 day' where key = $1`, orderId);
  pokeWorkers(world.stack.ctx);
}

/**
 * The order left its forged state, as somebody's to look at; what could be asked for was asked for
 * by then.
 */
async function untilDecided(orderId: string, forged: string) {
  await eventually('the order is decided', async () => {
    const { state: now, facts } = await state(orderId);
    const { status } = (facts.payout ?? {}) as { status?: string };
    return (
      now !== forged || (status !== undefined && status !== 'asked') || facts.txId !== undefined
    );
  });
}

describe('an order that somebody writes into the main database', () => {
  it('as submitted to the bank is not paid out when nothing was paid into it', async () => {
    const order = await world.order({ rail: 'rtp', amount: '900' });
    const { asset, amountMinor } = order.terms!.receive;
    const payoutId = randomUUID();
    const payout = {
      id: payoutId,
      rail: 'rtp',
      currency: asset,
      amountMinor: amountMinor.toString(),
      askedAt: new Date().toISOString(),
      status: 'asked',
    };
    await forge(
      `update orders set state = 'payout_submitted', payout_id = $2, facts = facts || jsonb_build_object('payout', $3::jsonb) where id = $1`,
      order.id,
      payoutId,
      JSON.stringify(payout),
    );
    await run(order.id);
    await untilDecided(order.id, 'payout_submitted');
    const paid = await world.stack.vault!.ctx.store.query({
      text: 'select status from payouts where id = $1',
      values: [payoutId],
    });
    expect(paid.rows).toEqual([]);
    expect(await state(order.id)).toMatchObject({
      state: 'needs_operator',
      attention: expect.stringContaining('not paid into the order'),
    });
  });

  it('as paid, its payment final, is not paid out either', async () => {
    const order = await world.order({ rail: 'rtp', amount: '900' });
    await forge(`update orders set state = 'deposit_final' where id = $1`, order.id);
    await run(order.id);
    await untilDecided(order.id, 'deposit_final');
    await eventually('it stops', async () => (await state(order.id)).state === 'needs_operator');
    expect((await state(order.id)).facts.payout).toBeUndefined();
  });

  it('beside a deposit of a million that nobody made is not paid out either', async () => {
    const order = await world.order({ rail: 'rtp', amount: '900' });
    await sql(
      `insert into deposits (id, project_id, wallet_id, chain, token_locator, token_address, token_symbol, token_decimals, amount_minor,
         sender, recipient, memo, seen_id, tx_id, height, included_at, seen_at, status, final_at, order_id)
       select $1, $2, w.id, $3, $4, $5, 'usdxm', 6, 1000000000000, $6, $7, $8, 'forged', '0x00', 1, now(), now(), 'final', now(), $9
       from wallets w where lower(w.address) = lower($7) limit 1`,
      randomUUID(),
      world.projectId,
      depositChain,
      world.token.locator,
      world.token.address,
      world.payer,
      world.treasury,
      order.memo,
      order.id,
    );
    await sql(
      `insert into order_deposits (deposit_id, project_id, order_id, use, account, posted, counts, created_at, updated_at)
       select id, project_id, $1, 'pays', $2, 1, true, now(), now() from deposits where order_id = $1`,
      order.id,
      `order:${order.id}:clearing`,
    );
    await forge(`update orders set state = 'deposit_final' where id = $1`, order.id);
    await run(order.id);
    await eventually('it stops', async () =>
      ['needs_operator', 'payout_final', 'payout_settled'].includes((await state(order.id)).state),
    );
    expect((await state(order.id)).facts.payout).toBeUndefined();
  });

  it('as captured sends no tokens when nobody has paid', async () => {
    const buyer = await aBuyer(world.stack);
    const { id } = await createOnramp(world.stack, { address: buyer.address, amount: '200' });
    const transferId = randomUUID();
    await forge(
      `update orders set state = 'delivering', facts = facts || jsonb_build_object('totalPaid',
         jsonb_build_object('currency', 'usd', 'decimals', 2, 'amountMinor', '20000'), 'deliveryTransferId', $2::text) where id = $1`,
      id,
      transferId,
    );
    await run(id);
    await untilDecided(id, 'delivering');
    expect(await selectTreasuryTransfer(world.stack.ctx.store, transferId)).toBeUndefined();
    expect(await state(id)).toMatchObject({
      state: 'needs_operator',
      attention: expect.stringContaining('not paid into the order'),
    });
  });

  it('with a refund that nobody set aside sends nothing back', async () => {
    const order = await world.order({ amount: '100' });
    const paid = await world.deposit({ memo: order.memo, amountMinor: 100_000_000n });
    await paid.finalize();
    const [refundId, transferId] = [randomUUID(), randomUUID()];
    await sql(
      `insert into order_refunds (id, order_id, project_id, via, reason, deposit_id, chain, asset, decimals, amount_minor, recipient, status,
         transfer_id, account, created_at, updated_at)
       select $1, null, project_id, 'chain', 'returned-by-operator', id, chain, chain || ':' || token_address, 6, 5000000000, $2, 'pending', $3, 'suspense:held', now(), now()
       from deposits where order_id = $4 limit 1`,
      refundId,
      thief,
      transferId,
      order.id,
    );
    await sql(
      `insert into flows (id, project_id, kind, version, step, state, key, run_at, created_at, updated_at)
       values ($1, $2, 'order-refund', 1, 'send', $3, $4, now() - interval '1 day', now(), now())`,
      randomUUID(),
      world.projectId,
      JSON.stringify({ refundId }),
      refundId,
    );
    pokeWorkers(world.stack.ctx);
    await eventually('the refund is decided', async () => {
      const { rows } = await sql('select status from order_refunds where id = $1', refundId);
      return rows[0].status !== 'pending';
    });
    expect(await selectTreasuryTransfer(world.stack.ctx.store, transferId)).toBeUndefined();
    const { rows } = await sql('select status, error from order_refunds where id = $1', refundId);
    expect(rows).toEqual([{ status: 'failed', error: expect.stringContaining('not-set-aside') }]);
  });
});

describe('the same with what a stolen API host has: the API’s role of the database', () => {
  let api: Store;
  let order: OrderRecord;
  beforeAll(async () => {
    api = createStore({
      url: asRole(world.stack.ctx.config.database.url.reveal(), apiRole),
      poolSize: 2,
    });
    order = await world.order({ rail: 'rtp', amount: '900' });
    const paid = await world.order({ amount: '100' });
    await (await world.deposit({ memo: paid.memo, amountMinor: 100_000_000n })).finalize();
    await world.submitted(paid.id);
  });
  afterAll(() => api?.close());

  it.each([
    ['the state of an order', `update orders set state = 'payout_submitted' where id = $1`],
    ['an order as paid', `update orders set state = 'deposit_final' where id = $1`],
    ['an order as captured', `update orders set state = 'capturing' where id = $1`],
    ['an order as to be delivered', `update orders set state = 'delivering' where id = $1`],
    ['an order as to be refunded', `update orders set state = 'refunding' where id = $1`],
    ['a payout’s id', `update orders set payout_id = id where id = $1`],
    [
      'the fact of a payout',
      `update orders set facts = facts || '{"payout":{"status":"asked"}}' where id = $1`,
    ],
    [
      'the fact of a payment',
      `update orders set facts = facts || '{"totalPaid":{"amountMinor":"1"}}' where id = $1`,
    ],
    [
      'whom a paid order pays',
      `update orders set request = jsonb_set(request, '{recipient,paymentMethodId}', '"thief"') where state like 'payout_%' and id <> $1`,
    ],
    [
      'what a paid order pays',
      `update orders set terms = jsonb_set(terms, '{receive,amountMinor}', '"99999999"') where state like 'payout_%' and id <> $1`,
    ],
    [
      'a paid order anew as one that waits',
      `update orders set state = 'awaiting_deposit' where state like 'payout_%' and id <> $1`,
    ],
    [
      'an order that is paid from the start',
      `insert into orders (id, project_id, kind, state, phase, quote_status, payment_status, delivery_status, client_secret_hash, request, facts, created_at, updated_at)
       select gen_random_uuid(), project_id, kind, 'deposit_final', phase, quote_status, payment_status, delivery_status, client_secret_hash, request, facts, now(), now() from orders where id = $1`,
    ],
    ['the end of an order', `delete from orders where id = $1`],
    ['another history', `update order_moves set event = 'released' where order_id = $1`],
    ['a deposit', `update deposits set amount_minor = amount_minor * 2 where order_id <> $1`],
    [
      'what a deposit pays',
      `insert into order_deposits (deposit_id, project_id, use, created_at, updated_at) values ($1, $1, 'pays', now(), now())`,
    ],
    ['a refund', `update order_refunds set recipient = 'thief' where order_id <> $1`],
    [
      'a transfer of the treasury',
      `update treasury_transfers set recipient = 'thief' where id <> $1`,
    ],
    [
      'an entry of the ledger',
      `insert into ledger_tail (id, project_id, entry_ids) values ($1, $1, '{}')`,
    ],
    [
      'a posting of the ledger',
      `insert into ledger_postings (entry_id, leg, project_id, account, asset, posted_minor, pending_minor, recorded_at)
       values ($1::uuid, 1, $1::uuid, 'order:' || $1::uuid || ':clearing', 'usd', -90000, 0, now())`,
    ],
    [
      'what is sent for an operation',
      `update evm_operations set item = ''::bytea where operation_id <> $1`,
    ],
    ['an operation away', `delete from evm_operations where operation_id <> $1`],
    [
      'a transaction of an executor',
      `update evm_sends set status = status where $1::uuid is not null`,
    ],
    [
      'the next nonce of an executor',
      `update evm_accounts set next_nonce = 0 where $1::uuid is not null`,
    ],
    ['a block away', `delete from evm_watched_blocks where $1::uuid is not null`],
    [
      'how far a chain was read',
      `update evm_watched_chains set lease_until = now() where $1::uuid is not null`,
    ],
    [
      'money of the service’s own account to himself',
      `insert into evm_treasury_calls (reference, chain, to_address, value_wei, data) values ('thief', 'base-sepolia', '${thief}', 1, ''), ($1, '', '', 0, '')`,
    ],
    [
      'a call of the service’s own account',
      `insert into evm_treasury_calls (reference, chain, to_address, value_wei, data) values ($1, 'base-sepolia', '${thief}', 0, '\\xa9059cbb')`,
    ],
    ['an API key', `update api_keys set revoked_at = null where $1::uuid is not null`],
    ['an issuer', `delete from trusted_issuers where id <> $1`],
    ['an event', `update events set type = type where $1::uuid is not null`],
    ['a message to others away', `delete from outbox where id <> $1`],
    ['work away', `delete from flows where id <> $1`],
    [
      'another price list',
      `update order_settings set settings = settings where $1::uuid is not null`,
    ],
    [
      'what an order owes',
      `update ledger_order_balances set posted_minor = -90000 where project_id <> $1`,
    ],
  ])('nobody writes %s', async (_, text) => {
    await expect(api.query({ text, values: [order.id] })).rejects.toMatchObject({ code: '42501' });
  });
});
