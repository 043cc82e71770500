import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/harness/http.ts';
import { withoutIds } from '../../../../test/harness/without-ids.ts';
import type { Ctx } from '../../../context.ts';
import { createWorker } from '../../../jobs/index.ts';
import { eventually } from '../../../jobs/test-kit.ts';
import { createManualClock } from '../../../lib/clock.ts';
import { CardProviderError } from '../../../providers/card/card.ts';
import { createSandboxIssuer, type SandboxIssuer } from '../../../providers/card-source/index.ts';
import { createUserCards } from '../../../providers/card-source/user.ts';
import { cardFromAnswer } from '../../../runner/card-answer.ts';
import type { RunCard, ShopMoney } from '../../../runner/types.ts';
import { decideCheckout } from '../decisions/decisions.ts';
import { agentCheckoutRoutes } from '../routes.ts';
import { addPicture, armRun, askUser, claimAnswer, endRun } from '../runs/run-ports.ts';
import { claimRun } from '../runs/runs.ts';
import type { RunHold } from '../runs/runs-store.ts';
import { runCardFlow } from './run-card-flow.ts';
import { cardForRun, cardUseOfRun } from './run-cards.ts';

const path = '/unstable/agent-checkouts';
const origin = 'https://shop.example';
const usd = (amountMinor: bigint): ShopMoney => ({ amountMinor, currency: 'USD' });
const clock = createManualClock();

let api: TestApi;
let issuer: SandboxIssuer;
let products = 0;
beforeAll(async () => {
  api = await startTestApi({
    routes: agentCheckoutRoutes,
    clock,
    providers: (ctx) => ({ cardSource: (issuer = createSandboxIssuer(ctx)) }),
  });
});
afterAll(() => api?.close());

const withSource = (cardSource: Ctx['providers']['cardSource']): Ctx => ({
  ...api.ctx,
  providers: { ...api.ctx.providers, cardSource },
});
const as = async (user: string, method: string, below = '', body?: unknown) =>
  api.call(method, `${path}${below}`, {
    key: api.clientKey,
    jwt: await api.userJwt(user),
    ...(body === undefined ? {} : { body }),
  });

interface Claimed {
  readonly user: string;
  readonly id: string;
  readonly hold: RunHold;
}

async function claimed(user: string, product = ++products): Promise<Claimed> {
  const target = { kind: 'direct_url', url: `${origin}/p/${product}` };
  const { body } = await as(user, 'POST', '', {
    target,
    constraints: { maxCost: { amount: '50', currency: 'USD' } },
  });
  const run = await claimRun(api.ctx, {
    runner: 'runner-1',
    leaseMs: 60_000,
    surroundings: { allowedPrivateOrigins: [], paymentFrameOrigins: [] },
  });
  expect(run!.task.checkoutId).toBe(body.id);
  return { user, id: body.id, hold: run!.hold };
}

async function ask(
  { user, id, hold }: Claimed,
  request: Parameters<typeof askUser>[2],
  values: object,
) {
  const asked = await askUser(api.ctx, hold, request);
  if ('stop' in asked) throw new Error(asked.stop);
  return {
    actionId: asked.done.actionId,
    answer: await as(user, 'POST', `/${id}/actions/${asked.done.actionId}`, {
      action: 'submit',
      values,
    }),
  };
}

async function approved(user: string, total = usd(40_00n)): Promise<Claimed> {
  const run = await claimed(user);
  await approve(run, total);
  return run;
}
async function approve(run: Claimed, total: ShopMoney): Promise<void> {
  clock.advance(1);
  const { answer } = await ask(
    run,
    { kind: 'approve-purchase', origin, total, lines: [] },
    { approved: true },
  );
  expect(answer.status).toBe(202);
}

const cardOf = async ({ hold }: Claimed, total = usd(40_00n), ctx = api.ctx): Promise<RunCard> => {
  const answer = await cardForRun(ctx, hold, { total, origin });
  if ('stop' in answer || answer.done === null)
    throw new Error(`no card: ${JSON.stringify(answer)}`);
  return answer.done;
};
const pay = (card: RunCard, amountMinor = 40_00n) =>
  issuer.authorise({
    card: {
      number: card.number,
      expiry: `${String(card.expirationMonth).padStart(2, '0')}/${card.expirationYear}`,
      cvc: card.cvc,
    },
    amountMinor,
    currency: 'USD',
    shop: 'plain',
  });
const arm = ({ hold }: Claimed, total = usd(40_00n)) =>
  armRun(api.ctx, hold, { total, origin, sources: [] });
const endAs = ({ hold }: Claimed, placed: 'no' | 'unknown') =>
  endRun(api.ctx, hold, { outcome: 'failed', reason: 'automation_failed', message: 'x', placed });
const closedAt = async (id: string, nr = 1): Promise<Date | null> => {
  const { rows } = await api.ctx.store.query<{ closed_at: Date | null }>({
    text: 'select closed_at from agent_checkout_cards where checkout_id = $1 and nr = $2',
    values: [id, nr],
  });
  return rows[0]!.closed_at;
};

/** Lets a worker do what is due until `check` holds. */
async function whileWorking(what: string, check: () => Promise<boolean>): Promise<void> {
  const worker = createWorker(api.ctx, { flows: [runCardFlow as never], pollMs: 20 });
  worker.start();
  try {
    await eventually(what, check);
  } finally {
    await worker.stop();
  }
}

describe('the card of a run', () => {
  test('is issued for the approved total, and is the same one however often it is asked for', async () => {
    const run = await approved('ann');
    const cards = await Promise.all([cardOf(run), cardOf(run), cardOf(run)]);
    expect(new Set(cards.map(({ number }) => number)).size).toBe(1);
    expect(await cardUseOfRun(api.ctx, run.hold)).toEqual({ done: { state: 'not-used' } });
    expect(await pay(cards[0]!, 40_01n)).toBe('declined');
    expect(await pay(cards[0]!)).toBe('approved');
    expect(await cardUseOfRun(api.ctx, run.hold)).toEqual({
      done: { state: 'authorised', total: usd(40_00n) },
    });
    await endAs(run, 'no');
  });

  test('is handed out for no other total or shop than the approved one, and never above the cap', async () => {
    const unasked = await claimed('bea');
    await expect(cardForRun(api.ctx, unasked.hold, { total: usd(40_00n), origin })).rejects.toThrow(
      /has not approved/,
    );
    await endAs(unasked, 'no');
    const run = await approved('bea');
    await expect(cardForRun(api.ctx, run.hold, { total: usd(40_01n), origin })).rejects.toThrow(
      /has not approved/,
    );
    await expect(cardForRun(api.ctx, run.hold, { total: usd(39_99n), origin })).rejects.toThrow(
      /has not approved/,
    );
    await expect(
      cardForRun(api.ctx, run.hold, { total: usd(40_00n), origin: 'https://other.example' }),
    ).rejects.toThrow(/has not approved/);
    await expect(
      cardForRun(api.ctx, run.hold, { total: { amountMinor: 40_00n, currency: 'EUR' }, origin }),
    ).rejects.toThrow(/cap/);
    await approve(run, usd(60_00n));
    await expect(cardForRun(api.ctx, run.hold, { total: usd(60_00n), origin })).rejects.toThrow(
      /above the cap/,
    );
    await endAs(run, 'no');
  });

  test('is not handed out while an earlier purchase of the item is unknown, though it was made under another name of the person', async () => {
    const [first, second] = [await approved('una'), await claimed('una-again', products)];
    await approve(second, usd(40_00n));
    await arm(first);
    await endAs(first, 'unknown');
    const userOf = '(select user_id from agent_checkouts where id = $1)';
    await api.ctx.store.query({
      text: `update users set person_id = ${userOf} where id = (select user_id from agent_checkouts where id = $2)`,
      values: [first.id, second.id],
    });
    await expect(cardForRun(api.ctx, second.hold, { total: usd(40_00n), origin })).rejects.toThrow(
      /earlier purchase/,
    );
    await expect(arm(second)).rejects.toThrow(/earlier purchase/);
    await endAs(second, 'no');
  });

  test('is not handed out any more once the paying click may have come', async () => {
    const run = await approved('carl');
    await cardOf(run);
    expect(await arm(run)).toEqual({ done: true });
    await expect(cardForRun(api.ctx, run.hold, { total: usd(40_00n), origin })).rejects.toThrow(
      /may have been placed/,
    );
    expect(await cardUseOfRun(api.ctx, run.hold)).toEqual({ done: { state: 'not-used' } });
    await endAs(run, 'no');
  });

  test('is not for a runner that has lost the run, or whose user has cancelled', async () => {
    const run = await approved('dora');
    const lost = { ...run.hold, fence: run.hold.fence - 1n };
    expect(await cardForRun(api.ctx, lost, { total: usd(40_00n), origin })).toEqual({
      stop: 'lost',
    });
    expect(await cardUseOfRun(api.ctx, lost)).toEqual({ stop: 'lost' });
    await as('dora', 'DELETE', `/${run.id}`);
    expect(await cardForRun(api.ctx, run.hold, { total: usd(40_00n), origin })).toEqual({
      stop: 'cancelled',
    });
    await endAs(run, 'no');
  });

  test('is another one for another approved total, and the first is closed', async () => {
    const run = await approved('emil');
    const first = await cardOf(run);
    await approve(run, usd(45_00n));
    const second = await cardOf(run, usd(45_00n));
    expect(second.number).not.toBe(first.number);
    await whileWorking('the first card is closed', async () => (await closedAt(run.id)) !== null);
    expect([await pay(first, 1n), await pay(second, 45_00n)]).toEqual(['declined', 'approved']);
    expect(await closedAt(run.id, 2)).toBeNull();
    await endAs(run, 'no');
  });

  test('is closed when the checkout ends without an order', async () => {
    const run = await approved('fay');
    const card = await cardOf(run);
    await endAs(run, 'no');
    await whileWorking('the card is closed', async () => (await closedAt(run.id)) !== null);
    expect(await pay(card)).toBe('declined');
  });

  test('that was charged although the checkout ended without an order makes its outcome unknown: the item is locked', async () => {
    const [armed, cancelled] = [await approved('gus'), await approved('gwen')];
    for (const run of [armed, cancelled]) expect(await pay(await cardOf(run))).toBe('approved');
    await arm(armed);
    await endAs(armed, 'no');
    await as('gwen', 'DELETE', `/${cancelled.id}`);
    await endRun(api.ctx, cancelled.hold, { outcome: 'cancelled', placed: 'no' });
    await whileWorking('both were looked at', async () => {
      const { rows } = await api.ctx.store.query({
        text: `select 1 from agent_checkouts where id = any($1) and outcome = 'unknown'`,
        values: [[armed.id, cancelled.id]],
      });
      return rows.length === 2;
    });
    for (const { user, id } of [armed, cancelled]) {
      const { body } = await as(user, 'GET', `/${id}`);
      expect(body).toMatchObject({
        status: 'failed',
        failure: { message: expect.stringMatching(/charged 40\.00 USD/) },
      });
      const { target, constraints } = body;
      expect((await as(user, 'POST', '', { target, constraints })).status).toBe(409);
      const decision = { projectId: api.projectId, checkoutId: id, by: 'test', note: 'x' };
      expect((await decideCheckout(api.ctx, { ...decision, outcome: 'placed' })).status).toBe(
        'succeeded',
      );
    }
  });

  test('is closed after a crash, too: what closes it was stored before the issuer was asked', async () => {
    const run = await approved('gil');
    const dying = {
      ...issuer,
      issue: async (input: Parameters<SandboxIssuer['issue']>[0]) => {
        const made = await issuer.issue(input);
        cards.push((made as { card: RunCard }).card);
        throw new CardProviderError('sandbox', 'the answer was lost.', { mayHaveHappened: true });
      },
    };
    const cards: RunCard[] = [];
    await expect(cardOf(run, usd(40_00n), withSource(dying))).rejects.toMatchObject({
      code: 'provider-unavailable',
    });
    expect((await cardOf(run)).number).toBe(cards[0]!.number);
    await api.ctx.store.query({
      text: 'update agent_checkout_cards set reference = null where checkout_id = $1',
      values: [run.id],
    });
    await endAs(run, 'no');
    await whileWorking('the card is closed', async () => (await closedAt(run.id)) !== null);
    expect(await pay(cards[0]!)).toBe('declined');
  });

  test('stays open while nobody knows whether the shop has the order, and while the shop has not taken the money', async () => {
    const [unknown, bought] = [await approved('hal'), await approved('ida')];
    const cards = [await cardOf(unknown), await cardOf(bought)];
    await arm(unknown);
    await arm(bought);
    await endAs(unknown, 'unknown');
    await endRun(api.ctx, bought.hold, { outcome: 'succeeded', total: usd(40_00n) });
    const looks = async () => {
      const { rows } = await api.ctx.store.query<{ step: string }>({
        text: `select step from flows where kind = 'run-card' and key = any($1) and step = 'watch' and run_at > $2`,
        values: [[`${unknown.id}_1`, `${bought.id}_1`], clock.now()],
      });
      return rows.length === 2;
    };
    await whileWorking('both were looked at', looks);
    expect([await closedAt(unknown.id), await closedAt(bought.id)]).toEqual([null, null]);
    expect(await pay(cards[1]!)).toBe('approved');
    clock.advance(61_000);
    await whileWorking('the used card is closed', async () => (await closedAt(bought.id)) !== null);
    expect(await closedAt(unknown.id)).toBeNull();
    clock.advance(31 * 24 * 60 * 60_000);
    await whileWorking(
      'the other one is closed after a month',
      async () => (await closedAt(unknown.id)) !== null,
    );
    expect(await pay(cards[0]!)).toBe('declined');
  });

  test('is nowhere in the database or log readable', async () => {
    const run = await approved('jon');
    const card = await cardOf(run);
    for (const table of [
      'agent_checkout_cards',
      'agent_checkouts',
      'agent_checkout_actions',
      'flows',
      'sandbox_issued_cards',
      'outbox',
    ]) {
      const { rows } = await api.ctx.store.query<{ row: string }>({
        text: `select to_jsonb(t)::text as row from ${table} t`,
      });
      expect(rows.map(({ row }) => row).join()).not.toContain(card.number);
    }
    await endAs(run, 'no');
  });
});

describe('without cards of its own', () => {
  test('a run is told to ask its user, after the same checks', async () => {
    const ctx = withSource(createUserCards());
    const run = await claimed('kim');
    await expect(cardForRun(ctx, run.hold, { total: usd(40_00n), origin })).rejects.toThrow(
      /has not approved/,
    );
    await approve(run, usd(40_00n));
    expect(await cardForRun(ctx, run.hold, { total: usd(40_00n), origin })).toEqual({ done: null });
    expect(await cardUseOfRun(ctx, run.hold)).toEqual({ done: { state: 'unknown' } });
    await endAs(run, 'no');
  });

  test('where checkouts pay by no card a run is refused one', async () => {
    const run = await approved('lea');
    await expect(
      cardForRun(withSource(undefined), run.hold, { total: usd(40_00n), origin }),
    ).rejects.toThrow(/CARD_SOURCE is off/);
    await endAs(run, 'no');
  });

  test('an issuer that has no card for this total leaves it to the user, and is not asked again', async () => {
    let asked = 0;
    const ctx = withSource({
      ...issuer,
      issue: async () => ({ none: `no such currency ${asked++}` }),
    });
    const run = await approved('max');
    for (let times = 0; times < 2; times++)
      expect(await cardForRun(ctx, run.hold, { total: usd(40_00n), origin })).toEqual({
        done: null,
      });
    expect(asked).toBe(1);
    expect(await cardUseOfRun(ctx, run.hold)).toEqual({ done: { state: 'unknown' } });
    await endAs(run, 'no');
  });

  const entered = {
    number: '4242 4242 4242 4242',
    expirationMonth: 12,
    expirationYear: 2035,
    cvc: '123',
    holder: 'Nina Example',
  };
  const question = { kind: 'payment-credential', origin, total: usd(40_00n) } as const;

  test('the user enters one, which the run gets as a card and which is forgotten then', async () => {
    const run = await approved('nina');
    const { actionId, answer } = await ask(run, question, entered);
    expect(answer.status).toBe(202);
    const taken = await claimAnswer(api.ctx, run.hold, actionId);
    if ('stop' in taken || taken.done?.action !== 'submit') throw new Error('no answer');
    expect(cardFromAnswer(taken.done.values, clock.now())).toEqual({
      card: { ...entered, number: '4242424242424242' },
    });
    await endAs(run, 'no');
  });

  test('a mistyped card is refused at once, with a sentence and without repeating it, and can be entered anew', async () => {
    const run = await approved('olga');
    const { actionId, answer } = await ask(run, question, {
      ...entered,
      number: '4242424242424241',
    });
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringMatching(/card number is not right/),
    ]);
    for (const values of [
      { ...entered, expirationYear: 2020 },
      { ...entered, cvc: '1' },
    ]) {
      const refused = await as('olga', 'POST', `/${run.id}/actions/${actionId}`, {
        action: 'submit',
        values,
      });
      expect(refused.status).toBe(400);
      expect(withoutIds(refused.text)).not.toMatch(/4242/);
    }
    expect(
      (
        await as('olga', 'POST', `/${run.id}/actions/${actionId}`, {
          action: 'submit',
          values: entered,
        })
      ).status,
    ).toBe(202);
    await endAs(run, 'no');
  });
});

test('the receipt has the confirmation and the hash of the last picture', async () => {
  const run = await approved('pia');
  const pictures = [Buffer.from('first picture'), Buffer.from('last picture')];
  for (const jpeg of pictures)
    await addPicture(api.ctx, run.hold, {
      evidence: { step: 'confirm', at: clock.now().toISOString(), url: origin },
      jpeg,
    });
  await arm(run);
  await endRun(api.ctx, run.hold, {
    outcome: 'succeeded',
    total: usd(40_00n),
    merchantOrderId: 'A-1',
    confirmationUrl: `${origin}/thanks`,
    confirmationText: 'Thank you',
  });
  expect((await as('pia', 'GET', `/${run.id}`)).body.receipt).toEqual({
    total: { amount: '40.00', currency: 'USD' },
    capturedAt: clock.now().toISOString(),
    merchantOrderId: 'A-1',
    evidence: {
      confirmationUrl: `${origin}/thanks`,
      confirmationText: 'Thank you',
      screenshotSha256: createHash('sha256').update(pictures[1]!).digest('hex'),
    },
  });
});
