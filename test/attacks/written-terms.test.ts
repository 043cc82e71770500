import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderColumns } from '../../src/areas/orders/state/store.ts';
import {
  depositChain,
  type OfframpWorld,
  startOfframpWorld,
} from '../../src/areas/orders/testing/offramp-kit.ts';
import { aBuyer, createOnramp, payByCard } from '../../src/areas/orders/testing/onramp-kit.ts';
import { writeOrder } from '../../src/areas/orders/testing/write-order-kit.ts';
import { fundTreasury } from '../../src/areas/treasury/index.ts';
import { pokeWorkers } from '../../src/jobs/index.ts';
import { eventually } from '../../src/jobs/test-kit.ts';
import { apiRole, asRole } from '../../src/store/grants.ts';
import { createStore } from '../../src/store/pool.ts';
import type { Store } from '../../src/store/types.ts';

/**
 * Somebody writes the main database: not how far an order is, but whom it pays, what it gives and
 * what a project sells. Money is really paid in by others; what follows is the service's own work.
 * Each attack is tried with the rights of the API and with those of the owner.
 */
let world: OfframpWorld;
let api: Store;
const thief = '0x000000000000000000000000000000000000dEaD';

beforeAll(async () => {
  world = await startOfframpWorld();
  await fundTreasury(world.stack.ctx, {
    projectId: world.projectId,
    chain: depositChain,
    token: 'usdc',
    amount: '10000',
  });
  api = createStore({
    url: asRole(world.stack.ctx.config.database.url.reveal(), apiRole),
    poolSize: 2,
  });
}, 180_000);
afterAll(async () => {
  await api?.close();
  await world?.close();
});

const as = { 'the API’s role': () => api, 'the owner’s role': () => world.stack.ctx.store };
const roles = Object.keys(as) as (keyof typeof as)[];
const sql = (role: keyof typeof as, text: string, ...values: unknown[]) =>
  as[role]().query<any>({ text, values });
const read = async (text: string, ...values: unknown[]) =>
  (await world.stack.ctx.store.query<any>({ text, values })).rows;

async function held(symbol: string, address: string): Promise<bigint> {
  const family = world.stack.ctx.chains.familyOfChain(depositChain);
  const token = await family.resolveToken(depositChain, { symbol });
  return (await family.readBalances(address, [token]))[0]!.amountMinor;
}

async function run(orderId: string) {
  await read(`update flows set run_at = now() - interval '1 day' where key = $1`, orderId);
  pokeWorkers(world.stack.ctx);
}

/** Nobody works on the order any more: it is an operator's, or it is over. */
async function untilDecided(orderId: string) {
  const isOver = async () => {
    const [{ state }] = await read('select state from orders where id = $1', orderId);
    if (
      ['needs_operator', 'payout_settled', 'payout_final', 'delivered', 'refunded'].includes(state)
    )
      return true;
    const later = await read(
      `select 1 from flows where key = $1 and lease_until is null and run_at > now() + interval '50 minutes'`,
      orderId,
    );
    if (later.length === 0) await run(orderId);
    return later.length > 0;
  };
  await eventually('the order is decided', isOver);
}

const changed = expect.stringContaining('changed behind the service');
async function expectStopped(orderId: string) {
  expect(await world.view(orderId)).toMatchObject({ code: 'internal-error', message: changed });
}

describe.each(roles)('who writes the database with %s', (role) => {
  it('is not paid what another’s order pays out', async () => {
    const order = await world.order({ rail: 'rtp', amount: '90' });
    const own = await world.account('000987654321');
    await sql(
      role,
      `update orders set request = jsonb_set(request, '{recipient,paymentMethodId}', to_jsonb($2::text)) where id = $1`,
      order.id,
      own,
    );
    await (await world.deposit({ memo: order.memo, amountMinor: 90_000_000n })).finalize();
    await untilDecided(order.id);
    const paid = await world.stack.vault!.ctx.store.query({
      text: 'select id from payouts where payment_method_id = $1',
      values: [own],
    });
    expect(paid.rows).toEqual([]);
    await expectStopped(order.id);
  });

  it('is not sent the tokens that another pays for', async () => {
    const buyer = await aBuyer(world.stack);
    const { id } = await createOnramp(world.stack, { address: buyer.address, amount: '20' });
    await sql(
      role,
      `update orders set request = jsonb_set(request, '{recipient,walletAddress}', to_jsonb($2::text)) where id = $1`,
      id,
      thief,
    );
    await payByCard(world.stack, id, '4242424242424242').catch(() => undefined);
    await untilDecided(id);
    expect(await held('usdc', thief)).toBe(0n);
    await expectStopped(id);
  });

  it('gets no more for what he pays than the service has priced', async () => {
    const buyer = await aBuyer(world.stack);
    const { id } = await createOnramp(world.stack, { address: buyer.address, amount: '20' });
    await sql(
      role,
      `update orders set terms = jsonb_set(terms, '{receive,amountMinor}', '"50000000"') where id = $1`,
      id,
    );
    await payByCard(world.stack, id, '4242424242424242').catch(() => undefined);
    await untilDecided(id);
    expect(await held('usdc', buyer.address)).toBe(0n);
    await expectStopped(id);
  });

  it('has no contract of his choice called by the treasury, as if it minted what he orders for nothing', async () => {
    const before = await held('usdc', world.treasury);
    const address = await world.stack.tokenAddress(depositChain, 'usdc');
    const offered = sql(
      role,
      `insert into collection_offers (id, project_id, kind, chain, token_key, address, standard, mint_function, name, per_order_max, created_at)
       values ($1, $2, 'mint', $3, lower($4), $4, 'erc1155', 'transfer(address to, uint256 quantity)', 'Gift', 1000000000, now())`,
      randomUUID(),
      world.projectId,
      depositChain,
      address,
    );
    if (role === 'the API’s role') return expect(offered).rejects.toMatchObject({ code: '42501' });
    await offered;
    const answer = await world.stack.call('POST', '/2022-06-09/orders', {
      body: {
        recipient: { walletAddress: thief },
        payment: { method: 'card' },
        lineItems: [
          { collectionLocator: `${depositChain}:${address}`, callData: { quantity: 10_000 } },
        ],
      },
    });
    if (answer.status === 201) await untilDecided(answer.body.order.orderId);
    expect(await held('usdc', world.treasury)).toBe(before);
    expect([answer.status, answer.body.code]).toEqual([500, 'internal-error']);
    await read('delete from collection_offers');
  });

  it('spends nothing of the account that pays for gas', async () => {
    const reference = randomUUID();
    const before = BigInt(
      await world.stack.chainCall<string>(depositChain, 'eth_getBalance', [thief, 'latest']),
    );
    const written = sql(
      role,
      `insert into evm_treasury_calls (reference, chain, to_address, value_wei, data) values ($1, $2, lower($3), 1000000000000000000, '')`,
      reference,
      depositChain,
      thief,
    );
    if (role === 'the API’s role')
      return expect(written).rejects.toThrow('mints of a test token only');
    await written;
    const status = async () =>
      (
        await read('select status, error from evm_treasury_calls where reference = $1', reference)
      )[0];
    await eventually('the call is decided', async () =>
      ['done', 'failed'].includes((await status()).status),
    );
    expect(
      BigInt(
        await world.stack.chainCall<string>(depositChain, 'eth_getBalance', [thief, 'latest']),
      ),
    ).toBe(before);
    expect(await status()).toEqual({
      status: 'failed',
      error: expect.stringContaining('written behind it'),
    });
  });
});

describe('who writes the database as its owner', () => {
  it('is not paid twice by an order that he puts back as it was before its payout', async () => {
    await read('create table thief_orders (like orders)');
    await read(
      `create function thief_notes() returns trigger language plpgsql security definer as $$ begin insert into thief_orders select new.*; return new; end $$`,
    );
    await read(
      'create trigger thief_notes after update on orders for each row execute function thief_notes()',
    );
    const order = await world.order({ rail: 'rtp', amount: '40' });
    await (await world.deposit({ memo: order.memo, amountMinor: 40_000_000n })).finalize();
    await world.submitted(order.id);
    await read('drop trigger thief_notes on orders');
    await read(
      `update orders set (${orderColumns}) = (select ${orderColumns} from thief_orders where id = $1 and state = 'deposit_final' limit 1)
       where id = $1`,
      order.id,
    );
    // Its history has the later moves: without them it goes on.
    await read(
      'delete from order_moves where order_id = $1 and nr > (select version from orders where id = $1)',
      order.id,
    );
    expect((await world.read(order.id)).sealProblem).toBeUndefined();
    await run(order.id);
    await world.until(order.id, 'needs_operator');
    const paid = await world.stack.vault!.ctx.store.query({
      text: 'select id from payouts where object = $1',
      values: [`order:${order.id}`],
    });
    expect(paid.rowCount).toBe(1);
  });

  it('has nothing paid out for a deposit that he books for his order although its memo is another’s', async () => {
    const [victims, thiefs] = [
      await world.order({ amount: '60' }),
      await world.order({ amount: '60' }),
    ];
    await read(`create function thief() returns trigger language plpgsql as
      $$ begin new.order_id := '${thiefs.id}'; return new; end $$`);
    await read(
      'create trigger thief before insert on deposits for each row execute function thief()',
    );
    try {
      await (await world.deposit({ memo: victims.memo, amountMinor: 60_000_000n })).finalize();
      const decided = await world.until(
        thiefs.id,
        'on_hold',
        'needs_operator',
        'payout_submitted',
        'payout_settled',
      );
      expect([decided.state, decided.attention]).toEqual([
        'on_hold',
        expect.stringContaining('is another order'),
      ]);
    } finally {
      await read('drop function thief cascade');
    }
  });

  it('is not sent a refund that is another’s', async () => {
    const order = await world.order({ amount: '50' });
    // Refunds are stored in the transaction that tells of them: he is as fast as a trigger.
    await read(
      `create function thief() returns trigger language plpgsql as $$ begin new.recipient := '${thief}'; return new; end $$`,
    );
    await read(
      'create trigger thief before insert on order_refunds for each row execute function thief()',
    );
    try {
      await (await world.deposit({ memo: order.memo, amountMinor: 50_000_000n })).finalize();
      await (await world.deposit({ memo: order.memo, amountMinor: 20_000_000n })).finalize();
      await eventually('the refund is decided', async () => {
        const rows = await read('select status from order_refunds where recipient = $1', thief);
        return rows.length > 0 && rows.every(({ status }: any) => status !== 'pending');
      });
    } finally {
      await read('drop trigger thief on order_refunds');
    }
    expect(
      await read('select status, error from order_refunds where recipient = $1', thief),
    ).toEqual([{ status: 'failed', error: changed }]);
    expect(await held('usdxm', thief)).toBe(0n);
  });
});

describe('who has the key-encryption keys of the API too, and seals what he writes', () => {
  const forge = (orderId: string, path: string, value: unknown) =>
    writeOrder(
      world.stack.ctx.store,
      `update orders set terms = jsonb_set(terms, $2::text[], $3::jsonb) where id = $1`,
      orderId,
      path,
      JSON.stringify(value),
    );

  it('is paid out by a bank no more than what he pays in is worth', async () => {
    const order = await world.order({ rail: 'rtp', amount: '30' });
    await forge(order.id, '{receive,amountMinor}', '900000');
    await (await world.deposit({ memo: order.memo, amountMinor: 30_000_000n })).finalize();
    expect(await world.until(order.id, 'needs_operator', 'payout_submitted')).toMatchObject({
      state: 'needs_operator',
      attention: expect.stringContaining('the price of now'),
    });
    expect((await world.read(order.id)).payoutId).toBeUndefined();
  });

  it.each([
    ['receives more', '{receive,amountMinor}', '90000000'],
    ['pays less', '{pay,amountMinor}', '100'],
  ])(
    'is sent no tokens when he %s than the price of now allows, whatever slippage he names',
    async (_what, path, amount) => {
      const buyer = await aBuyer(world.stack);
      const { id } = await createOnramp(world.stack, { address: buyer.address, amount: '20' });
      await forge(id, path, amount);
      await forge(id, '{maxSlippageBps}', 1_000_000);
      await payByCard(world.stack, id, '4242424242424242').catch(() => undefined);
      await eventually('the order is decided', async () =>
        ['payment_failed', 'delivered', 'needs_operator'].includes((await world.read(id)).state),
      );
      expect([(await world.read(id)).state, await held('usdc', buyer.address)]).toEqual([
        'payment_failed',
        0n,
      ]);
    },
  );
});
