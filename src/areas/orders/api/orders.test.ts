import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallOptions } from '../../../../test/harness/http.ts';
import { issueKey } from '../../api-keys/index.ts';
import { decideRefundRequest } from '../legs/refund/requests.ts';
import { selectMoves, selectOrder } from '../state/store.ts';
import {
  type OrdersWorld,
  ordersPath as path,
  refused,
  startOrdersWorld,
} from '../testing/orders-kit.ts';

let world: OrdersWorld;
let stack: OrdersWorld['stack'];
let wallet: string;
let account: string;
beforeAll(async () => {
  world = await startOrdersWorld();
  ({ stack, wallet, account } = world);
}, 180_000);
afterAll(() => stack?.close());
beforeEach(() => world.settings({}));

const created: OrdersWorld['created'] = (...given) => world.created(...given);
const offramp: OrdersWorld['offramp'] = (...given) => world.offramp(...given);
const onramp: OrdersWorld['onramp'] = (...given) => world.onramp(...given);
const checkout: OrdersWorld['checkout'] = (...given) => world.checkout(...given);
const asClient: OrdersWorld['asClient'] = (...given) => world.asClient(...given);
const putInto: OrdersWorld['putInto'] = (...given) => world.putInto(...given);
describe('who reaches an order', () => {
  it('a server key of the project, or a client key with the secret of this order', {
    tags: 'slow',
  }, async () => {
    const [one, other] = [await created(), await created()];
    const get = (options: CallOptions) => stack.call('GET', `${path}/${one.id}`, options);
    expect((await get({})).body).toEqual(one.order);
    expect((await get(one.asClient)).body).toEqual(one.order);
    expect(await refused(get(other.asClient))).toEqual([404, undefined]);
    expect(await refused(get(asClient('os_made-up-secret-of-a-good-length')))).toEqual([
      404,
      undefined,
    ]);
    expect(await refused(get({ key: stack.api.clientKey }))).toEqual([401, 'not-authorized']);
    expect(
      await refused(get({ key: stack.api.clientKey, jwt: await stack.api.userJwt('alice') })),
    ).toEqual([401, 'not-authorized']);
    expect(
      await refused(
        stack.call('GET', `${path}/${one.id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`),
      ),
    ).toEqual([404, undefined]);
    expect(await refused(stack.call('GET', `${path}/nonsense`))).toEqual([404, undefined]);
  });

  it('a key without the scope does not', async () => {
    const { id } = await created();
    const { key } = await issueKey(stack.ctx, {
      projectId: stack.api.projectId,
      kind: 'server',
      scopes: ['orders.create'],
    });
    for (const [method, below] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/payment'],
    ] as const)
      expect(
        (
          await stack.call(method, `${path}/${id}${below}`, {
            key,
            ...(method !== 'GET' && { body: {} }),
          })
        ).status,
        method,
      ).toBe(403);
  });
});

describe('PATCH orders/{orderId}', () => {
  const patch = (id: string, body: unknown, options: CallOptions = {}) =>
    stack.call('PATCH', `${path}/${id}`, { body, ...options });

  it('the language and the address for receipts change alone', async () => {
    const { id, order, asClient: client } = await created();
    const { status, body } = await patch(
      id,
      { locale: 'fr-FR', payment: { ...offramp().payment, receiptEmail: 'new@example.com' } },
      client,
    );
    expect([status, body]).toEqual([
      200,
      { ...order, locale: 'fr-FR', payment: { ...order.payment, receiptEmail: 'new@example.com' } },
    ]);
  });

  it('another rail or chain makes a new quote and new instructions, with the memo that was given out', {
    tags: 'slow',
  }, async () => {
    const { id, order } = await created();
    stack.advanceClock(60_000);
    const wired = await patch(id, { recipient: { paymentMethodId: account, rail: 'wire' } });
    expect(wired.body).toMatchObject({ phase: 'payment', payment: { status: 'awaiting-payment' } });
    expect(wired.body.lineItems[0].executionParams.effectiveAmount).toBe('94');
    expect(Date.parse(wired.body.quote.expiresAt)).toBeGreaterThan(
      Date.parse(order.quote.expiresAt),
    );
    const moved = await patch(id, {
      payment: { ...offramp().payment, method: 'ethereum-sepolia' },
    });
    expect(moved.body.payment.preparation).toMatchObject({
      chain: 'ethereum-sepolia',
      transactionParameters: { memo: order.payment.preparation.transactionParameters.memo },
    });
  });

  it('what was missing completes an order', async () => {
    const { id } = await created(checkout({ recipient: undefined }));
    const { status, body } = await patch(id, { recipient: { walletAddress: wallet } });
    expect([status, body.quote.status, body.phase]).toEqual([200, 'valid', 'payment']);
  });

  it.each<[string, unknown, number, string]>([
    ['line items', { lineItems: [] }, 409, 'order-not-editable'],
    ['nothing', {}, 400, 'validation-error'],
    ['an unknown field', { phase: 'completed' }, 400, 'validation-error'],
    [
      'a payment that is not whole',
      { payment: { receiptEmail: 'a@example.com' } },
      400,
      'validation-error',
    ],
    ['a card', { payment: { method: 'card' } }, 400, 'payment-method-not-supported'],
    [
      'a recipient of another kind',
      { recipient: { walletAddress: `0x${'12'.repeat(20)}` } },
      400,
      'validation-error',
    ],
  ])('%s cannot be changed', async (_, body, status, code) => {
    const { id } = await created();
    expect(await refused(patch(id, body))).toEqual([status, code]);
  });

  it('the address for receipts cannot be taken away from an order that is paid by card', async () => {
    const { id } = await created(onramp());
    const { status, body } = await patch(id, { payment: { method: 'card' } });
    expect([status, body.code]).toEqual([400, 'validation-error']);
    expect(body.message).toContain('body.payment.receiptEmail is missing');
    expect((await stack.call('GET', `${path}/${id}`)).body.payment.receiptEmail).toBe(
      'alice@example.com',
    );
  });

  it('an order that is paid, or whose quote has expired, stays as it is', async () => {
    const { id } = await created();
    await putInto(id, 'deposit_seen');
    expect(await refused(patch(id, { locale: 'fr-FR' }))).toEqual([409, 'order-not-editable']);
    const { id: late } = await created();
    stack.advanceClock(11 * 60_000);
    expect(await refused(patch(late, { locale: 'fr-FR' }))).toEqual([409, 'order-not-editable']);
  });
});

describe('POST orders/{orderId}/payment', () => {
  const txId = (nr: number) => `0x${nr.toString(16).padStart(64, 'A')}`;
  const post = (id: string, tx: string, options: CallOptions = {}) =>
    stack.call('POST', `${path}/${id}/payment`, {
      body: { type: 'crypto-tx-id', txId: tx },
      ...options,
    });

  it('a transaction belongs to one order, however it is written; the same again is harmless', async () => {
    const [one, other] = [await created(), await created()];
    expect((await post(one.id, txId(1), one.asClient)).status).toBe(200);
    expect((await post(one.id, txId(1).toLowerCase())).status).toBe(200);
    expect(await refused(post(other.id, txId(1)))).toEqual([409, 'tx-id-already-used']);
    expect((await selectOrder(stack.ctx.store, { by: 'id', id: one.id }))!.facts.postedTxId).toBe(
      txId(1).toLowerCase(),
    );
  });

  it('the user who made the order may post it with their JWT, nobody else may', async () => {
    const client = { key: stack.api.clientKey, jwt: await stack.api.userJwt('alice') };
    const { id } = await created(offramp(), client);
    expect((await post(id, txId(2), client)).status).toBe(200);
    expect(
      await refused(
        post(id, txId(3), { key: stack.api.clientKey, jwt: await stack.api.userJwt('bob') }),
      ),
    ).toEqual([404, undefined]);
    expect(await refused(post(id, txId(3), { key: stack.api.clientKey }))).toEqual([
      401,
      'not-authorized',
    ]);
  });

  it('is refused where nothing is to be paid', async () => {
    const { id: card } = await created(onramp());
    expect(await refused(post(card, txId(4)))).toEqual([400, 'payment-method-not-supported']);
    const { id: paid } = await created();
    await putInto(paid, 'deposit_final');
    expect(await refused(post(paid, txId(4)))).toEqual([409, 'order-not-editable']);
    const { id: early } = await created(
      checkout({ payment: { method: 'base-sepolia', currency: 'usdc' } }),
    );
    expect(await refused(post(early, txId(4)))).toEqual([409, 'order-not-editable']);
    const { id: late } = await created();
    expect(await refused(post(late, 'short'))).toEqual([400, 'validation-error']);
    for (const id of [`0x${'zz'.repeat(32)}`, `0x${'ab'.repeat(31)}`])
      expect(await refused(post(late, id))).toEqual([400, 'validation-error']);
    stack.advanceClock(10 * 60_000 + 1);
    expect(await refused(post(late, txId(4)))).toEqual([409, 'quote-expired']);
  });
});

describe('after the delivery', () => {
  const below = (id: string, what: string) => `/unstable/orders/${id}/${what}`;
  const deliveredAt = '2026-01-15T12:00:00.000Z';

  it('a refund can be asked for once, and of what was delivered only', {
    tags: 'slow',
  }, async () => {
    const { id } = await created(onramp());
    const ask = (body: unknown = { lineItem: 0, reason: 'wrong token' }) =>
      stack.call('POST', below(id, 'refunds'), { body });
    expect(await refused(ask())).toEqual([409, 'refund-not-allowed']);
    await putInto(id, 'delivering');
    expect(await refused(ask())).toEqual([409, 'refund-not-allowed']);
    await putInto(id, 'delivered', { deliveredAt });
    expect(await refused(ask({ lineItem: 1, reason: 'x' }))).toEqual([400, 'validation-error']);
    expect(await refused(ask({ lineItem: 0 }))).toEqual([400, 'validation-error']);
    const request = {
      orderId: id,
      lineItem: 0,
      reason: 'wrong token',
      status: 'refund-request-initiated',
    };
    expect(await ask()).toMatchObject({ status: 201, body: request });
    expect(await refused(ask())).toEqual([409, 'refund-not-allowed']);
    expect((await stack.call('GET', below(id, 'refunds?lineItem=0'))).body).toEqual([request]);
    expect((await stack.call('GET', below(id, 'refunds?lineItem=1'))).body).toEqual([]);
    expect(
      (await stack.call('POST', below(id, 'refunds'), { key: stack.api.clientKey, body: {} }))
        .status,
    ).toBe(403);
  });

  it('a refund request is accepted and completed, or rejected, by an operator who says why', async () => {
    const { id } = await created();
    const note = 'agreed with the payer';
    const decide = (
      decision: 'accepted' | 'rejected' | 'completed',
      projectId = stack.api.projectId,
    ) => decideRefundRequest(stack.ctx, { projectId, orderId: id, decision, note });
    const statuses = async () =>
      (await stack.call('GET', below(id, 'refunds'))).body.map(({ status }: { status: string }) =>
        status.replace('refund-request-', ''),
      );
    await putInto(id, 'payout_final', { deliveredAt: '2026-01-15T12:00:00Z' });
    const ask = () =>
      stack.call('POST', below(id, 'refunds'), { body: { lineItem: 0, reason: 'wrong account' } });
    await expect(decide('accepted')).rejects.toMatchObject({ code: 'refund-not-allowed' });
    await ask();
    await expect(decide('completed')).rejects.toMatchObject({ code: 'refund-not-allowed' });
    await expect(decide('accepted', stack.ctx.ids.randomUuid())).rejects.toMatchObject({
      code: 'order-not-found',
    });
    await decide('rejected');
    expect(await statuses()).toEqual(['rejected']);
    await ask();
    await decide('accepted');
    await decide('completed');
    expect(await statuses()).toEqual(['rejected', 'completed']);
    const moves = await selectMoves(stack.ctx.store, id);
    expect(
      moves
        .filter(({ event }) => event.startsWith('refund-request-'))
        .map(({ event, note: said }) => [event, said]),
    ).toEqual(
      ['rejected', 'accepted', 'completed'].map((decision) => [
        `refund-request-${decision}`,
        `operator: ${note}`,
      ]),
    );
  });

  it('a refund of an order that was settled by hand is accepted and completed by hand, too', async () => {
    const { id } = await created(checkout());
    await putInto(id, 'delivered', { deliveredAt });
    const ask = () =>
      stack.call('POST', below(id, 'refunds'), { body: { lineItem: 0, reason: 'broken' } });
    expect((await ask()).status).toBe(201);
    await putInto(id, 'closed');
    const decide = (decision: 'accepted' | 'completed') =>
      decideRefundRequest(stack.ctx, {
        projectId: stack.api.projectId,
        orderId: id,
        decision,
        note: 'sent by hand',
      });
    expect([(await decide('accepted')).status, (await decide('completed')).status]).toEqual([
      'accepted',
      'completed',
    ]);
    expect((await selectOrder(stack.ctx.store, { by: 'id', id }))!.state).toBe('closed');
    expect(await refused(ask())).toEqual([409, 'refund-not-allowed']);
  });

  it('a refund can be asked for after the excess of a deposit went back, not after the deposit itself did', async () => {
    const refunded = { amountMinor: '5000000', currency: 'usdc', decimals: 6 };
    const ask = (id: string) =>
      stack.call('POST', below(id, 'refunds'), { body: { lineItem: 0, reason: 'never arrived' } });
    const { id: over } = await created();
    await putInto(over, 'payout_settled', { deliveredAt, refunded });
    expect((await ask(over)).status).toBe(201);
    const { id: back } = await created();
    await putInto(back, 'refunded', { deliveredAt, refunded });
    expect(await refused(ask(back))).toEqual([409, 'refund-not-allowed']);
  });

  it('tracking is empty until the tokens are there', async () => {
    const { id } = await created(onramp());
    expect((await stack.call('GET', below(id, 'tracking'))).body).toEqual([]);
    await putInto(id, 'delivered', { deliveredAt, txId: '0x01', deliveredMinor: '95800000' });
    expect((await stack.call('GET', below(id, 'tracking'))).body).toEqual([
      {
        status: 'delivered',
        deliveryTimeRange: { lowerBound: deliveredAt, upperBound: deliveredAt },
      },
    ]);
    const { body } = await stack.call('GET', `${path}/${id}`);
    expect(body.lineItems[0].delivery).toMatchObject({
      status: 'completed',
      completedAt: deliveredAt,
      txId: '0x01',
      recipient: { walletAddress: wallet, locator: `base-sepolia:${wallet}` },
      tokens: [
        {
          symbol: 'usdc',
          quantity: '95.8',
          decimals: 6,
          contractAddress: expect.stringMatching(/^0x/),
          locator: expect.stringMatching(/^base-sepolia:0x/),
        },
      ],
    });
    expect(await refused(stack.call('GET', below('nonsense', 'tracking')))).toEqual([
      404,
      undefined,
    ]);
  });
});

it('what an order said about paying is not said any more once it is paid', async () => {
  const { id, order } = await created();
  expect(order.payment.preparation).toHaveProperty('serializedTransaction');
  for (const state of ['screened', 'payout_final', 'refunded'] as const) {
    await putInto(id, state);
    expect((await stack.call('GET', `${path}/${id}`)).body.payment).not.toHaveProperty(
      'preparation',
    );
  }
});

it('metadata that is echoed in every answer is at most 16 KiB', async () => {
  expect(
    (await stack.call('POST', path, { body: checkout({ metadata: { a: 'x'.repeat(16_000) } }) }))
      .status,
  ).toBe(201);
  const { status, body } = await stack.call('POST', path, {
    body: checkout({ metadata: { a: 'x'.repeat(17_000) } }),
  });
  expect([status, body.message]).toEqual([400, expect.stringContaining('16 KiB')]);
});
