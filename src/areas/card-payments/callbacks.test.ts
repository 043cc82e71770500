import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SignedCardCallback, sandboxCards } from '../../providers/card/index.ts';
import { aCard } from '../../providers/card/test-kit.ts';
import { pruneCardEvents, runSandboxCard } from './index.ts';
import { type CardApi, startCardApi } from './test-kit.ts';

let api: CardApi;
beforeAll(async () => {
  api = await startCardApi();
});
afterAll(() => api?.close());
beforeEach(() => {
  api.events.length = 0;
});

/** A payment that was just approved, and the callbacks about it as the acquirer would post them. */
async function approved() {
  const { sandbox } = api.ctx.providers.card!;
  const payment = await api.create();
  await sandbox!.pay({
    reference: payment.reference,
    clientSecret: payment.preparation.clientSecret!,
    card: aCard(sandboxCards.approved.number),
  });
  const callbacks: SignedCardCallback[] = [];
  await sandbox!.deliverCallbacks(async (callback) => Boolean(callbacks.push(callback)));
  return { payment, callback: callbacks.at(-1)! };
}

const post = (callback: SignedCardCallback, provider = 'sandbox') =>
  fetch(`${api.baseUrl}/callbacks/card/${provider}`, {
    method: 'POST',
    headers: callback.headers as Record<string, string>,
    body: new Uint8Array(callback.body),
  });

async function timesOf(reference: string) {
  const { rows } = await api.ctx.store.query<{ times: number }>({
    text: 'select times from card_callback_events where reference = $1',
    values: [reference],
  });
  return rows.map((row) => row.times);
}

test('a signed callback is answered with 200 and handed over; one that comes twice is handed over twice and counted once', async () => {
  const { payment, callback } = await approved();
  for (let time = 0; time < 2; time++) {
    const answer = await post(callback);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ received: true });
  }
  expect(api.events.map((event) => event.reference)).toEqual([
    payment.reference,
    payment.reference,
  ]);
  expect(await timesOf(payment.reference)).toEqual([2]);
});

test('a callback with a wrong signature is answered with 400, and nothing is done', async () => {
  const { payment, callback } = await approved();
  for (const headers of [{}, { 'sandbox-signature': `t=1,v1=${'0'.repeat(64)}` }])
    expect((await post({ ...callback, headers })).status).toBe(400);
  expect((await post({ ...callback, body: Buffer.from('{}') })).status).toBe(400);
  expect(api.events).toEqual([]);
  expect(await timesOf(payment.reference)).toEqual([]);
});

test('a callback that is recorded and sent again later is refused', async () => {
  const { callback } = await approved();
  api.clock.advance(5 * 60_000 + 1_000);
  expect((await post(callback)).status).toBe(400);
});

test('an acquirer that is not configured has no callbacks here', async () => {
  const { callback } = await approved();
  for (const provider of ['stripe', 'nobody', '%2e%2e'])
    expect((await post(callback, provider)).status).toBe(404);
  expect(api.events).toEqual([]);
});

test('when handling fails the acquirer is told so, and sends it again', async () => {
  const { payment, callback } = await approved();
  const { handle } = api;
  api.handle = async () => Promise.reject(new Error('the database is away'));
  expect((await post(callback)).status).toBe(500);
  api.handle = handle;
  expect(await timesOf(payment.reference)).toEqual([]);
  expect((await post(callback)).status).toBe(200);
  expect(api.events).toHaveLength(1);
});

test('the worker delivers what happens by itself, and again what was not taken', async () => {
  const payment = await api.create();
  const { sandbox } = api.ctx.providers.card!;
  await sandbox!.pay({
    reference: payment.reference,
    clientSecret: payment.preparation.clientSecret!,
    card: aCard(sandboxCards.slow.number),
  });
  await runSandboxCard(api.ctx, api.handle);
  api.events.length = 0;
  api.clock.advance(30_000);
  await runSandboxCard(api.ctx, async () => Promise.reject(new Error('the database is away')));
  expect(api.events).toEqual([]);
  api.clock.advance(30_000);
  await Promise.all([runSandboxCard(api.ctx, api.handle), runSandboxCard(api.ctx, api.handle)]);
  expect(new Set(api.events.map((event) => event.reference))).toEqual(new Set([payment.reference]));
  expect((await api.find(payment)).status).toBe('authorized');
});

test('events of three months ago are forgotten', async () => {
  const { payment, callback } = await approved();
  await post(callback);
  await pruneCardEvents(api.ctx);
  expect(await timesOf(payment.reference)).toHaveLength(1);
  api.clock.advance(91 * 86_400_000);
  await pruneCardEvents(api.ctx);
  expect(await timesOf(payment.reference)).toEqual([]);
});
