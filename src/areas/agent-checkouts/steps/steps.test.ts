import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/harness/http.ts';
import { recordCall } from '../../../../test/harness/recorder.ts';
import { createManualClock } from '../../../lib/clock.ts';
import { eraseUser } from '../../users/index.ts';
import { forgetCheckouts } from '../erase.ts';
import { liveRoutes } from '../live/live-routes.ts';
import { startTestRun, type TestRun } from '../live/test-kit.ts';
import { agentCheckoutRoutes } from '../routes.ts';
import { createPicturePruner } from './picture-retention.ts';

const dayMs = 86_400_000;
/** Ids have the machine's time: so has the clock at the start. */
const clock = createManualClock(new Date(Math.floor(Date.now() / 1_000) * 1_000));
const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600', 'hex'),
  Buffer.from('ann@mail.example, 12 Main Street'),
]);

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    routes: agentCheckoutRoutes,
    clock,
    server: { publicRoutes: liveRoutes },
  });
});
afterAll(() => api?.close());

/** With two steps, and a picture after the first. */
async function ranRun(user: string): Promise<TestRun> {
  const run = await startTestRun(api, { user });
  await run.step('open');
  await run.step('open', jpeg);
  await run.step('select');
  return run;
}
const origin = () => new URL(api.baseUrl).origin;
const picture = async (run: TestRun, nr: string, user?: string) => {
  const url = `${api.baseUrl}/unstable/agent-checkouts/${run.id}/steps/${nr}/picture`;
  const headers = {
    'x-api-key': api.clientKey,
    authorization: `Bearer ${await api.userJwt(user ?? 'ann')}`,
  };
  const answer = await fetch(url, { headers });
  recordCall({ method: 'GET', url, headers, status: answer.status });
  return answer;
};
const replay = (path: string, token?: string) =>
  fetch(
    `${origin()}${path}`,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );

describe('the step log', () => {
  test('is listed oldest first, in pages, for its user only', async () => {
    const run = await ranRun('ann');
    const first = (await run.call('GET', `/${run.id}/steps?limit=2`)).body;
    expect(first.data).toEqual([
      {
        nr: 1,
        step: 'open',
        at: clock.now().toISOString(),
        url: 'https://shop.example/cart',
        detail: { title: 'At open' },
        hasPicture: false,
      },
      expect.objectContaining({ nr: 2, step: 'open', hasPicture: true }),
    ]);
    const second = (await run.call('GET', `/${run.id}/steps?limit=2&cursor=${first.nextCursor}`))
      .body;
    expect(second).toEqual({
      data: [expect.objectContaining({ nr: 3, step: 'select' })],
      nextCursor: null,
    });
    expect((await run.call('GET', `/${run.id}/steps?cursor=x`)).status).toBe(400);
    // Whoever can read one can write one.
    const place = JSON.parse(Buffer.from(first.nextCursor, 'base64url').toString());
    for (const far of [2 ** 31, 8.64e15, -1, 0.5, '9']) {
      const entries = Object.entries(place).map(([name, value]) => [
        name,
        typeof value === 'number' ? far : value,
      ]);
      const cursor = Buffer.from(JSON.stringify(Object.fromEntries(entries))).toString('base64url');
      const { status } = await run.call('GET', `/${run.id}/steps?cursor=${cursor}`);
      expect([far, status]).toEqual([far, 400]);
    }
    const eve = await startTestRun(api, { user: 'eve' });
    expect((await eve.call('GET', `/${run.id}/steps`)).body).toMatchObject({
      statusCode: 404,
      code: 'checkout-not-found',
    });
    for (const one of [run, eve]) await one.end();
  });

  test('has pictures, for its user only', async () => {
    const run = await ranRun('ann');
    const answer = await picture(run, '2');
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('cache-control'),
    ]).toEqual([200, 'image/jpeg', 'no-store']);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(jpeg);
    expect((await picture(run, '2', 'eve')).status).toBe(404);
    const none = await picture(run, '1');
    expect([none.status, await none.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'picture-not-found' }),
    ]);
    expect((await picture(run, '9')).status).toBe(404);
    expect((await picture(run, 'x')).status).toBe(400);
    await run.end();
  });
});

describe('a picture in the database', () => {
  const stored = async (run: TestRun) =>
    (
      await api.ctx.store.query<{ nr: number; picture: Buffer }>({
        text: 'select nr, picture from agent_checkout_steps where checkout_id = $1 and picture is not null order by nr',
        values: [run.id],
      })
    ).rows;

  test('is sealed: it is no JPEG, and nothing of it can be read; its user gets the JPEG', async () => {
    const run = await ranRun('ann');
    await run.step('select', jpeg);
    const rows = await stored(run);
    expect(rows.map(({ nr }) => nr)).toEqual([2, 4]);
    for (const { nr, picture: sealed } of rows) {
      expect(sealed.subarray(0, 3).toString('hex')).not.toBe('ffd8ff');
      for (const part of ['JFIF', 'ann@mail.example', 'Main Street'])
        expect(sealed.includes(part)).toBe(false);
      expect(Buffer.from(await (await picture(run, `${nr}`)).arrayBuffer())).toEqual(jpeg);
    }
    expect(rows[0]!.picture.equals(rows[1]!.picture)).toBe(false);
    // In another line it is nobody's picture.
    const text = 'update agent_checkout_steps set picture = $2 where checkout_id = $1 and nr = 4';
    await api.ctx.store.query({ text, values: [run.id, rows[0]!.picture] });
    expect((await picture(run, '4')).status).toBe(500);
    await run.end();
  });

  test('is there once when it is sent twice, and is seen by nobody when it was written before pictures were sealed', async () => {
    const run = await ranRun('ann');
    await run.step('open', jpeg);
    expect((await stored(run)).map(({ nr }) => nr)).toEqual([2]);
    await api.ctx.store.query({
      text: 'update agent_checkout_steps set picture = $2 where checkout_id = $1 and nr = 2',
      values: [run.id, jpeg],
    });
    expect((await picture(run, '2')).status).toBe(404);
    await run.end('succeeded');
  });
});

describe('the replay', () => {
  test('opens with the token of the live page once the checkout is over, with steps, pictures and receipt', async () => {
    const run = await ranRun('ann');
    const { path, token } = await run.link();
    expect((await replay(`${path}/replay`, token)).status).toBe(404);
    await run.end('succeeded');
    const log = await (await replay(`${path}/replay`, token)).json();
    expect(log).toMatchObject({
      status: 'succeeded',
      receipt: {
        total: { amount: '42.00', currency: 'USD' },
        merchantOrderId: 'A-1001',
        evidence: { confirmationText: 'Thank you!' },
      },
      steps: [{ nr: 1 }, { nr: 2, hasPicture: true }, { nr: 3 }],
    });
    expect(Buffer.from(await (await replay(`${path}/replay/2`, token)).arrayBuffer())).toEqual(
      jpeg,
    );
    expect((await run.call('GET', `/${run.id}/steps`)).body.replayUrl).toBe(`${path}#${token}`);
    const other = await ranRun('ann');
    const wrong = (await other.link()).token;
    for (const [below, sent] of [
      ['/replay', undefined],
      ['/replay', wrong],
      ['/replay/2', wrong],
      ['/replay/1', token],
      ['/replay/x', token],
    ] as const)
      expect((await replay(`${path}${below}`, sent)).status).toBe(404);
    await other.end();
  });

  test('and the pictures are gone when their time is over; the steps stay', async () => {
    const run = await ranRun('ann');
    const { path, token } = await run.link();
    await run.end();
    const pruner = createPicturePruner(api.ctx);
    clock.advance(29 * dayMs);
    await pruner.run();
    expect((await picture(run, '2')).status).toBe(200);
    clock.advance(2 * dayMs);
    const young = await ranRun('ann');
    expect(await pruner.run()).toBeGreaterThan(0);
    expect((await picture(run, '2')).status).toBe(404);
    expect((await picture(young, '2')).status).toBe(200);
    expect((await run.call('GET', `/${run.id}/steps`)).body).toEqual({
      data: [1, 2, 3].map((nr) => expect.objectContaining({ nr, hasPicture: false })),
      nextCursor: null,
    });
    expect((await replay(`${path}/replay`, token)).status).toBe(404);
    clock.advance(40 * dayMs);
    await pruner.run();
    expect((await picture(young, '2')).status).toBe(404);
    await young.end();
  });

  test('and everything else of it is gone with its user', async () => {
    const run = await ranRun('zoe');
    const { path, token } = await run.link();
    await run.end();
    await eraseUser(api.ctx, {
      projectId: api.projectId,
      locator: 'userId:zoe',
      eraseElsewhere: async () => false,
      onErase: async (tx, { userIds }) => void (await forgetCheckouts(tx, { userIds })),
    });
    const { rows } = await api.ctx.store.query({
      text: 'select nr from agent_checkout_steps where checkout_id = $1',
      values: [run.id],
    });
    expect(rows).toEqual([]);
    expect((await replay(`${path}/replay`, token)).status).toBe(404);
  });
});
