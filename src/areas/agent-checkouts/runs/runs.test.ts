import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/harness/http.ts';
import { sealRows } from '../../../../test/harness/seal-rows.ts';
import { createManualClock } from '../../../lib/clock.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import type { RunStep, ShopMoney } from '../../../runner/types.ts';
import { browserProfileRoutes } from '../../browser-profiles/routes.ts';
import { buyerProfileRoutes } from '../../buyer-profiles/routes.ts';
import { rewrapAnswers } from '../actions/rewrap-answers.ts';
import { decideCheckout } from '../decisions/decisions.ts';
import { agentCheckoutRoutes } from '../routes.ts';
import { sealedCheckouts } from '../store.ts';
import {
  addPicture,
  addProgress,
  armRun,
  askUser,
  claimAnswer,
  endRun,
  recordStep,
  saveRunState,
} from './run-ports.ts';
import { type ClaimedRun, claimRun, endStaleRuns } from './runs.ts';
import { type RunHold, renewLease, selectSteps } from './runs-store.ts';

const path = '/unstable/agent-checkouts';
const clock = createManualClock();
const constraints = { maxCost: { amount: '50', currency: 'USD' } };
const origin = 'https://shop.example';
const surroundings = { allowedPrivateOrigins: [], paymentFrameOrigins: [] };
const total = (amountMinor: bigint): ShopMoney => ({ amountMinor, currency: 'USD' });

let api: TestApi;
let products = 0;
beforeAll(async () => {
  api = await startTestApi({
    routes: [...agentCheckoutRoutes, ...buyerProfileRoutes, ...browserProfileRoutes],
    clock,
  });
});
afterAll(() => api?.close());

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
      constraints,
      ...more,
    })
  ).body.id;
const statusOf = async (user: string, id: string) => (await as(user, 'GET', `/${id}`)).body;
const claim = (runner = 'runner-1', leaseMs = 60_000) =>
  claimRun(api.ctx, { runner, leaseMs, surroundings });
const evidenceOf = (step: RunStep) => ({ step, at: clock.now().toISOString(), url: origin });
const loseLease = (id: string) =>
  api.ctx.store.query({
    text: `update agent_checkouts set lease_until = now() - interval '1 second' where id = $1`,
    values: [id],
  });

/** The only checkout that waits, claimed. */
async function claimed(
  user: string,
  more: object = {},
): Promise<{ id: string; run: ClaimedRun; hold: RunHold }> {
  const id = await made(user, more);
  const run = (await claim())!;
  expect(run.task.checkoutId).toBe(id);
  return { id, run, hold: run.hold };
}

async function approves(user: string, id: string, hold: RunHold, amount: bigint): Promise<void> {
  const asked = await askUser(api.ctx, hold, {
    kind: 'approve-purchase',
    origin,
    total: total(amount),
    lines: [],
  });
  if ('stop' in asked) throw new Error(asked.stop);
  expect(
    (
      await as(user, 'POST', `/${id}/actions/${asked.done.actionId}`, {
        action: 'submit',
        values: { approved: true },
      })
    ).status,
  ).toBe(202);
}
const armOf = (amount: bigint) => ({
  total: total(amount),
  origin,
  sources: [{ source: 'summary', text: '$' }],
});
const finish = (hold: RunHold) =>
  endRun(api.ctx, hold, {
    outcome: 'failed',
    reason: 'automation_failed',
    message: 'x',
    placed: 'no',
  });

describe('a runner', () => {
  test('gets the task with cap, buyer and browser state', async () => {
    const shipping = {
      addressLines: ['1 Main St'],
      locality: 'Springfield',
      administrativeAreaCode: 'US-CA',
      postalCode: null,
      countryCode: 'US',
    };
    const buyerProfileId = (
      await as('ann', 'POST', '/buyer-profiles', { name: { first: 'Ann' }, shipping })
    ).body.id;
    const browserProfileId = (await as('ann', 'POST', '/browser-profiles', {})).body.id;
    const { run, id, hold } = await claimed('ann', { buyerProfileId, browserProfileId });
    expect(run.task).toMatchObject({
      maxCost: { amountMinor: 5000n, currency: 'USD' },
      buyer: {
        firstName: 'Ann',
        shipping: {
          addressLines: ['1 Main St'],
          locality: 'Springfield',
          countryCode: 'US',
          administrativeAreaCode: 'US-CA',
        },
      },
    });
    expect(run.task).not.toHaveProperty('resume');
    expect(run.task.keepsBrowserState).toBe(true);
    expect((await statusOf('ann', id)).status).toBe('running');
    expect(await saveRunState(api.ctx, hold, { cookies: [], origins: [] })).toEqual({ done: true });
    expect(await saveRunState(api.ctx, hold, { cookies: [], origins: [] })).toEqual({
      done: false,
    });
    await finish(hold);
  });

  test('is the only one for a run, of ten that claim at once', async () => {
    const id = await made('bea');
    const runs = (
      await Promise.all(Array.from({ length: 10 }, (_, index) => claim(`runner-${index}`)))
    ).filter((run) => run !== undefined);
    expect(runs.map((run) => run.task.checkoutId)).toEqual([id]);
    expect(await claim()).toBeUndefined();
    await finish(runs[0]!.hold);
  });

  test('that let its lease end can change nothing any more; the next one goes on from what is recorded', async () => {
    const { id, hold } = await claimed('carl');
    await recordStep(api.ctx, hold, evidenceOf('add-to-cart'));
    await loseLease(id);
    const next = (await claim('runner-2'))!;
    expect([
      next.task.checkoutId,
      next.task.resume?.step,
      next.task.resume?.evidence.length,
    ]).toEqual([id, 'add-to-cart', 1]);
    for (const call of [
      recordStep(api.ctx, hold, evidenceOf('contact')),
      addProgress(api.ctx, hold, { title: 'x' }),
      askUser(api.ctx, hold, { kind: 'free-question', question: '?' }),
      armRun(api.ctx, hold, armOf(1n)),
      saveRunState(api.ctx, hold, { cookies: [], origins: [] }),
      endRun(api.ctx, hold, {
        outcome: 'failed',
        reason: 'automation_failed',
        message: 'x',
        placed: 'no',
      }),
    ])
      expect(await call).toEqual({ stop: 'lost' });
    expect(await renewLease(api.ctx.store, hold, 1_000)).toBe('lost');
    expect(await renewLease(api.ctx.store, next.hold, 1_000)).toBe('kept');
    await finish(next.hold);
  });

  test('that is lost three times before the paying click ends the run', async () => {
    const { id } = await claimed('dora');
    for (let tries = 2; tries <= 3; tries++) {
      await loseLease(id);
      expect((await claim())!.task.checkoutId).toBe(id);
    }
    await loseLease(id);
    expect(await claim()).toBeUndefined();
    const { status, failure } = await statusOf('dora', id);
    expect([status, failure.reason, failure.message]).toEqual([
      'failed',
      'automation_failed',
      expect.stringContaining('3 times'),
    ]);
  });

  test('that nobody is: a checkout ends after half an hour in the queue', async () => {
    const id = await made('eve');
    clock.advance(31 * 60_000);
    expect(await claim()).toBeUndefined();
    expect((await statusOf('eve', id)).failure.reason).toBe('automation_failed');
  });
});

test('without any runner a checkout ends after half an hour all the same, and one whose runner is lost when its user cancels it', async () => {
  const waiting = await made('una');
  const fresh = await made('vic');
  const { rows } = await api.ctx.store.query<{ id: string }>({
    text: `update agent_checkouts set run_after = run_after + interval '1 hour' where id = $1 returning id`,
    values: [fresh],
  });
  expect(rows).toHaveLength(1);
  clock.advance(29 * 60_000);
  await endStaleRuns(api.ctx);
  expect((await statusOf('una', waiting)).status).toBe('queued');
  const held = (await claim())!;
  expect(held.task.checkoutId).toBe(waiting);
  await as('una', 'DELETE', `/${waiting}`);
  clock.advance(2 * 60_000);
  await endStaleRuns(api.ctx);
  expect((await statusOf('una', waiting)).status).toBe('running');
  expect((await statusOf('vic', fresh)).failure.message).toBe('No browser was free in time.');
  await loseLease(waiting);
  await endStaleRuns(api.ctx);
  expect((await statusOf('una', waiting)).status).toBe('cancelled');
});

describe('the user', () => {
  test('is asked, and the answer reaches the run once', async () => {
    const { id, hold } = await claimed('fay');
    const asked = await askUser(api.ctx, hold, { kind: 'one-time-code', origin });
    if ('stop' in asked) throw new Error(asked.stop);
    expect(await claimAnswer(api.ctx, hold, asked.done.actionId)).toEqual({ done: undefined });
    await as('fay', 'POST', `/${id}/actions/${asked.done.actionId}`, {
      action: 'submit',
      values: { code: '123456' },
    });
    const answer = { done: { action: 'submit', values: { code: '123456' } } };
    expect(await claimAnswer(api.ctx, hold, asked.done.actionId)).toEqual(answer);
    // It may have been lost on its way.
    expect(await claimAnswer(api.ctx, hold, asked.done.actionId)).toEqual(answer);
    await recordStep(api.ctx, hold, evidenceOf('contact'));
    expect(await claimAnswer(api.ctx, hold, asked.done.actionId)).toEqual({
      done: { action: 'expired' },
    });
    await finish(hold);
  });

  test('whose answer waits while the key-encryption key changes is heard all the same', async () => {
    const { id, hold } = await claimed('fee');
    const asked = await askUser(api.ctx, hold, { kind: 'one-time-code', origin });
    if ('stop' in asked) throw new Error(asked.stop);
    await as('fee', 'POST', `/${id}/actions/${asked.done.actionId}`, {
      action: 'submit',
      values: { code: '654321' },
    });
    const newKey = { id: 'new', key: new Secret<Uint8Array>(new Uint8Array(32).fill(7)) };
    const withKeys = (keyEncryptionKeys: typeof api.ctx.config.keyEncryptionKeys) => ({
      ...api.ctx,
      config: { ...api.ctx.config, keyEncryptionKeys },
    });
    const both = withKeys([newKey, ...api.ctx.config.keyEncryptionKeys]);
    expect([await rewrapAnswers(both), await rewrapAnswers(both)]).toEqual([1, 0]);
    expect(await claimAnswer(withKeys([newKey]), hold, asked.done.actionId)).toEqual({
      done: { action: 'submit', values: { code: '654321' } },
    });
    await finish(hold);
  });

  test('who cancels stops the run at its next step', async () => {
    const { id, hold } = await claimed('gus');
    await as('gus', 'DELETE', `/${id}`);
    expect(await recordStep(api.ctx, hold, evidenceOf('contact'))).toEqual({ stop: 'cancelled' });
    expect(await endRun(api.ctx, hold, { outcome: 'cancelled', placed: 'no' })).toEqual({
      done: true,
    });
    expect((await statusOf('gus', id)).status).toBe('cancelled');
  });

  test('whose question was open when the runner was lost is asked anew', async () => {
    const { id, hold } = await claimed('hal');
    const asked = await askUser(api.ctx, hold, { kind: 'free-question', question: '?' });
    if ('stop' in asked) throw new Error(asked.stop);
    await loseLease(id);
    const next = (await claim())!;
    expect((await statusOf('hal', id)).status).toBe('running');
    expect(
      (await as('hal', 'POST', `/${id}/actions/${asked.done.actionId}`, { action: 'decline' })).body
        .code,
    ).toBe('action-stale');
    await finish(next.hold);
  });
});

describe('the permit for the paying click', () => {
  test('is given once, for the approved total at the approved shop', async () => {
    const { id, hold } = await claimed('ida');
    await approves('ida', id, hold, 4999n);
    expect(await armRun(api.ctx, hold, armOf(4999n))).toEqual({ done: true });
    expect(await armRun(api.ctx, hold, armOf(4999n))).toEqual({ done: false });
    await endRun(api.ctx, hold, {
      outcome: 'succeeded',
      total: total(4999n),
      merchantOrderId: 'A1',
      confirmationText: 'Thank you',
    });
    expect(await statusOf('ida', id)).toMatchObject({
      status: 'succeeded',
      receipt: {
        total: { amount: '49.99', currency: 'USD' },
        merchantOrderId: 'A1',
        evidence: { confirmationText: 'Thank you' },
      },
    });
  });

  test.each([
    ['without an approval', undefined, 100n, origin],
    ['for another total than was approved', 100n, 101n, origin],
    ['for another shop than was approved', 100n, 100n, 'https://other.example'],
    ['above the cap', 5001n, 5001n, origin],
  ])('is refused %s', async (_name, approved, asked, at) => {
    const { id, hold } = await claimed('jan');
    if (approved !== undefined) await approves('jan', id, hold, approved);
    await expect(armRun(api.ctx, hold, { ...armOf(asked), origin: at })).rejects.toMatchObject({
      code: 'conflict',
    });
    await finish(hold);
  });

  test('lost with its runner is not given again: the next one only looks, and the user cannot cancel any more', async () => {
    const { id, hold } = await claimed('kim');
    await approves('kim', id, hold, 100n);
    await armRun(api.ctx, hold, armOf(100n));
    await as('kim', 'DELETE', `/${id}`);
    for (let tries = 0; tries < 4; tries++) await loseLease(id).then(() => claim());
    await loseLease(id);
    const next = (await claim())!;
    expect([next.task.checkoutId, next.task.resume?.step]).toEqual([id, 'armed']);
    expect(await armRun(api.ctx, next.hold, armOf(100n))).toEqual({ done: false });
    await recordStep(api.ctx, next.hold, evidenceOf('add-to-cart'));
    await loseLease(id);
    const last = (await claim())!;
    expect(last.task.resume?.step).toBe('armed');
    await endRun(api.ctx, last.hold, {
      outcome: 'failed',
      reason: 'automation_failed',
      message: 'The answer was lost.',
      placed: 'unknown',
    });
    const { status, failure } = await statusOf('kim', id);
    expect([status, failure.message]).toEqual(['failed', expect.stringContaining('Nobody knows')]);
  });

  test('is refused for an item whose earlier purchase is unknown, also when both ran at once', async () => {
    const target = { kind: 'direct_url', url: `${origin}/twice` };
    const first = await claimed('lea', { target });
    const second = await claimed('lea', { target });
    for (const { id, hold } of [first, second]) await approves('lea', id, hold, 100n);
    await armRun(api.ctx, first.hold, armOf(100n));
    await endRun(api.ctx, first.hold, {
      outcome: 'failed',
      reason: 'automation_failed',
      message: 'x',
      placed: 'unknown',
    });
    await expect(armRun(api.ctx, second.hold, armOf(100n))).rejects.toMatchObject({
      code: 'conflict',
    });
    await finish(second.hold);
  });

  test('is refused while the runner of an earlier purchase of the item is gone or its user is asked, and nothing new is begun', async () => {
    const target = { kind: 'direct_url', url: `${origin}/thrice` };
    const [first, second] = [await claimed('lou', { target }), await claimed('lou', { target })];
    for (const { id, hold } of [first, second]) await approves('lou', id, hold, 100n);
    await armRun(api.ctx, first.hold, armOf(100n));
    const again = () =>
      as('lou', 'POST', '', {
        target,
        constraints: { maxCost: { amount: '50', currency: 'USD' } },
      });
    expect((await again()).body).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('right now'),
    });
    await loseLease(first.id);
    await expect(armRun(api.ctx, second.hold, armOf(100n))).rejects.toMatchObject({
      code: 'conflict',
    });
    const { hold } = (await claim())!;
    await askUser(api.ctx, hold, {
      kind: 'confirm-outcome',
      origin,
      question: 'Does the shop have the order?',
    });
    await expect(armRun(api.ctx, second.hold, armOf(100n))).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await again()).body).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Nobody knows'),
    });
    await as(
      'lou',
      'POST',
      `/${first.id}/actions/${(await statusOf('lou', first.id)).pendingUserAction.id}`,
      { action: 'decline' },
    );
    await finish(hold);
    await finish(second.hold);
  });

  test('and an order that is there while a question is open: the run ends as bought, and the question with it', async () => {
    const { id, hold } = await claimed('mae');
    await approves('mae', id, hold, 4999n);
    await armRun(api.ctx, hold, armOf(4999n));
    const asked = await askUser(api.ctx, hold, { kind: 'three-d-secure', origin });
    const end = { outcome: 'succeeded', total: total(4999n), merchantOrderId: 'A1' } as const;
    expect(await endRun(api.ctx, hold, end)).toEqual({ done: true });
    const view = await statusOf('mae', id);
    expect([view.status, view.receipt.merchantOrderId, view.pendingUserAction]).toEqual([
      'succeeded',
      'A1',
      undefined,
    ]);
    const late = await as(
      'mae',
      'POST',
      `/${id}/actions/${'done' in asked && asked.done.actionId}`,
      {
        action: 'submit',
        values: { done: true },
      },
    );
    expect(late.body.code).toBe('checkout-finished');
  });

  test('was never given: then nothing was placed, whatever the runner fears', async () => {
    const { id, hold } = await claimed('max');
    await endRun(api.ctx, hold, {
      outcome: 'failed',
      reason: 'automation_failed',
      message: 'Lost.',
      placed: 'unknown',
    });
    expect((await statusOf('max', id)).failure.message).toBe('Lost.');
    const { rows } = await api.ctx.store.query({
      text: 'select outcome from agent_checkouts where id = $1',
      values: [id],
    });
    expect(rows).toEqual([{ outcome: 'not-placed' }]);
  });
});

describe('an order that the shop confirms without a permit', () => {
  const placed = () => ({ ...evidenceOf('placed'), detail: { unpermitted: true } });
  const target = { kind: 'direct_url', url: `${origin}/by-itself` };
  const again = (user: string) => as(user, 'POST', '', { target, constraints });

  test('locks the item at once, is only asked about by the next runner, and is given back by a decision alone', async () => {
    const { id, hold } = await claimed('pia', { target });
    expect(await recordStep(api.ctx, hold, placed())).toEqual({ done: undefined });
    expect((await again('pia')).body).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('right now'),
    });
    expect(await armRun(api.ctx, hold, armOf(1n), 'a key')).toEqual({ done: false });
    await loseLease(id);
    const next = (await claim())!;
    expect([next.task.checkoutId, next.task.resume?.step]).toEqual([id, 'placed']);
    await askUser(api.ctx, next.hold, {
      kind: 'confirm-outcome',
      origin,
      question: 'Does the shop have the order?',
    });
    expect((await again('pia')).body).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Nobody knows'),
    });
    expect((await as('pia', 'DELETE', `/${id}`)).status).toBe(202);
    expect((await statusOf('pia', id)).status).toBe('awaiting_user_action');
    await endRun(api.ctx, next.hold, {
      outcome: 'failed',
      reason: 'automation_failed',
      message: 'x',
      placed: 'unknown',
    });
    expect((await again('pia')).body).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Nobody knows'),
    });
    const decided = {
      projectId: api.projectId,
      checkoutId: id,
      outcome: 'placed' as const,
      by: 'ops',
      note: 'asked the shop',
    };
    expect(await decideCheckout(api.ctx, decided)).toMatchObject({
      status: 'succeeded',
      outcome: 'placed',
    });
    expect((await statusOf('pia', id)).receipt).not.toHaveProperty('total');
    const { status, body } = await again('pia');
    expect(status).toBe(200);
    await as('pia', 'DELETE', `/${body.id}`);
  });

  test('is recorded although the user has cancelled: then nobody knows, and nothing is said to be cancelled', async () => {
    const { id, hold } = await claimed('quin');
    await as('quin', 'DELETE', `/${id}`);
    expect(await recordStep(api.ctx, hold, placed())).toEqual({ done: undefined });
    await endRun(api.ctx, hold, { outcome: 'cancelled', placed: 'unknown' });
    const { rows } = await api.ctx.store.query({
      text: 'select status, outcome from agent_checkouts where id = $1',
      values: [id],
    });
    expect(rows).toEqual([{ status: 'failed', outcome: 'unknown' }]);
  });
});

test('the step log keeps the evidence, and few small pictures', async () => {
  const { id, hold } = await claimed('ned');
  for (const step of ['open', 'select'] as const) await recordStep(api.ctx, hold, evidenceOf(step));
  await addPicture(api.ctx, hold, {
    evidence: evidenceOf('select'),
    jpeg: Buffer.alloc(600 * 1024),
  });
  for (let index = 0; index < 62; index++)
    await addPicture(api.ctx, hold, {
      evidence: evidenceOf('select'),
      jpeg: Buffer.alloc(10, index),
    });
  expect((await selectSteps(api.ctx.store, id)).map(({ step }) => step)).toEqual([
    'open',
    'select',
  ]);
  const { rows } = await api.ctx.store.query({
    text: 'select count(*)::int as count from agent_checkout_steps where checkout_id = $1 and picture is not null',
    values: [id],
  });
  expect(rows).toEqual([{ count: 60 }]);
  await finish(hold);
});

test('projects take turns: one with many checkouts does not keep another one waiting', async () => {
  await Promise.all(Array.from({ length: 3 }, () => made('oda')));
  const other = await api.ctx.store.query<{ id: string }>({
    text: `insert into agent_checkouts (id, project_id, user_id, status, target, constraints, item_key, run_after, created_at, updated_at)
      select gen_random_uuid(), gen_random_uuid(), user_id, status, target, constraints, item_key, run_after + interval '1 second', created_at, updated_at
      from agent_checkouts where ended_at is null limit 1 returning id`,
  });
  await sealRows(api.ctx.store, sealedCheckouts);
  clock.advance(2_000);
  const first = (await claim())!;
  const second = (await claim())!;
  expect(first.task.checkoutId).not.toBe(other.rows[0]!.id);
  expect(second.task.checkoutId).toBe(other.rows[0]!.id);
});
