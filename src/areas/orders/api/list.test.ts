import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/harness/http.ts';
import { uuidV7 } from '../../../lib/id.ts';
import { issueKey } from '../../api-keys/index.ts';
import { type OrderState, orderKinds, orderStatesOf } from '../state/machine.ts';
import type { OrderRecord } from '../state/types.ts';
import { anOrderRecord, insertOrders } from '../testing/list-kit.ts';
import { orderRoutes } from './routes.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: orderRoutes });
});
afterAll(() => api?.close());
beforeEach(() =>
  api.ctx.store.query({
    text: 'delete from orders where project_id = $1',
    values: [api.projectId],
  }),
);

const startMs = Date.parse('2026-01-15T12:00:00Z');
let count = 0;

function anOrder(over: Partial<OrderRecord> = {}): OrderRecord {
  const createdAt = over.createdAt ?? new Date(startMs + count * 1_000);
  count += 1;
  const random = Buffer.alloc(10, 0);
  random.writeUInt32BE(count, 4);
  return anOrderRecord({
    id: uuidV7(createdAt.getTime(), random),
    projectId: api.projectId,
    ...over,
    createdAt,
  });
}

async function stored(...orders: OrderRecord[]): Promise<string[]> {
  await api.ctx.store.transaction((tx) => insertOrders(tx, orders));
  return orders.map(({ id }) => id);
}

type Query = Readonly<Record<string, string | undefined>>;
const list = (query: Query = {}) =>
  api.call(
    'GET',
    `/2022-06-09/orders?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]])))}`,
  );
const idsOf = async (query: Query = {}): Promise<string[]> => {
  const { status, body, text } = await list(query);
  expect(status, text).toBe(200);
  return body.data.map(({ orderId }: { orderId: string }) => orderId);
};

describe('GET orders', () => {
  it('lists the orders of the project, newest first, each as GET answers it', async () => {
    const ids = await stored(
      anOrder(),
      anOrder({ kind: 'offramp', state: 'awaiting_deposit' }),
      anOrder(),
    );
    await stored(anOrder({ projectId: randomUUID() }));
    const { body } = await list();
    expect(body.data.map(({ orderId }: { orderId: string }) => orderId)).toEqual(ids.toReversed());
    expect(body).toMatchObject({ nextCursor: null, previousCursor: null });
    expect(body.data[0]).toEqual((await api.call('GET', `/2022-06-09/orders/${ids[2]}`)).body);
    expect(await idsOf({ sort: 'asc' })).toEqual(ids);
  });

  const states: [OrderState, string, string][] = [
    ['incomplete', 'quote-phase', 'not-started'],
    ['payer_needed', 'quote-phase', 'not-started'],
    ['payer_short', 'quote-phase', 'not-started'],
    ['payer_short_of_gas', 'quote-phase', 'not-started'],
    ['email_needed', 'in-progress', 'not-started'],
    ['kyc_needed', 'in-progress', 'not-started'],
    ['kyc_review', 'in-progress', 'not-started'],
    ['kyc_manual', 'in-progress', 'not-started'],
    ['proof_needed', 'in-progress', 'not-started'],
    ['awaiting_payment', 'in-progress', 'not-started'],
    ['capturing', 'in-progress', 'not-started'],
    ['quote_expired', 'expired', 'not-started'],
    ['kyc_failed', 'declined', 'not-started'],
    ['payment_failed', 'declined', 'not-started'],
    ['delivering', 'succeeded', 'in-progress'],
    ['delivered', 'succeeded', 'delivered'],
    ['refunding', 'succeeded', 'failed'],
    ['refunded', 'refunded', 'failed'],
  ];
  it.each(states)('%s is found under %s and %s', async (state, payment, delivery) => {
    const [id] = await stored(anOrder({ state }));
    for (const bucket of [
      'quote-phase',
      'in-progress',
      'succeeded',
      'declined',
      'expired',
      'refunded',
    ])
      expect(await idsOf({ paymentStatus: bucket }), bucket).toEqual(
        bucket === payment ? [id] : [],
      );
    for (const bucket of ['not-started', 'in-progress', 'partial-delivery', 'delivered', 'failed'])
      expect(await idsOf({ deliveryStatus: bucket }), bucket).toEqual(
        bucket === delivery ? [id] : [],
      );
    expect(
      await idsOf({
        paymentStatus: `refunded,${payment}`,
        deliveryStatus: `partial-delivery,${delivery}`,
      }),
    ).toEqual([id]);
  });

  it('every state of every kind is in the buckets that the interface gives to its raw statuses, and in no other', async () => {
    await stored(
      ...orderKinds.flatMap((kind) => orderStatesOf(kind).map((state) => anOrder({ kind, state }))),
    );
    const { body } = await list({ limit: '100' });
    expect(body.nextCursor).toBeNull();
    const waiting = [
      'requires-quote',
      'requires-crypto-payer-address',
      'crypto-payer-insufficient-funds',
      'crypto-payer-insufficient-funds-for-gas',
    ];
    const open = [
      'awaiting-payment',
      'in-progress',
      'requires-email',
      'requires-recipient-verification',
      'requires-kyc',
      'manual-kyc',
      'pending-kyc-review',
    ];
    const payments: Record<string, string[]> = {
      'quote-phase': waiting,
      'in-progress': open,
      succeeded: ['completed'],
      declined: ['failed-kyc', 'failed'],
      refunded: ['refunded'],
    };
    const deliveries: Record<string, string[]> = {
      'not-started': ['awaiting-payment'],
      'in-progress': ['in-progress'],
      delivered: ['completed'],
      failed: ['failed'],
    };
    const idsWhere = (fits: (order: any) => boolean): string[] =>
      body.data.filter(fits).map(({ orderId }: { orderId: string }) => orderId);
    const isExpired = ({ phase, quote }: any) => phase === 'quote' && quote.status === 'expired';
    for (const [bucket, raw] of Object.entries(payments))
      expect(await idsOf({ limit: '100', paymentStatus: bucket }), bucket).toEqual(
        idsWhere((order) => !isExpired(order) && raw.includes(order.payment.status)),
      );
    expect(await idsOf({ limit: '100', paymentStatus: 'expired' })).toEqual(idsWhere(isExpired));
    for (const [bucket, raw] of Object.entries(deliveries))
      expect(await idsOf({ limit: '100', deliveryStatus: bucket }), bucket).toEqual(
        idsWhere(({ lineItems: [item] }) => raw.includes(item.delivery.status)),
      );
    for (const query of [
      { paymentStatus: Object.keys(payments).join() },
      { deliveryStatus: Object.keys(deliveries).join() },
    ])
      expect((await idsOf({ limit: '100', ...query })).length).toBe(
        body.data.length - ('paymentStatus' in query ? idsWhere(isExpired).length : 0),
      );
  });

  it('finds a Solana wallet by its exact address', async () => {
    const solana = 'So11111111111111111111111111111111111111112';
    const [id] = await stored(
      anOrder({ kind: 'checkout', state: 'delivered', recipientKey: solana }),
      anOrder({ recipientKey: solana.slice(1) }),
    );
    expect(await idsOf({ recipientAddress: solana })).toEqual([id]);
    expect(await idsOf({ recipientAddress: solana.toLowerCase() })).toEqual([]);
  });

  it('every filter that is sent has to fit, and any of its terms may', async () => {
    const [a, b] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];
    const [card, chain, other] = await stored(
      anOrder({ state: 'delivered', paidCurrency: 'eur', recipientKey: a }),
      anOrder({ state: 'delivered', paidCurrency: 'usdc', recipientKey: b }),
      anOrder({ state: 'refunded', paidCurrency: 'usd', recipientKey: b }),
    );
    await stored(anOrder());
    expect(await idsOf({ paymentMethod: 'fiat' })).toEqual([other, card]);
    expect(await idsOf({ paymentMethod: 'USDC,eur' })).toEqual([chain, card]);
    expect(await idsOf({ paymentMethod: 'fiat', paymentStatus: 'succeeded' })).toEqual([card]);
    expect(await idsOf({ recipientAddress: b })).toEqual([other, chain]);
    expect(
      await idsOf({
        recipientAddress: `${a},${b}`,
        paymentMethod: 'usdc,usd',
        deliveryStatus: 'delivered',
      }),
    ).toEqual([chain]);
    expect(await idsOf({ orderId: `${card},${chain!.toUpperCase()},${randomUUID()}` })).toEqual([
      chain,
      card,
    ]);
    expect(
      await idsOf({
        orderId: `${card},${chain}`,
        recipientAddress: a,
        paymentMethod: 'eur',
        paymentStatus: 'succeeded',
      }),
    ).toEqual([card]);
    expect(await idsOf({ orderId: card!, paymentStatus: 'refunded' })).toEqual([]);
  });

  it('refuses a filter that it does not know: nobody takes an unfiltered list for a filtered one', async () => {
    const { status, body } = await api.call('GET', '/2022-06-09/orders?paymentstatus=expired', {
      key: api.serverKey,
    });
    expect([status, body.code, body.message]).toEqual([
      400,
      'validation-error',
      expect.stringContaining('paymentstatus'),
    ]);
  });

  it('takes 20 terms per filter and no more', async () => {
    const [id] = await stored(anOrder({ paidCurrency: 'usd' }));
    const terms = (size: number, word: (nr: number) => string) =>
      Array.from({ length: size }, (_, nr) => word(nr)).join(',');
    const ids = (size: number) => `${id},${terms(size - 1, () => randomUUID())}`;
    expect(await idsOf({ orderId: ids(20) })).toEqual([id]);
    expect(await idsOf({ paymentMethod: `usd,${terms(19, (nr) => `t${nr}`)}` })).toEqual([id]);
    for (const query of [
      { orderId: ids(21) },
      { paymentMethod: terms(21, (nr) => `t${nr}`) },
      { paymentStatus: terms(21, () => 'expired') },
      { deliveryStatus: terms(21, () => 'failed') },
      { recipientAddress: terms(21, () => `0x${'a'.repeat(40)}`) },
    ]) {
      const { status, body } = await list(query);
      expect([status, body.code, body.message], JSON.stringify(query)).toEqual([
        400,
        'validation-error',
        expect.stringContaining('at most 20'),
      ]);
    }
  });

  it.each([
    { paymentStatus: 'completed' },
    { paymentStatus: 'succeeded,' },
    { deliveryStatus: 'succeeded' },
    { orderId: 'not-a-uuid' },
    { recipientAddress: 'alice' },
    { limit: '0' },
    { limit: '101' },
    { sort: 'newest' },
    { cursor: 'made-up' },
  ])('%o is refused', async (query) => {
    const { status, body } = await list(query);
    expect([status, body.code]).toEqual([400, 'validation-error']);
  });

  it.each(['desc', 'asc'] as const)(
    'pages %s are stable while orders are created, in both directions',
    async (sort) => {
      const at = (nr: number) => new Date(startMs + Math.floor(nr / 3) * 1_000);
      // Three share each instant: their ids decide.
      const ids = await stored(
        ...Array.from({ length: 25 }, (_, nr) => anOrder({ createdAt: at(nr) })),
      );
      const expected = (await idsOf({ limit: '100', sort })) as string[];
      expect(new Set(expected)).toEqual(new Set(ids));
      const pages: string[][] = [];
      const previous: (string | null)[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await list({ limit: '7', sort, ...(cursor !== '' && { cursor }) });
        pages.push(body.data.map(({ orderId }: { orderId: string }) => orderId));
        previous.push(body.previousCursor);
        cursor = body.nextCursor;
        // Newer and older than everything that is there, and in the middle of it: a transaction
        // that took its time.
        await stored(
          anOrder({ createdAt: new Date(startMs + 1e9 + count) }),
          anOrder({ createdAt: new Date(startMs - 1e9 - count) }),
          anOrder({ createdAt: at(12) }),
        );
      }
      const seen = pages.flat().filter((id) => expected.includes(id));
      expect(seen).toEqual(expected);
      expect(new Set(pages.flat()).size).toBe(pages.flat().length);
      expect(previous[0]).toBeNull();
      // Back again, with room for what has come meanwhile: nothing that was there is gone.
      const back = await list({ limit: '100', sort, cursor: previous[2]! });
      const backIds: string[] = back.body.data.map(({ orderId }: { orderId: string }) => orderId);
      const before = pages.slice(0, 2).flat();
      expect(backIds.filter((id) => before.includes(id))).toEqual(before);
      expect(backIds.some((id) => pages.slice(2).flat().includes(id))).toBe(false);
    },
  );

  it('a page has 30 orders unless another size is asked for, 100 at most', async () => {
    await stored(...Array.from({ length: 101 }, () => anOrder()));
    for (const [query, size] of [
      [{}, 30],
      [{ limit: '1' }, 1],
      [{ limit: '100' }, 100],
    ] as const) {
      const { body } = await list(query);
      expect([body.data.length, body.nextCursor]).toEqual([size, expect.any(String)]);
    }
  });

  it('a cursor is good for the filters it came from only', async () => {
    await stored(...Array.from({ length: 5 }, () => anOrder({ state: 'delivered' })));
    const { body } = await list({ limit: '2', paymentStatus: 'succeeded,refunded' });
    const next = { cursor: body.nextCursor as string };
    expect(
      (await list({ ...next, limit: '3', paymentStatus: 'refunded,succeeded' })).body.data,
    ).toHaveLength(3);
    for (const query of [
      {},
      { paymentStatus: 'succeeded' },
      { paymentStatus: 'refunded,succeeded', sort: 'asc' },
      { deliveryStatus: 'delivered' },
    ]) {
      const { status, body: refused } = await list({ ...next, ...query });
      expect([status, refused.message], JSON.stringify(query)).toEqual([
        400,
        expect.stringContaining('another query'),
      ]);
    }
  });

  it('needs a server key with orders.read, and orders stands for it', async () => {
    const { body, status } = await api.call('GET', '/2022-06-09/orders', { key: api.clientKey });
    expect([status, body.code]).toEqual([403, 'forbidden']);
    for (const [scopes, expected] of [
      [['orders'], 200],
      [['orders.read'], 200],
      [['orders.create', 'orders.update'], 403],
    ] as const) {
      const { key } = await issueKey(api.ctx, {
        projectId: api.projectId,
        kind: 'server',
        scopes: [...scopes],
      });
      expect((await api.call('GET', '/2022-06-09/orders', { key })).status, scopes.join()).toBe(
        expected,
      );
    }
  });
});
