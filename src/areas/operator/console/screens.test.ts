import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { trialBalance } from '../../../ledger/index.ts';
import { countCalls } from '../../../lib/net/call-counts.ts';
import { storeCallCounts } from '../../../providers/calls/index.ts';
import type { TestRun } from '../../agent-checkouts/live/test-kit.ts';
import { writeOwnSettings } from '../../orders/pricing/index.ts';
import { insertAnOrder } from '../../orders/testing/an-order-kit.ts';
import { createProject } from '../../projects/index.ts';
import {
  type Filled,
  fillCheckout,
  fillDeposit,
  fillProject,
} from '../testing/console-fill-kit.ts';
import { type ConsoleWorld, type SignedIn, startConsoleWorld } from '../testing/console-kit.ts';
import { refusalsMax } from './refusals.ts';

const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600', 'hex'),
  Buffer.from('ann@mail.example'),
]);
/** What a spreadsheet would compute. */
const formula = '=HYPERLINK("https://evil.example")';

let world: ConsoleWorld;
let here: Filled;
let there: Filled;
let elsewhere: string;
let run: TestRun;
beforeAll(async () => {
  world = await startConsoleWorld();
  elsewhere = (await createProject(world.ctx, { name: 'Another project' })).id;
  here = await fillProject(world, { projectId: world.projectId, text: formula });
  there = await fillProject(world, { projectId: elsewhere, text: 'theirs' });
  run = await fillCheckout(world, jpeg);
}, 60_000);
afterAll(() => world?.close());

const get = (who: SignedIn, path: string) =>
  world.call('GET', `/api${path}`, { cookie: who.cookie });
const lists = [
  '/wallets',
  '/checkouts',
  '/payouts',
  '/webhooks',
  '/events',
  '/projects',
  '/keys',
  '/issuers',
  '/users',
  '/holds',
  '/transfers',
];
/** Of what there is one of here, and one of elsewhere. */
const single = ({ walletId, endpointId, deliveryId, userId }: Filled) => [
  `/users/${userId}`,
  `/wallets/${walletId}`,
  `/wallets/${walletId}/transactions`,
  `/wallets/${walletId}/limits`,
  `/webhooks/${endpointId}`,
  `/webhooks/${endpointId}/deliveries`,
  `/deliveries/${deliveryId}`,
];

describe('what another project has', () => {
  it('is shown to nobody without a role there, in a list or by its id', {
    tags: 'slow',
  }, async () => {
    for (const role of ['viewer', 'admin'] as const) {
      const who = await world.anOperator(role, world.projectId);
      for (const path of lists) {
        const { status, body } = await get(who, path);
        expect(status, path).toBe(200);
        expect(
          new Set(body.items.map(({ projectId }: { projectId: string }) => projectId)),
          path,
        ).toEqual(new Set(path === '/checkouts' ? [] : [world.projectId]));
        expect((await get(who, `${path}?project=${elsewhere}`)).status, path).toBe(403);
      }
      for (const path of single(here)) expect((await get(who, path)).status, path).toBe(200);
      for (const path of [
        ...single(there),
        `/checkouts/${run.id}`,
        `/checkouts/${run.id}/pictures/2`,
        `/wallets/${there.walletId}/balances`,
      ])
        expect((await get(who, path)).status, path).toBe(404);
      const { body } = await get(who, '/liquidity');
      expect(new Set(body.rows.map(({ projectId }: { projectId: string }) => projectId))).toEqual(
        new Set([world.projectId]),
      );
      expect(body.gas).toBeUndefined();
      expect((await get(who, '/payouts/switch')).status).toBe(403);
    }
    const whole = await world.anOperator('viewer');
    for (const path of single(there)) expect((await get(whole, path)).status, path).toBe(200);
    expect((await get(whole, '/payouts/switch')).body).toEqual({});
  });

  it('is switched and sent again by nobody without a role there', async () => {
    const who = await world.anOperator('admin', world.projectId);
    const { outcome } = await world.act(who, {
      action: 'webhooks.resend',
      params: { deliveryId: there.deliveryId },
    });
    expect(outcome).toMatchObject({ status: 'refused' });
    const switched = await world.act(who, {
      action: 'webhooks.switch',
      params: { endpointId: there.endpointId, enabled: 'no' },
    });
    expect(switched.outcome).toMatchObject({ status: 'refused' });
    expect(
      (
        await world.act(who, {
          action: 'webhooks.resend',
          projectId: elsewhere,
          params: { deliveryId: there.deliveryId },
        })
      ).asked.status,
    ).toBe(403);
    const { rows } = await world.sql(
      'select status from webhook_deliveries where id = $1',
      there.deliveryId,
    );
    expect(rows).toEqual([{ status: 'failed' }]);
  });
});

describe('a delivery that failed', () => {
  it('is shown with its body and what the shop answered, and sent again by support', async () => {
    const viewer = await world.anOperator('viewer', world.projectId);
    expect(
      (
        await world.act(viewer, {
          action: 'webhooks.resend',
          params: { deliveryId: here.deliveryId },
        })
      ).asked.status,
    ).toBe(403);
    const who = await world.anOperator('support', world.projectId);
    const { body } = await get(who, `/deliveries/${here.deliveryId}`);
    expect(body).toMatchObject({
      status: 'failed',
      payload: { data: { said: formula } },
      attempts: [{ statusCode: 500, answer: formula }],
    });
    const { outcome, id } = await world.act(who, {
      action: 'webhooks.resend',
      params: { deliveryId: here.deliveryId },
      reason: 'shop mended',
    });
    expect(outcome).toMatchObject({ status: 'done', result: { status: 'pending' } });
    const { rows } = await world.sql('select entry from audit_entries where action_id = $1', id);
    expect(JSON.parse(String(rows[0]!.entry))).toMatchObject({
      subject: `delivery:${here.deliveryId}`,
      reason: 'shop mended',
      changed: { status: ['failed', 'pending'] },
    });
  });

  it('has an endpoint that support turns off and on', async () => {
    const who = await world.anOperator('support', world.projectId);
    for (const [enabled, status] of [
      ['no', 'disabled'],
      ['yes', 'enabled'],
    ]) {
      const { outcome } = await world.act(who, {
        action: 'webhooks.switch',
        params: { endpointId: here.endpointId, enabled },
      });
      expect(outcome).toMatchObject({ status: 'done', result: { status } });
    }
  });
});

describe('a purchase of an agent', () => {
  it('is shown with where it stopped and the evidence of each step', async () => {
    const who = await world.anOperator('viewer');
    const { body } = await get(who, `/checkouts/${run.id}`);
    expect(body.checkout).toMatchObject({
      status: 'failed',
      failure: { message: 'The shop is closed.' },
      target: { url: 'https://shop.example/p/1' },
    });
    expect(body.checkout).not.toHaveProperty('liveOrigin');
    expect(
      body.steps.map(({ step, hasPicture }: { step: string; hasPicture: boolean }) => [
        step,
        hasPicture,
      ]),
    ).toEqual([
      ['open', false],
      ['open', false],
      ['select', false],
    ]);
    expect(body.progress).toContainEqual(expect.objectContaining({ title: 'Looking at the shop' }));
  });

  it('has pictures of the shop’s pages for support, and not for whoever may only look', async () => {
    const path = `/checkouts/${run.id}/pictures/2`;
    expect((await get(await world.anOperator('viewer'), path)).status).toBe(403);
    const who = await world.anOperator('support');
    expect((await get(who, `/checkouts/${run.id}`)).body.steps[1]).toMatchObject({
      hasPicture: true,
    });
    const response = await fetch(`${world.base}/console/api${path}`, {
      headers: { cookie: who.cookie },
      signal: AbortSignal.timeout(10_000),
    });
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('cache-control'),
    ]).toEqual([200, 'image/jpeg', 'private, no-store']);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(jpeg);
    for (const nr of ['1', '99', 'x', '-1'])
      expect((await get(who, `/checkouts/${run.id}/pictures/${nr}`)).status, nr).toBe(404);
  });
});

describe('money', () => {
  it('is added up in a trial balance, which says of each asset whether debits are credits', async () => {
    const who = await world.anOperator('viewer', world.projectId);
    const ask = () => get(who, `/books/trial-balance?project=${world.projectId}`);
    const asked = vi.spyOn(world.apiCtx.store, 'query');
    const [{ body }] = await Promise.all([ask(), ask(), ask()]);
    // Every posting is read for it, so whoever looks at the same time is shown the same.
    const sums = asked.mock.calls.filter(([query]) => JSON.stringify(query).includes(':clearing'));
    expect(sums).toHaveLength(1);
    asked.mockRestore();
    const all = await trialBalance(world.ctx.store, { projectId: world.projectId });
    expect(body.balances.length).toBeGreaterThan(0);
    for (const [index, one] of body.balances.entries()) {
      expect(one.debitMinor).toBe(one.creditMinor);
      expect(one).toMatchObject({
        asset: all[index]!.asset,
        debitMinor: `${all[index]!.debitMinor}`,
      });
      expect(body.assets[one.asset]).toMatchObject({ symbol: expect.any(String) });
    }
    const treasury = body.balances
      .flatMap(({ accounts }: { accounts: { account: string }[] }) => accounts)
      .find(({ account }: { account: string }) => account === 'chain:base-sepolia:treasury');
    expect(treasury).toMatchObject({ debitMinor: '61250000', creditMinor: '0' });
  });

  it('that was sent from a treasury is listed, with what became of it', async () => {
    const { items } = (await get(await world.anOperator('viewer', world.projectId), '/transfers'))
      .body;
    expect(items).toEqual([
      expect.objectContaining({
        subject: 'withdrawal',
        amount: '0.25',
        currency: 'eth',
        status: 'failed',
        error: formula,
        recipient: '0xours',
      }),
    ]);
  });

  it('is told by where it is, with what open orders are promised and what is missing', async () => {
    const who = await world.anOperator('viewer', world.projectId);
    const { body } = await get(who, '/liquidity');
    expect(body.rows.find(({ place }: { place: string }) => place === 'treasury')).toMatchObject({
      account: 'chain:base-sepolia:treasury',
      held: '61.25',
      promised: { amount: '98.5', orders: 1 },
      isShort: true,
    });
    expect(body.rows.find(({ place }: { place: string }) => place === 'bank')).toMatchObject({
      held: '12500',
      isShort: false,
    });
    expect(body.rows.find(({ place }: { place: string }) => place === 'receivable')).toMatchObject({
      held: '100',
    });
  });

  it('that banks were asked to pay is listed by rail and status, and what is late is said', async () => {
    const who = await world.anOperator('viewer', world.projectId);
    const idsOf = async (query: string) =>
      (await get(who, `/payouts?${query}`)).body.items.map(({ id }: { id: string }) => id);
    for (const query of ['', 'rail=ach', 'status=held', 'late=yes'])
      expect(await idsOf(query), query).toEqual([here.payoutOrderId]);
    for (const query of ['rail=sepa', 'status=final'])
      expect(await idsOf(query), query).toEqual([]);
    expect((await get(who, '/payouts')).body.items[0]).toMatchObject({
      isLate: true,
      payout: { amountMinor: '98500', decimals: 2 },
    });
  });
});

describe('who may call, and who is known', () => {
  it('is told without a key, or anything that one can be checked against', async () => {
    const who = await world.anOperator('viewer', world.projectId);
    const { items } = (await get(who, '/keys?state=active&kind=client')).body;
    expect(items).toContainEqual(
      expect.objectContaining({
        name: formula,
        state: 'active',
        allowedOrigins: ['https://shop.example'],
      }),
    );
    expect(Object.keys(items[0]).toSorted().join(' ')).toBe(
      'allowedAppIds allowedExtensionIds allowedOrigins createdAt hint id kind name projectId scopes state',
    );
    for (const query of ['state=ended', 'kind=server&state=ended'])
      expect((await get(who, `/keys?${query}`)).body.items, query).toEqual([]);
    await world.sql(`update api_keys set scopes = '{"orders.read"}' where id = $1`, items[0].id);
    expect((await get(who, '/keys')).body.items[0]).toMatchObject({
      id: items[0].id,
      isChanged: true,
    });
    const { issuer } = (await get(who, '/issuers')).body.items[0];
    expect(issuer).toContain(formula);
  });

  it('is a user found by e-mail address, locator and id, of whom no data is shown', async () => {
    const who = await world.anOperator('admin', world.projectId);
    const found = async (find: string) =>
      (await get(who, `/users?find=${encodeURIComponent(find)}`)).body.items?.map(
        ({ id }: { id: string }) => id,
      );
    await writeOwnSettings(world.ctx, {
      projectId: world.projectId,
      settings: { limits: [{ subject: 'user', dailyUsd: '500' }] },
    });
    const { user, eligibility, limits } = (await get(who, `/users/${here.userId}`)).body;
    expect(limits).toContainEqual(
      expect.objectContaining({ subject: 'user', period: 'daily', limit: '500', used: '0' }),
    );
    for (const find of [
      here.email.toUpperCase(),
      `email:${here.email}`,
      here.userId,
      user.locator,
      user.locator.slice('userId:'.length),
    ])
      expect(await found(find), find).toEqual([here.userId]);
    for (const find of ['nobody@mail.example', there.userId, there.email, 'nobody'])
      expect(await found(find), find).toEqual([]);
    expect((await get(who, '/users?find=email:nothing')).status).toBe(400);
    expect(user).toMatchObject({
      locators: [user.locator, `email:${here.email}`],
      data: ['userDetails'],
      documents: [],
    });
    expect(eligibility.map(({ status }: { status: string }) => status)).toContain('not-started');
    expect(JSON.stringify([user, (await get(who, '/users')).body])).not.toMatch(
      /Alice|Secretname|1990/,
    );
    expect((await get(who, `/orders?user=${here.userId}`)).body.items).toEqual([]);
  });

  it('tells the service’s time to operators of every project alone', async () => {
    expect((await get(await world.anOperator('admin', world.projectId), '/clock')).status).toBe(
      403,
    );
    expect((await get(await world.anOperator('viewer'), '/clock')).body).toMatchObject({
      aheadMs: 0,
      mayAdvance: true,
      parts: [],
    });
  });
});

describe('money that is held back', () => {
  it('stands there with since when and why, the oldest first, until it goes on', async () => {
    const { id } = await insertAnOrder(world.ctx.store, {
      projectId: world.projectId,
      state: 'on_hold',
      facts: { holdReason: 'screening' },
      at: world.clock.now(),
    });
    const who = await world.anOperator('viewer', world.projectId);
    const held = async (query: string) => (await get(who, `/holds${query}`)).body.items;
    const all = await held('');
    expect(all[0]).toMatchObject({
      kind: 'payout',
      orderId: here.payoutOrderId,
      reason: formula,
      amount: { amount: '985', currency: 'USD' },
    });
    expect(all.at(-1)).toMatchObject({
      kind: 'order',
      id,
      reason: 'The payer’s address was found on a list of blocked ones.',
    });
    expect((await held('?kind=order')).map((one: { id: string }) => one.id)).toEqual([id]);
    expect(await held('?kind=deposit')).toEqual([]);
    await world.sql(`update orders set state = 'closed' where id = $1`, id);
    expect(await held('?kind=order')).toEqual([]);
  });
});

describe('a deposit of nobody', () => {
  it('stands there by its age, with the orders beside that it may be for, the likeliest first', async () => {
    const { depositId, likely, other, dead } = await fillDeposit(world, {
      projectId: world.projectId,
      walletId: here.walletId,
    });
    const who = await world.anOperator('viewer', world.projectId);
    const items = async (query: string) => (await get(who, `/unmatched${query}`)).body.items;
    const [item] = await items('?kind=deposit');
    expect(item).toMatchObject({
      id: depositId,
      days: 3,
      amount: { amount: '0.5', currency: 'eth' },
    });
    expect(item.likely.map((one: { id: string }) => one.id)).toEqual([likely, other, dead]);
    expect(item.likely[0]).toMatchObject({
      isSameAmount: true,
      isSameSender: true,
      takesIt: true,
      pay: { amount: '0.5', currency: 'ETH' },
    });
    expect(item.likely[1]).toMatchObject({ isSameSender: false, takesIt: true });
    expect(item.likely[2]).toMatchObject({ takesIt: false });
    expect((await items('?older=1')).map(({ id }: { id: string }) => id)).toEqual([depositId]);
    for (const query of ['?older=7', '?kind=return', '?kind=difference'])
      expect(await items(query), query).toEqual([]);
    expect((await get(who, '/unmatched?older=2')).status).toBe(400);
    expect((await get(who, '/unmatched?format=csv')).body).toContain(
      `deposit,${depositId},${world.projectId},0.5,eth,`,
    );
    await world.sql('delete from order_deposits where deposit_id = $1', depositId);
    expect(await items('')).toEqual([]);
  });
});

describe('a list', () => {
  it('of events is of one type where it is asked for', async () => {
    const who = await world.anOperator('viewer', world.projectId);
    expect((await get(who, '/me')).body.eventTypes).toContain('orders.payment.failed');
    const types = async (query: string) =>
      new Set(
        (await get(who, `/events${query}`)).body.items.map(({ type }: { type: string }) => type),
      );
    expect(await types('?type=orders.delivery.completed')).toEqual(
      new Set(['orders.delivery.completed']),
    );
    expect(await types('?type=orders.payment.failed')).toEqual(new Set());
    expect((await get(who, '/events?type=nothing')).status).toBe(400);
  });

  it('finds a wallet by its whole address or owner, and by its family', async () => {
    const who = await world.anOperator('viewer');
    const { body } = await get(who, `/wallets/${here.walletId}`);
    const found = async (query: string) =>
      (await get(who, `/wallets?${query}`)).body.items.map(({ id }: { id: string }) => id);
    expect(await found(`find=${body.wallet.address.toUpperCase().replace('0X', '0x')}`)).toEqual([
      here.walletId,
    ]);
    expect(await found(`find=${encodeURIComponent(`userId:${formula}`)}`)).toEqual([here.walletId]);
    expect(await found('find=nobody')).toEqual([]);
    expect(await found('chainType=solana')).toEqual([]);
    expect(await found('chainType=evm')).toHaveLength(2);
  });

  it('shows what its signers have used of their limits, or why that is not known', async () => {
    const who = await world.anOperator('viewer');
    const { body } = await get(who, `/wallets/${here.walletId}`);
    const { status, body: answer } = await get(who, `/wallets/${here.walletId}/limits`);
    // No network is configured here: what the networks themselves count is in family.contract.ts.
    expect([status, answer.limits]).toEqual([
      200,
      [
        {
          signer: body.signers[0].locator,
          chain: 'base-sepolia',
          unknown: expect.stringContaining('Not implemented by this instance'),
        },
      ],
    ]);
  });

  it('marks a wallet that was changed behind the service, and hides no other', async () => {
    const third = await fillProject(world, { projectId: world.projectId, text: 'third' });
    await world.sql(`update wallets set owner = 'userId:thief' where id = $1`, third.walletId);
    const who = await world.anOperator('viewer', world.projectId);
    const { items } = (await get(who, '/wallets')).body;
    expect(
      items
        .map(({ id, isChanged }: { id: string; isChanged?: true }) => [id, isChanged])
        .toSorted(),
    ).toEqual(
      [
        [here.walletId, undefined],
        [third.walletId, true],
      ].toSorted(),
    );
    expect((await get(who, `/wallets/${third.walletId}`)).status).toBe(500);
    await world.sql('delete from transactions where wallet_id = $1', third.walletId);
    await world.sql('delete from treasury_transfers where wallet_id = $1', third.walletId);
    await world.sql('delete from wallet_signers where wallet_id = $1', third.walletId);
    await world.sql('delete from wallets where id = $1', third.walletId);
  });

  it('goes on where it stopped, and takes no cursor of another question', async () => {
    const who = await world.anOperator('viewer');
    for (const path of [
      '/wallets',
      '/events',
      '/payouts',
      '/webhooks',
      '/orders',
      '/audit',
      '/projects',
      '/keys',
      '/issuers',
      '/users',
      '/holds',
    ]) {
      const first = await get(who, `${path}?limit=1`);
      expect(first.body.nextCursor, path).toEqual(expect.any(String));
      const second = await get(who, `${path}?limit=1&cursor=${first.body.nextCursor}`);
      const keyOf = ({ id, seq }: { id?: string; seq?: string }) => id ?? seq;
      expect(keyOf(second.body.items[0]), path).not.toBe(keyOf(first.body.items[0]));
      expect((await get(who, `${path}?limit=1&cursor=x`)).status, path).toBe(400);
      if (path !== '/webhooks') {
        const other =
          { '/wallets': '/orders', '/events': '/audit', '/audit': '/events' }[path] ?? '/wallets';
        expect((await get(who, `${other}?cursor=${first.body.nextCursor}`)).status, path).toBe(400);
      }
    }
  });

  it('is CSV where it is asked for, in which no text becomes a formula', async () => {
    const who = await world.anOperator('viewer', world.projectId);
    const { headers, body } = await get(who, '/wallets?format=csv');
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      'attachment; filename="purser-wallets.csv"',
    ]);
    const [head, ...lines] = String(body).trim().split('\r\n');
    expect(head).toBe('wallet,project,chainType,type,address,owner,alias,createdAt');
    expect(lines[0]).toContain(`"userId:=HYPERLINK(""https://evil.example"")"`);
    const payouts = String((await get(who, '/payouts?format=csv')).body);
    expect(payouts).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
    expect(payouts).toContain(',985,held,');
    for (const path of ['/orders', '/audit', `/books/entries?project=${world.projectId}`])
      expect(
        (await get(who, `${path}${path.includes('?') ? '&' : '?'}format=csv`)).headers.get(
          'content-type',
        ),
        path,
      ).toContain('text/csv');
  });
});

it('news of an operator’s projects come by the stream, without a word of what they are, and no other project’s', async () => {
  const who = await world.anOperator('viewer', world.projectId);
  const aborter = new AbortController();
  const response = await fetch(`${world.base}/console/api/stream`, {
    headers: { cookie: who.cookie },
    signal: aborter.signal,
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const heard: string[] = [];
  const reading = (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      heard.push(value);
    }
  })().catch(() => undefined);
  await expect.poll(() => heard.join('')).toContain('retry:');
  const { ring, publicEventsChannel } = await import('../../../jobs/index.ts');
  await fillProject(world, { projectId: elsewhere, text: 'theirs, too' });
  ring(world.ctx.store, publicEventsChannel);
  await expect.poll(() => heard.join(''), { timeout: 5_000 }).toContain('heartbeat');
  expect(heard.join('')).not.toContain('news');
  await fillProject(world, { projectId: world.projectId, text: 'ours' });
  ring(world.ctx.store, publicEventsChannel);
  await expect.poll(() => heard.join(''), { timeout: 5_000 }).toContain('event: news\ndata: 1\n');
  expect(heard.join('')).not.toMatch(/ours|theirs|orders/);
  aborter.abort();
  await reading;
});

it('has acquirer, bank and chain asked at once for an order, and nothing decided', async () => {
  const who = await world.anOperator('support', world.projectId);
  const { outcome } = await world.act(who, {
    action: 'orders.look',
    params: { orderId: here.payoutOrderId },
  });
  expect(outcome).toMatchObject({ status: 'done', result: { state: 'payout_submitted' } });
  const { rows } = await world.sql(
    `select kind, status from flows where key = $1`,
    here.payoutOrderId,
  );
  expect(rows).toEqual([{ kind: expect.stringContaining('offramp'), status: 'active' }]);
});

it('an address that was refused too often waits, whoever it is, and nobody else', async () => {
  world.clock.advance(60_000);
  const guess = () => world.call('POST', '/api/join/look', { body: { operatorId: randomUUID() } });
  for (let count = 0; count < refusalsMax; count++) expect((await guess()).status).toBe(401);
  const late = await guess();
  expect([late.status, Number(late.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  expect((await world.call('POST', '/api/sign-in/challenge')).status).toBe(429);
  world.clock.advance(60_000);
  expect((await guess()).status).toBe(401);
});

it('the health of the instance is for operators of every project: queues, parked news, and each hour of two days', async () => {
  const one = await world.anOperator('admin', world.projectId);
  expect((await get(one, '/health/hours')).status).toBe(403);
  const who = await world.anOperator('viewer');
  await world.sql(
    `insert into outbox_parked (reader, event_id, event, last_error, parked_at) select name, gen_random_uuid(), '{}', 'x', now() from outbox_readers limit 1`,
  );
  await world.sql(
    `update flows set last_error = 'The bank does not answer.' where id = (select id from flows where status = 'active' limit 1)`,
  );
  countCalls({ provider: 'node of a test', calls: 40, failures: 10 });
  await storeCallCounts(world.workerCtx);
  const { body } = await get(who, '/health');
  expect(body.providers).toContainEqual({
    provider: 'node of a test',
    hour: { calls: 40, failures: 10 },
    twoDays: { calls: 40, failures: 10 },
    lastFailureAt: expect.any(String),
  });
  expect(body.failing).toEqual([
    {
      kind: 'order-offramp',
      lastError: 'The bank does not answer.',
      count: 1,
      lastAt: expect.any(String),
    },
  ]);
  expect(body.webhooks).toEqual({
    due: expect.any(Number),
    waiting: expect.any(Number),
    oldestDueMs: expect.any(Number),
  });
  expect(body.due.map(({ kind }: { kind: string }) => kind)).toContain('order-offramp');
  const { rows } = await world.sql('select count(*)::int as count from outbox_parked');
  expect(
    body.readers.reduce((sum: number, { parked }: { parked: number }) => sum + parked, 0),
  ).toBe(rows[0]!.count);
  const hours = (await get(who, '/health/hours')).body;
  expect([hours.orders.length, hours.events.length]).toEqual([48, 48]);
  const orders = (
    await world.sql('select count(*)::int as count from orders where created_at >= $1', hours.since)
  ).rows[0]!.count;
  expect(hours.orders.reduce((sum: number, count: number) => sum + count, 0)).toBe(orders);
});

it('answers JSON where the console has no such route, and never its page', async () => {
  const who = await world.anOperator('viewer');
  for (const path of ['', '/', '/nothing', `/wallets/${randomUUID()}/nothing`]) {
    const { status, headers, body } = await get(who, path);
    expect([status, headers.get('content-type')?.split(';')[0], body.code], path).toEqual([
      404,
      'application/json',
      'route-not-found',
    ]);
  }
});
