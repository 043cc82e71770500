import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertTestWallet } from '../../../../test/harness/watcher-world.ts';
import { commandLineActor, performRule } from '../../operations/index.ts';
import { insertAnOrder } from '../../orders/testing/an-order-kit.ts';
import { createProject } from '../../projects/index.ts';
import { type ConsoleWorld, type SignedIn, startConsoleWorld } from '../testing/console-kit.ts';
import { operatorRules } from './registry.ts';
import { challengeOf } from './signed.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld({
    config: {
      secondPersonAbove: new Map([
        ['usd', '99.99'],
        ['eur', '50'],
      ]),
    },
  });
});
afterAll(() => world?.close());
beforeEach(() => world.alarms.splice(0));

/** $100.00 that stopped; `cents` for another amount, of another currency. */
async function stopped(cents = 10_000n, currency = 'usd') {
  const { terms } = await insertAnOrder(world.ctx.store, {
    projectId: world.projectId,
    at: world.clock.now(),
  });
  const value = { ...terms!.value, currency, amountMinor: cents };
  return insertAnOrder(world.ctx.store, {
    projectId: world.projectId,
    at: world.clock.now(),
    terms: { ...terms!, value },
  });
}
const stateOf = async (id: string) =>
  (await world.sql('select state from orders where id = $1', id)).rows[0]!.state;
const close = (who: SignedIn, orderId: string) =>
  world.act(who, {
    action: 'orders.resolve.close',
    params: { orderId },
    reason: 'settled by hand',
  });
const rowOf = async (id: string) =>
  (await world.sql('select status, signed from operator_actions where id = $1', id)).rows[0]!;
async function decide(
  who: SignedIn,
  action: 'actions.approve' | 'actions.reject',
  actionId: string,
  over: Record<string, unknown> = {},
) {
  const hash = challengeOf(String((await rowOf(actionId)).signed));
  return world.act(who, { action, params: { actionId, hash }, reason: 'looked at it', ...over });
}
const entries = async () =>
  (await world.sql('select entry from audit_entries order by seq')).rows.map(({ entry }) =>
    JSON.parse(String(entry)),
  );

describe('a decision above the limit', () => {
  it('is not done by one person, and is done when another one has signed it too', {
    tags: 'slow',
  }, async () => {
    const [ada, bob] = [
      await world.anOperator('finance', world.projectId),
      await world.anOperator('finance', world.projectId),
    ];
    const order = await stopped();
    const { outcome, id } = await close(ada, order.id);
    expect(outcome).toMatchObject({
      status: 'waiting',
      result: { message: expect.stringContaining('100.00 USD is more than one person decides') },
    });
    expect(await stateOf(order.id)).toBe('needs_operator');
    const { items } = (
      await world.call('GET', '/api/inbox?kind=second-person', { cookie: bob.cookie })
    ).body;
    expect(items).toEqual([
      expect.objectContaining({
        id,
        orderId: order.id,
        title: 'Close a stopped order by hand: a second person decides',
        reason: expect.stringContaining('settled by hand'),
        amount: { amount: '100.00', currency: 'USD' },
        decisions: [
          expect.objectContaining({
            rule: 'actions.approve',
            effect: expect.stringContaining(order.id),
          }),
          expect.objectContaining({ rule: 'actions.reject' }),
        ],
      }),
    ]);
    const before = (await entries()).length;
    const approved = await world.act(bob, {
      action: 'actions.approve',
      params: items[0].decisions[0].params,
      reason: 'looked at it',
    });
    expect(approved.outcome).toMatchObject({ status: 'done' });
    expect(await stateOf(order.id)).toBe('closed');
    expect((await rowOf(id)).status).toBe('done');
    const names = new Map(
      (await world.sql('select id, name from operators')).rows.map((row) => [row.id, row.name]),
    );
    expect((await entries()).slice(before)).toEqual([
      expect.objectContaining({
        action: 'actions.approve',
        actor: expect.objectContaining({ id: bob.id }),
        subject: `action:${id}`,
      }),
      expect.objectContaining({
        action: 'orders.resolve.close',
        actor: expect.objectContaining({ id: ada.id }),
        outcome: 'done',
        changed: expect.objectContaining({ approvedBy: names.get(bob.id) }),
      }),
    ]);
    expect((await entries()).at(before - 1)).toMatchObject({
      action: 'orders.resolve.close',
      outcome: 'proposed',
      subject: `action:${id}`,
    });
    expect((await decide(bob, 'actions.approve', id)).outcome).toMatchObject({ status: 'refused' });
    // The owner of the database has it wait again.
    await world.sql(`update operator_actions set status = 'waiting' where id = $1`, id);
    const again = await decide(bob, 'actions.approve', id);
    expect(again.outcome.result.message).toContain('came again');
    const other = await stopped();
    const rejected = await close(ada, other.id);
    expect((await decide(bob, 'actions.reject', rejected.id)).outcome).toMatchObject({
      status: 'done',
    });
    await world.sql(`update operator_actions set status = 'waiting' where id = $1`, rejected.id);
    expect((await decide(bob, 'actions.approve', rejected.id)).outcome.result.message).toContain(
      'came again',
    );
    expect(await stateOf(other.id)).toBe('needs_operator');
  });

  it('that nobody could have asked for hides nothing else in the inbox', async () => {
    const [ada, order] = [await world.anOperator('finance', world.projectId), await stopped()];
    const { id } = await close(ada, order.id);
    const { signed } = await rowOf(id);
    const over = JSON.stringify({ ...JSON.parse(String(signed)), params: { orderId: 'x' } });
    await world.sql('update operator_actions set signed = $2 where id = $1', id, over);
    const { status, body } = await world.call('GET', '/api/inbox', { cookie: ada.cookie });
    expect([status, body.items.some((item: { id: string }) => item.id === id)]).toEqual([
      200,
      false,
    ]);
  });

  it.each([
    ['the one who asked for it', async (first: SignedIn) => first, 'another person'],
    [
      'somebody whose role is too small',
      () => world.anOperator('support', world.projectId),
      'the role finance of both',
    ],
  ] as const)('is not approved by %s', async (_, secondOf, why) => {
    const first = await world.anOperator('finance', world.projectId);
    const order = await stopped();
    const { id } = await close(first, order.id);
    expect((await decide(await secondOf(first), 'actions.approve', id)).outcome).toMatchObject({
      status: 'refused',
      result: { message: expect.stringContaining(why) },
    });
    expect(await stateOf(order.id)).toBe('needs_operator');
  });

  it('is approved by nobody once the first has lost his role, or a day has passed', async () => {
    const second = await world.anOperator('finance', world.projectId);
    const first = await world.anOperator('finance', world.projectId);
    const order = await stopped();
    const { id } = await close(first, order.id);
    const { revokeOperator } = await import('../operators/operators.ts');
    const { rows } = await world.sql('select name from operators where id = $1', first.id);
    await revokeOperator(world.ctx, {
      name: String(rows[0]!.name),
      reason: 'left',
      actor: commandLineActor(),
    });
    expect((await decide(second, 'actions.approve', id)).outcome).toMatchObject({
      status: 'refused',
    });
    const third = await world.anOperator('finance', world.projectId);
    const late = await close(third, order.id);
    world.clock.advance(25 * 3_600_000);
    const fresh = await world.anOperator('finance', world.projectId);
    expect((await decide(fresh, 'actions.approve', late.id)).outcome.result.message).toContain(
      'more than a day ago',
    );
    expect(
      (await world.call('GET', '/api/inbox?kind=second-person', { cookie: fresh.cookie })).body
        .items,
    ).toEqual([]);
    expect(await stateOf(order.id)).toBe('needs_operator');
  });

  it('whose text was changed in the database is not approved: it is not what the first, or the second, has signed', async () => {
    const [first, second] = [
      await world.anOperator('finance', world.projectId),
      await world.anOperator('finance', world.projectId),
    ];
    const [order, other] = [await stopped(), await stopped()];
    const { id } = await close(first, order.id);
    const { signed } = await rowOf(id);
    const swapped = String(signed).replace(order.id, other.id);
    const seen = challengeOf(String(signed));
    await world.sql('update operator_actions set signed = $2 where id = $1', id, swapped);
    const approve = (hash: string) =>
      world.act(second, {
        action: 'actions.approve',
        params: { actionId: id, hash },
        reason: 'looked at it',
      });
    expect((await approve(seen)).outcome.result.message).toContain('Nothing like that waits');
    expect((await approve(challengeOf(swapped))).outcome.result.message).toContain(
      'was not signed by the one who stands there',
    );
    expect([await stateOf(order.id), await stateOf(other.id)]).toEqual([
      'needs_operator',
      'needs_operator',
    ]);
  });

  it('that a second person rejects is not done, and says why', async () => {
    const [first, second] = [
      await world.anOperator('finance', world.projectId),
      await world.anOperator('support', world.projectId),
    ];
    const order = await stopped();
    const { id } = await close(first, order.id);
    expect(
      (await decide(second, 'actions.reject', id, { reason: 'wrong order' })).outcome,
    ).toMatchObject({ status: 'done' });
    const { body } = await world.call('GET', `/api/actions/${id}`, { cookie: first.cookie });
    expect(body).toMatchObject({
      status: 'refused',
      result: { message: expect.stringContaining('has rejected it: wrong order') },
    });
    expect(
      (await decide(await world.anOperator('finance'), 'actions.approve', id)).outcome,
    ).toMatchObject({ status: 'refused' });
    expect(await stateOf(order.id)).toBe('needs_operator');
  });

  it('is shown to nobody of another project, and approved by none', async () => {
    const elsewhere = (await createProject(world.ctx, { name: 'Another project' })).id;
    const first = await world.anOperator('finance', world.projectId);
    const { id } = await close(first, (await stopped()).id);
    const other = await world.anOperator('admin', elsewhere);
    expect(
      (await world.call('GET', '/api/inbox?kind=second-person', { cookie: other.cookie })).body
        .items,
    ).toEqual([]);
    expect((await decide(other, 'actions.approve', id)).asked.status).toBe(403);
    expect(
      (await decide(other, 'actions.approve', id, { projectId: elsewhere })).outcome,
    ).toMatchObject({ status: 'refused' });
  });

  it('is refused at the command line, which proves nobody', async () => {
    const order = await stopped();
    const decided = performRule(world.ctx, operatorRules.get('orders.resolve.close')!, {
      actor: commandLineActor(),
      projectId: world.projectId,
      params: { orderId: order.id },
      reason: 'settled by hand',
    });
    await expect(decided).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('another one approves it'),
    });
    expect(await stateOf(order.id)).toBe('needs_operator');
  });
});

it('up to the limit one person decides, and whatever moves no money', async () => {
  const who = await world.anOperator('finance', world.projectId);
  const order = await stopped(9_999n);
  expect((await close(who, order.id)).outcome).toMatchObject({ status: 'done' });
  const asking = await insertAnOrder(world.ctx.store, {
    projectId: world.projectId,
    state: 'delivered',
    at: world.clock.now(),
    attention: 'Dispute.',
  });
  expect((await world.act(who, { params: { orderId: asking.id } })).outcome).toMatchObject({
    status: 'done',
  });
});

it('what one person decides alone in 24 hours counts together', async () => {
  const [ada, bob] = [
    await world.anOperator('finance', world.projectId),
    await world.anOperator('finance', world.projectId),
  ];
  const closeOne = async (who: SignedIn) => (await close(who, (await stopped(6_000n)).id)).outcome;
  expect(await closeOne(ada)).toMatchObject({ status: 'done' });
  expect(await closeOne(ada)).toMatchObject({
    status: 'waiting',
    result: { message: expect.stringContaining('with 60.00 USD of the last 24 hours') },
  });
  expect(await closeOne(bob)).toMatchObject({ status: 'done' });
  world.clock.advance(24 * 3_600_000 + 1);
  const again = await world.anOperator('finance', world.projectId);
  const atOnce = await Promise.all([closeOne(again), closeOne(again)]);
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual(['done', 'waiting']);
});

/** What was decided before does not count any more. */
const nextDay = () => world.clock.advance(24 * 3_600_000 + 1);

it('what one person decides in several currencies counts together, each by its part of its own limit', async () => {
  nextDay();
  const who = await world.anOperator('finance', world.projectId);
  const closeOne = async (cents: bigint, currency: string) =>
    (await close(who, (await stopped(cents, currency)).id)).outcome;
  expect(await closeOne(6_000n, 'usd')).toMatchObject({ status: 'done' });
  // 60 of 99.99 and 20 of 50 are all of it but 0.006 %.
  expect(await closeOne(2_001n, 'eur')).toMatchObject({
    status: 'waiting',
    result: { message: expect.stringContaining('20.01 EUR, with 60.00 USD of the last 24 hours') },
  });
  expect(await closeOne(1_999n, 'eur')).toMatchObject({ status: 'done' });
  expect(await closeOne(100n, 'gbp')).toMatchObject({ status: 'waiting' });
});

it('what is decided at a command line counts as every operator’s, and there as that of whoever decided most', async () => {
  nextDay();
  const [ada, bob] = [
    await world.anOperator('finance', world.projectId),
    await world.anOperator('finance', world.projectId),
  ];
  const atCommandLine = async (cents: bigint) =>
    performRule(world.ctx, operatorRules.get('orders.resolve.close')!, {
      actor: { kind: 'command-line', osUser: 'node', host: 'd1f0a1' },
      projectId: world.projectId,
      params: { orderId: (await stopped(cents)).id },
      reason: 'settled by hand',
    });
  const closeOne = async (of: SignedIn, cents: bigint) =>
    (await close(of, (await stopped(cents)).id)).outcome;
  expect(await closeOne(ada, 6_000n)).toMatchObject({ status: 'done' });
  await expect(atCommandLine(4_000n)).rejects.toThrow('with 60.00 USD of the last 24 hours');
  await atCommandLine(3_000n);
  expect(await closeOne(bob, 7_000n)).toMatchObject({ status: 'waiting' });
  expect(await closeOne(bob, 6_000n)).toMatchObject({ status: 'done' });
});

it('what is decided at command lines counts together, whatever they say of user and host', async () => {
  nextDay();
  const closeAs = async (osUser: string, host: string) =>
    performRule(world.ctx, operatorRules.get('orders.resolve.close')!, {
      actor: { kind: 'command-line', osUser, host },
      projectId: world.projectId,
      params: { orderId: (await stopped(6_000n)).id },
      reason: 'settled by hand',
    });
  await closeAs('node', 'd1f0a1');
  await expect(closeAs('node', '77be02')).rejects.toThrow('with 60.00 USD of the last 24 hours');
  await expect(closeAs('root', 'd1f0a1')).rejects.toThrow('with 60.00 USD of the last 24 hours');
});

it('what has its amount only when it is decided takes two as well', async () => {
  nextDay();
  const order = await stopped();
  const { terms } = (await world.sql('select terms from orders where id = $1', order.id)).rows[0]!;
  expect(terms).toMatchObject({ value: { currency: 'usd' } });
  const rule = operatorRules.get('orders.resolve.close')!;
  let looks = 0;
  const decided = performRule(
    world.ctx,
    // Its price comes in between the first look and the decision.
    {
      ...rule,
      moves: {
        title: 'Late',
        amount: async (ctx, input) => (looks++ === 0 ? undefined : rule.moves!.amount(ctx, input)),
      },
    },
    {
      actor: { kind: 'command-line', osUser: 'node', host: 'd1f0a1' },
      projectId: world.projectId,
      params: { orderId: order.id },
      reason: 'by hand',
    },
  );
  await expect(decided).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('100.00 USD is more than one person'),
  });
  expect([looks, await stateOf(order.id)]).toEqual([2, 'needs_operator']);
});

it('an order into which more was paid than its price counts with all of it', async () => {
  nextDay();
  const who = await world.anOperator('finance', world.projectId);
  const order = await stopped(1_000n);
  const treasury = `0x${randomUUID().replaceAll('-', '')}00000000`;
  const wallet = await insertTestWallet(world.ctx.store, {
    address: treasury,
    projectId: world.projectId,
  });
  await world.sql(
    `insert into deposits (id, project_id, wallet_id, chain, token_locator, token_decimals, amount_minor, sender, recipient, seen_id, tx_id,
       height, included_at, seen_at, status, order_id)
     values ($1::uuid, $2, $3, 'base-sepolia', 'base-sepolia:usdc', 6, 100000, '0xab', $4, $1::text, $1::text, 1, now(), now(), 'final', $5)`,
    randomUUID(),
    world.projectId,
    wallet.id,
    treasury,
    order.id,
  );
  const { outcome } = await close(who, order.id);
  expect(outcome).toMatchObject({
    status: 'waiting',
    result: { message: expect.stringContaining('100.00 USD is more than') },
  });
});
