import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/harness/http.ts';
import {
  gatewaySeeds,
  startTestGateway,
  type TestGateway,
} from '../../../../test/harness/runner-gateway.ts';
import { sealRows } from '../../../../test/harness/seal-rows.ts';
import { pruneNonces } from '../../../http/routes/signed-routes.ts';
import { createManualClock } from '../../../lib/clock.ts';
import { internalWindowMs } from '../../../lib/net/signed-requests.ts';
import { createSandboxIssuer } from '../../../providers/card-source/index.ts';
import type { LinkAnswer, WireHold } from '../../../runner/link/wire.ts';
import { browserProfileRoutes } from '../../browser-profiles/routes.ts';
import { buyerProfileRoutes } from '../../buyer-profiles/routes.ts';
import { expireActions } from '../actions/actions.ts';
import { agentCheckoutRoutes } from '../routes.ts';
import { selectSteps } from '../runs/runs-store.ts';
import { sealedCheckouts } from '../store.ts';

const path = '/unstable/agent-checkouts';
const clock = createManualClock();
const origin = 'https://shop.example';
const total = { amountMinor: 4999n, currency: 'USD' };
const arming = { total, origin, sources: [{ source: 'summary', text: '$49.99' }] };

let api: TestApi;
let gateway: TestGateway;
let products = 0;
beforeAll(async () => {
  api = await startTestApi({
    routes: [...agentCheckoutRoutes, ...buyerProfileRoutes, ...browserProfileRoutes],
    clock,
    providers: (base) => ({ cardSource: createSandboxIssuer(base) }),
  });
  gateway = await startTestGateway(api.ctx);
});
afterAll(async () => {
  await gateway?.stop();
  await api?.close();
});

const as = async (user: string, method: string, below = '', body?: unknown) =>
  api.call(method, `${path}${below}`, {
    key: api.clientKey,
    jwt: await api.userJwt(user),
    ...(body === undefined ? {} : { body }),
  });
const made = async (user: string, more: object = {}): Promise<string> =>
  (
    await as(user, 'POST', '', {
      target: { kind: 'direct_url', url: `${origin}/p/${++products}` },
      constraints: { maxCost: { amount: '50', currency: 'USD' } },
      ...more,
    })
  ).body.id;
const viewOf = async (user: string, id: string) => (await as(user, 'GET', `/${id}`)).body;
const claimTerms = {
  runner: 'runner-1',
  leaseMs: 60_000,
  waitMs: 0,
  allowedPrivateOrigins: [],
  paymentFrameOrigins: [],
};
const claim = (more: object = {}) => gateway.ask('claim', { ...claimTerms, ...more });
const claimed = async (
  user: string,
  more: object = {},
): Promise<{ id: string; hold: WireHold }> => {
  const id = await made(user, more);
  const { run } = await claim();
  expect(run?.task.checkoutId).toBe(id);
  return { id, hold: run!.hold };
};
const countNonces = async () =>
  (
    await api.ctx.store.query<{ count: number }>({
      text: 'select count(*)::int as count from internal_nonces',
    })
  ).rows[0]!.count;
const finish = (hold: WireHold) =>
  gateway.ask('end', {
    hold,
    end: { outcome: 'failed', reason: 'automation_failed', message: 'x', placed: 'no' },
  });
const loseLease = (id: string) =>
  api.ctx.store.query({
    text: `update agent_checkouts set lease_until = now() - interval '1 second' where id = $1`,
    values: [id],
  });
const asked = async (hold: WireHold, request: object, key?: string): Promise<string> => {
  const answer = await gateway.ask('ask', { hold, request, ...(key !== undefined && { key }) });
  if ('stop' in answer) throw new Error(answer.stop);
  return answer.done.actionId;
};
const answer = (user: string, id: string, actionId: string, values: object) =>
  as(user, 'POST', `/${id}/actions/${actionId}`, { action: 'submit', values });
const approve = async (user: string, id: string, hold: WireHold) => {
  const actionId = await asked(hold, { kind: 'approve-purchase', origin, total, lines: [] });
  expect((await answer(user, id, actionId, { approved: true })).status).toBe(202);
  return actionId;
};

describe('a request', () => {
  const text = JSON.stringify({
    runner: 'r',
    leaseMs: 1_000,
    waitMs: 0,
    allowedPrivateOrigins: [],
    paymentFrameOrigins: [],
  });
  let body: Buffer;
  let changed: Buffer;
  beforeAll(async () => {
    body = await gateway.seal('claim', text);
    changed = Buffer.from(body.map((byte, index) => (index === body.length - 1 ? byte ^ 1 : byte)));
  });

  test('that is signed by the runner’s key is answered, signed', async () => {
    expect(await gateway.send('claim', body)).toEqual({
      status: 200,
      text: '{"clockAheadMs":0,"run":null}',
      signed: true,
    });
  });

  test.each<[string, () => Record<string, string>, () => Buffer]>([
    [
      'signed with another key',
      () => gateway.sign('claim', body, { seed: gatewaySeeds.stranger }),
      () => body,
    ],
    ['of another name', () => gateway.sign('claim', body, { name: 'worker' }), () => body],
    ['for another operation', () => gateway.sign('end', body), () => body],
    ['whose body was changed', () => gateway.sign('claim', body), () => changed],
    [
      'that is not signed',
      () => ({ 'content-type': 'application/vnd.purser.internal+json' }),
      () => body,
    ],
  ])('%s is refused without a reason', async (_what, sign, sent) => {
    const { status, signed } = await gateway.send('claim', sent(), sign());
    expect([status, signed]).toEqual([401, false]);
  });

  test('works once, also when it comes eight times at once; its nonce is forgotten when its time is over', async () => {
    const headers = gateway.sign('claim', body);
    const all = await Promise.all(
      Array.from({ length: 8 }, () => gateway.send('claim', body, headers)),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 401),
    ]);
    clock.advance(3 * internalWindowMs);
    expect(await pruneNonces(api.ctx)).toBeGreaterThan(0);
    expect((await gateway.send('claim', body, headers)).status).toBe(401);
  });

  test('that does not fit, is no JSON or is too large says so by its code', async () => {
    await expect(gateway.ask('claim', { runner: '' })).rejects.toMatchObject({
      code: 'validation-error',
    });
    await expect(
      gateway.ask('record', { hold: { checkoutId: randomUUID(), fence: '1' } }),
    ).rejects.toMatchObject({
      code: 'validation-error',
    });
    expect(
      JSON.parse((await gateway.send('claim', await gateway.seal('claim', '{'))).text).code,
    ).toBe('invalid-json');
    expect((await gateway.send('progress', Buffer.alloc(300_000))).status).toBe(413);
    expect(
      (await gateway.send('save-state', await gateway.seal('save-state', ' '.repeat(300_000))))
        .status,
    ).toBe(400);
  });

  test('that is not sealed, or is sealed for another operation, is refused though it is signed', async () => {
    for (const sent of [Buffer.from(text), await gateway.seal('renew', text)]) {
      const answer = await gateway.send('claim', sent);
      expect([answer.signed, JSON.parse(answer.text).code]).toEqual([true, 'invalid-json']);
    }
  });
});

describe('a run', () => {
  test('goes to one of two that claim at once, with amounts as they were and the place of its live pictures', async () => {
    const id = await made('ann', { metadata: { a: 1 } });
    const runs = (
      await Promise.all([
        claim({ runner: 'one', liveOrigin: 'http://10.0.0.1:1' }),
        claim({ runner: 'two', liveOrigin: 'http://10.0.0.2:1' }),
      ])
    ).flatMap(({ run }) => run ?? []);
    expect(runs.map(({ task }) => [task.checkoutId, task.maxCost])).toEqual([
      [id, { amountMinor: 5000n, currency: 'USD' }],
    ]);
    const { rows } = await api.ctx.store.query<{ runner: string; live: string }>({
      text: 'select runner, live_origin as live from agent_checkouts where id = $1',
      values: [id],
    });
    expect(rows[0]!.live).toBe(
      rows[0]!.runner === 'one' ? 'http://10.0.0.1:1' : 'http://10.0.0.2:1',
    );
    await finish(runs[0]!.hold);
  });

  test('reaches a runner that waits for one as soon as it is there, and an idle minute is no line in the log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const logged = await startTestGateway({ ...api.ctx, log });
    const asking = logged.ask('claim', { ...claimTerms, waitMs: 20_000 });
    const id = await made('wim');
    const { run } = await asking;
    expect(run?.task.checkoutId).toBe(id);
    const { hold } = run!;
    const actionId = await asked(hold, { kind: 'approve-purchase', origin, total, lines: [] });
    await logged.ask('renew', { hold, leaseMs: 60_000 });
    expect(await logged.ask('take-answer', { hold, actionId, waitMs: 0 })).toEqual({ done: null });
    await finish(hold);
    expect(await logged.ask('renew', { hold, leaseMs: 60_000 })).toEqual({ stop: 'lost' });
    expect(await logged.ask('claim', { ...claimTerms, waitMs: 300 })).toEqual({
      clockAheadMs: 0,
      run: null,
    });

    const nonces = await countNonces();
    const idle = logged.ask('claim', { ...claimTerms, waitMs: 20_000 });
    await expect.poll(countNonces).toBe(nonces + 1);
    await Promise.all([logged.stop(), expect(idle).resolves.toMatchObject({ run: null })]);
    expect(lines.flatMap((line) => /\/runner\/v1\/([a-z-]+)/.exec(line)?.[1] ?? [])).toEqual([
      'claim',
      'renew',
    ]);
  });

  test('tells its runner how far the clock of the service was moved, when it is claimed and while it lasts', async () => {
    let clockAheadMs = 2_000;
    const moved = { now: () => new Date(clock.now().getTime() + clockAheadMs), unmoved: clock.now };
    const ahead = await startTestGateway({ ...api.ctx, clock: moved });
    const id = await made('zed');
    const claimed = await ahead.ask('claim', claimTerms);
    expect(claimed).toMatchObject({ clockAheadMs, run: { task: { checkoutId: id } } });
    clockAheadMs = 5_000;
    expect(await ahead.ask('renew', { hold: claimed.run!.hold, leaseMs: 60_000 })).toEqual({
      done: { clockAheadMs },
    });
    await finish(claimed.run!.hold);
    await ahead.stop();
  });

  test('tells what pages say, also with half a character at its end or a zero in it, and ends', async () => {
    const { id, hold } = await claimed('zoe');
    const odd = 'A mug \u0000 with a smile \ud83d';
    const kept = 'A mug  with a smile \ufffd';
    const evidence = {
      step: 'open',
      at: clock.now().toISOString(),
      detail: { product: odd, [odd]: [odd] },
    };
    expect(await gateway.ask('record', { hold, evidence })).toEqual({ done: null });
    expect((await selectSteps(api.ctx.store, id))[0]!.detail).toEqual({
      product: kept,
      [kept]: [kept],
    });
    expect(await gateway.ask('progress', { hold, item: { title: odd, message: odd } })).toEqual({
      done: null,
    });
    const actionId = await asked(hold, {
      kind: 'approve-purchase',
      origin,
      total,
      lines: [{ title: odd }],
    });
    expect((await answer('zoe', id, actionId, { approved: true })).status).toBe(202);
    expect(
      await gateway.ask('arm', { hold, total, origin, sources: [{ source: odd, text: odd }] }),
    ).toEqual({ done: true });
    const end = { outcome: 'succeeded', total, merchantOrderId: odd, confirmationText: odd };
    expect(await gateway.ask('end', { hold, end })).toEqual({ done: true });
    expect((await viewOf('zoe', id)).receipt).toMatchObject({
      merchantOrderId: kept,
      evidence: { confirmationText: kept },
    });
    console.log(
      await as('zoe', 'POST', '', {
        target: { kind: 'direct_url', url: `${origin}/p/x`, request: 'a\u0000' },
        constraints: { maxCost: { amount: '50', currency: 'USD' } },
      }),
      await as('zoe', 'POST', '', {
        metadata: { a: 'b\ud800' },
        target: { kind: 'direct_url', url: `${origin}/p/x` },
        constraints: { maxCost: { amount: '50', currency: 'USD' } },
      }),
    );
  });

  test('that was given to another runner is lost to the first one, whatever it asks', async () => {
    const { id, hold } = await claimed('bea');
    await loseLease(id);
    const { run } = await claim({ runner: 'runner-2' });
    const lost = { stop: 'lost' };
    const evidence = { step: 'open', at: clock.now().toISOString() };
    const state = { cookies: [], origins: [] };
    const calls: [Parameters<typeof gateway.ask>[0], object][] = [
      ['renew', { leaseMs: 1_000 }],
      ['release', {}],
      ['record', { evidence }],
      ['progress', { item: { title: 'x' } }],
      ['picture', { ...evidence, jpeg: 'AAAA' }],
      ['ask', { request: { kind: 'free-question', question: '?' } }],
      ['take-answer', { actionId: randomUUID(), waitMs: 0 }],
      ['arm', arming],
      ['save-state', { state }],
      ['end', { end: { outcome: 'cancelled', placed: 'no' } }],
    ];
    for (const [operation, input] of calls)
      expect([operation, await gateway.ask(operation, { hold, ...input })]).toEqual([
        operation,
        lost,
      ]);
    expect(await gateway.ask('renew', { hold: run!.hold, leaseMs: 1_000 })).toEqual({
      done: { clockAheadMs: 0 },
    });
    await finish(run!.hold);
  });

  test('that its runner gives back goes to the next one at once, and that is no try', async () => {
    const { id, hold } = await claimed('carl');
    for (let times = 0; times < 4; times++) {
      const held = times === 0 ? hold : (await claim()).run!.hold;
      expect(await gateway.ask('release', { hold: held })).toEqual({ done: null });
      expect(await gateway.ask('release', { hold: held })).toEqual({ done: null });
    }
    const { run } = await claim();
    expect(run!.task.checkoutId).toBe(id);
    const { rows } = await api.ctx.store.query({
      text: 'select tries from agent_checkouts where id = $1',
      values: [id],
    });
    expect(rows).toEqual([{ tries: 1 }]);
    await finish(run!.hold);
  });

  test('whose user has cancelled hears it as it keeps its lease, and may still end', async () => {
    const { id, hold } = await claimed('dora');
    await as('dora', 'DELETE', `/${id}`);
    expect(await gateway.ask('renew', { hold, leaseMs: 1_000 })).toEqual({ stop: 'cancelled' });
    expect(await gateway.ask('end', { hold, end: { outcome: 'cancelled', placed: 'no' } })).toEqual(
      {
        done: true,
      },
    );
    expect((await viewOf('dora', id)).status).toBe('cancelled');
  });

  test('of a project with many under way waits for the project with none', async () => {
    for (let times = 0; times < 3; times++) await made('eve');
    const other = await api.ctx.store.query<{ id: string }>({
      text: `insert into agent_checkouts (id, project_id, user_id, status, target, constraints, item_key, run_after, created_at, updated_at)
        select gen_random_uuid(), gen_random_uuid(), user_id, status, target, constraints, item_key, run_after + interval '1 second', created_at, updated_at
        from agent_checkouts where ended_at is null limit 1 returning id`,
    });
    await sealRows(api.ctx.store, sealedCheckouts);
    clock.advance(2_000);
    const runs = [(await claim()).run!, (await claim()).run!];
    expect(runs.map(({ task }) => task.checkoutId === other.rows[0]!.id)).toEqual([false, true]);
    for (const { hold } of runs) await finish(hold);
    for (let run = (await claim()).run; run; run = (await claim()).run) await finish(run.hold);
  });
});

describe('the same once more, because the answer was lost', () => {
  test('is recorded and shown once', async () => {
    const { id, hold } = await claimed('fay');
    const evidence = {
      step: 'open',
      at: clock.now().toISOString(),
      url: origin,
      detail: { title: 'A', n: [1] },
    };
    for (let times = 0; times < 2; times++) {
      expect(await gateway.ask('record', { hold, evidence })).toEqual({ done: null });
      await gateway.ask('progress', { hold, item: { title: 'Opened', message: 'A' } });
      await gateway.ask('picture', { hold, step: 'open', at: evidence.at, jpeg: 'AAAA' });
    }
    await gateway.ask('progress', { hold, item: { title: 'Opened', message: 'B' } });
    expect(await selectSteps(api.ctx.store, id)).toEqual([evidence]);
    const titles = (await viewOf('fay', id)).progressItems.map(
      ({ title, message }: { title: string; message?: string }) => [title, message],
    );
    expect(titles.slice(-2)).toEqual([
      ['Opened', 'A'],
      ['Opened', 'B'],
    ]);
    expect(titles).toHaveLength(4);
    const { rows } = await api.ctx.store.query({
      text: 'select count(*)::int as count from agent_checkout_steps where checkout_id = $1',
      values: [id],
    });
    expect(rows).toEqual([{ count: 2 }]);
    await finish(hold);
  });

  test('asks one question under one key, also after its answer; another key is another question', async () => {
    const { id, hold } = await claimed('gus');
    const [first, second] = [randomUUID(), randomUUID()];
    const request = { kind: 'free-question', question: 'Blue?' };
    const actionId = await asked(hold, request, first);
    expect(await asked(hold, request, first)).toBe(actionId);
    await expect(asked(hold, request, second)).rejects.toMatchObject({ code: 'conflict' });
    await answer('gus', id, actionId, { answer: 'yes' });
    expect(await asked(hold, request, first)).toBe(actionId);
    expect(await asked(hold, request, second)).not.toBe(actionId);
    await finish(hold);
    expect((await viewOf('gus', id)).status).toBe('failed');
  });

  test('gets the same permit under its key, and no second one: for another key or another hold it was given', async () => {
    const { id, hold } = await claimed('hal');
    await approve('hal', id, hold);
    const key = randomUUID();
    expect(await gateway.ask('arm', { hold, key, ...arming })).toEqual({ done: true });
    expect(await gateway.ask('arm', { hold, key, ...arming })).toEqual({ done: true });
    expect(await gateway.ask('arm', { hold, key: randomUUID(), ...arming })).toEqual({
      done: false,
    });
    expect(await gateway.ask('arm', { hold, ...arming })).toEqual({ done: false });
    await loseLease(id);
    const { run } = await claim();
    expect(run!.task.resume?.step).toBe('armed');
    expect(await gateway.ask('arm', { hold: run!.hold, key, ...arming })).toEqual({ done: false });
    await finish(run!.hold);
  });

  test('two requests for a permit at once get one', async () => {
    const { id, hold } = await claimed('ida');
    await approve('ida', id, hold);
    const all = await Promise.all(
      Array.from({ length: 4 }, () => gateway.ask('arm', { hold, key: randomUUID(), ...arming })),
    );
    expect(all.filter((one) => 'done' in one && one.done === true)).toHaveLength(1);
    await finish(hold);
  });

  test('ends once; another end than the first is lost', async () => {
    const { id, hold } = await claimed('jan');
    expect(await finish(hold)).toEqual({ done: true });
    expect(await finish(hold)).toEqual({ done: true });
    expect(await gateway.ask('end', { hold, end: { outcome: 'succeeded', total } })).toEqual({
      stop: 'lost',
    });
    expect((await viewOf('jan', id)).status).toBe('failed');
  });

  test('a permit that may not be given says why, by its code', async () => {
    const { hold } = await claimed('kim');
    await expect(gateway.ask('arm', { hold, key: randomUUID(), ...arming })).rejects.toMatchObject({
      code: 'conflict',
    });
    await finish(hold);
  });
});

test('the card of a run is for the approved total, the same one when it is asked for again, and tells whether it was used', async () => {
  const { id, hold } = await claimed('pia');
  await expect(gateway.ask('card', { hold, total, origin })).rejects.toMatchObject({
    code: 'conflict',
  });
  await approve('pia', id, hold);
  const first = await gateway.ask('card', { hold, total, origin });
  expect(first).toMatchObject({
    done: { number: expect.stringMatching(/^\d{16}$/), cvc: expect.any(String) },
  });
  expect(await gateway.ask('card', { hold, total, origin })).toEqual(first);
  expect(await gateway.ask('card-use', { hold })).toEqual({ done: { state: 'not-used' } });
  await finish(hold);
  expect(await gateway.ask('card-use', { hold })).toEqual({ stop: 'lost' });
});

describe('an answer', () => {
  const waitMs = 20_000;
  const take = (hold: WireHold, actionId: string, wait = waitMs) =>
    gateway.ask('take-answer', { hold, actionId, waitMs: wait });

  test('is held back until the user gives it, for as many runs as there are, without using up the pool', {
    tags: 'slow',
  }, async () => {
    const { id, hold } = await claimed('lea');
    const actionId = await asked(hold, { kind: 'one-time-code', origin });
    expect(await take(hold, actionId, 0)).toEqual({ done: null });
    const waits = Array.from({ length: 40 }, () => take(hold, actionId));
    // The API shares the pool with all of them.
    expect((await answer('lea', id, actionId, { code: '123456' })).status).toBe(202);
    const taken = { done: { action: 'submit', values: { code: '123456' } } };
    expect(await Promise.all(waits)).toEqual(waits.map(() => taken));
    expect(await take(hold, actionId)).toEqual(taken);
    await finish(hold);
  });

  test('that was lost on its way can be taken again by the same hold, for half a minute or until the run goes on', async () => {
    const { id, hold } = await claimed('max');
    const actionId = await asked(hold, { kind: 'one-time-code', origin });
    await answer('max', id, actionId, { code: '123456' });
    const taken = { done: { action: 'submit', values: { code: '123456' } } };
    expect([await take(hold, actionId), await take(hold, actionId)]).toEqual([taken, taken]);
    await loseLease(id);
    const { run } = await claim();
    expect(await take(run!.hold, actionId)).toEqual({ done: { action: 'expired' } });
    clock.advance(31_000);
    await expireActions(api.ctx);
    const { rows } = await api.ctx.store.query({
      text: 'select count(*)::int as count from agent_checkout_actions where checkout_id = $1 and sealed_answer is not null',
      values: [id],
    });
    expect(rows).toEqual([{ count: 0 }]);
    await finish(run!.hold);
  });

  test('nobody gives ends the wait by its time, by the end of the checkout, or when the worker stops', async () => {
    const { id, hold } = await claimed('ned');
    const actionId = await asked(hold, { kind: 'free-question', question: '?' });
    expect(await take(hold, actionId, 300)).toEqual({ done: null });
    const cancelled = take(hold, actionId);
    await as('ned', 'DELETE', `/${id}`);
    expect(await cancelled).toEqual({ stop: 'lost' } satisfies LinkAnswer<'take-answer'>);

    const second = await startTestGateway(api.ctx);
    const other = await claimed('oda');
    const waiting = second.ask('take-answer', {
      hold: other.hold,
      actionId: await asked(other.hold, { kind: 'free-question', question: '?' }),
      waitMs,
    });
    const stopped = new Promise<void>((resolve) => setTimeout(resolve, 200)).then(() =>
      second.stop(),
    );
    expect(await waiting).toEqual({ done: null });
    await stopped;
    await finish(other.hold);
  });
});
