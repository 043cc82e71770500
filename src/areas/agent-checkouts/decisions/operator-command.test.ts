import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/harness/http.ts';
import { createManualClock } from '../../../lib/clock.ts';
import { createSandboxIssuer } from '../../../providers/card-source/index.ts';
import type { ShopMoney } from '../../../runner/types.ts';
import { cardForRun } from '../cards/run-cards.ts';
import { agentCheckoutRoutes } from '../routes.ts';
import { armRun, askUser, endRun, recordStep } from '../runs/run-ports.ts';
import { claimRun } from '../runs/runs.ts';
import { checkoutsCommand } from './operator-command.ts';

const path = '/unstable/agent-checkouts';
const origin = 'https://shop.example';
const total: ShopMoney = { amountMinor: 39_90n, currency: 'USD' };
const clock = createManualClock();

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    routes: agentCheckoutRoutes,
    clock,
    providers: (ctx) => ({ cardSource: createSandboxIssuer(ctx) }),
  });
});
afterAll(() => api?.close());

const as = async (user: string, method: string, below = '', body?: unknown) =>
  api.call(method, `${path}${below}`, {
    key: api.clientKey,
    jwt: await api.userJwt(user),
    ...(body === undefined ? {} : { body }),
  });
const create = (user: string, product: string) =>
  as(user, 'POST', '', {
    target: { kind: 'direct_url', url: `${origin}/p/${product}` },
    constraints: { maxCost: { amount: '50', currency: 'USD' } },
  });

/** What the command printed. */
async function purser(...argv: string[]): Promise<string> {
  const lines: string[] = [];
  await checkoutsCommand(api.ctx, {
    argv,
    print: (line) => lines.push(line),
    projectOf: async (named) => named ?? api.projectId,
  });
  return lines.join('\n');
}

/**
 * A checkout that has ended, of which nobody knows whether the shop has the order unless `placed`
 * says so.
 */
async function ended(
  user: string,
  product: string,
  placed: 'no' | 'unknown' = 'unknown',
): Promise<string> {
  const { id } = (await create(user, product)).body;
  const surroundings = { allowedPrivateOrigins: [], paymentFrameOrigins: [] };
  const { hold } = (await claimRun(api.ctx, {
    runner: 'runner-1',
    leaseMs: 60_000,
    surroundings,
  }))!;
  const asked = await askUser(api.ctx, hold, {
    kind: 'approve-purchase',
    origin,
    total,
    lines: [],
  });
  if ('stop' in asked) throw new Error(asked.stop);
  await as(user, 'POST', `/${id}/actions/${asked.done.actionId}`, {
    action: 'submit',
    values: { approved: true },
  });
  await cardForRun(api.ctx, hold, { total, origin });
  await recordStep(api.ctx, hold, {
    step: 'fill-card',
    at: clock.now().toISOString(),
    url: `${origin}/pay`,
  });
  await armRun(api.ctx, hold, { total, origin, sources: [] });
  await endRun(api.ctx, hold, {
    outcome: 'failed',
    reason: 'automation_failed',
    message: 'The answer was lost.',
    placed,
  });
  return id;
}

/** What was told of a checkout. */
const eventsOf = async (id: string) => {
  const { rows } = await api.ctx.store.query<{ type: string; data: object }>({
    text: 'select type, data from outbox where object = $1',
    values: [`agent-checkout:${id}`],
  });
  return rows;
};

/** The item can be bought again; nobody is to run it here. */
async function buysAgain(user: string, product: string): Promise<void> {
  const { status, body } = await create(user, product);
  expect(status).toBe(200);
  await as(user, 'DELETE', `/${body.id}`);
}

describe('an operator', () => {
  test('sees which checkouts wait for a decision, and what is known of one', async () => {
    const id = await ended('ann', 'list');
    const known = await ended('ann', 'known', 'no');
    expect(await purser('list')).toMatch(
      new RegExp(`${known} +failed +not-placed[^]*${id} +failed +unknown`),
    );
    expect(await purser('list', '--unknown')).not.toContain(known);
    expect(await purser('list', '--status', 'succeeded')).not.toContain(id);
    expect(JSON.parse(await purser('list', '--unknown', '--json'))).toContainEqual(
      expect.objectContaining({ id, outcome: 'unknown', shop: origin }),
    );
    const shown = await purser('show', id);
    expect(shown).toMatch(/status +failed, order unknown/);
    expect(shown).toMatch(/permit +39\.90 USD at https:\/\/shop\.example/);
    expect(shown).toMatch(/fill-card +https:\/\/shop\.example\/pay/);
    expect(shown).toMatch(/approve-purchase +submitted/);
    expect(shown).toMatch(/sandbox +vcard_\w+ +39\.90 USD/);
    expect(JSON.parse(await purser('show', id, '--json'))).toMatchObject({
      checkout: { id },
      cards: [{ source: 'sandbox' }],
    });
  });

  test('who has found the order makes the checkout succeed, with a receipt, and the item can be bought again', async () => {
    const id = await ended('bea', 'placed');
    expect((await create('bea', 'placed')).status).toBe(409);
    clock.advance(60_000);
    expect(
      await purser(
        'decide',
        id,
        'placed',
        '--order',
        'A-77',
        '--note',
        'seen in the shop',
        '--by',
        'olaf',
      ),
    ).toMatch(/is succeeded/);
    const { body } = await as('bea', 'GET', `/${id}`);
    expect(body).toMatchObject({
      status: 'succeeded',
      receipt: { total: { amount: '39.90', currency: 'USD' }, merchantOrderId: 'A-77' },
    });
    expect(body.failure).toBeUndefined();
    expect(body.progressItems.at(-1)).toMatchObject({ title: 'Bought' });
    expect(JSON.stringify(body)).not.toMatch(/olaf|seen in the shop/);
    expect(await eventsOf(id)).toContainEqual({
      type: 'agent-checkouts.updated',
      data: expect.objectContaining({ status: 'succeeded' }),
    });
    await buysAgain('bea', 'placed');
    expect(await purser('show', id)).toMatch(
      /decided +placed, order A-77 by olaf, \S+: seen in the shop/,
    );
  });

  test('who has found no order unlocks the item, and the card is looked at', async () => {
    const id = await ended('carl', 'not-placed');
    expect(await purser('decide', id, 'not-placed', '--note', 'the user was asked')).toMatch(
      /is failed, its order is not-placed/,
    );
    const { body } = await as('carl', 'GET', `/${id}`);
    expect(body).toMatchObject({
      status: 'failed',
      failure: { reason: 'automation_failed', message: expect.stringMatching(/no such order/) },
    });
    expect(JSON.stringify(await eventsOf(id))).toContain('no such order');
    await buysAgain('carl', 'not-placed');
    const { rows } = await api.ctx.store.query<{ wakes: number }>({
      text: 'select wakes from flows where key = $1',
      values: [`${id}_1`],
    });
    expect(rows[0]!.wakes).toBe(2);
  });

  test('is refused what is known already, what has not ended, and what is of another project', async () => {
    const decided = await ended('dora', 'twice');
    const decide = (id: string, ...more: string[]) =>
      purser('decide', id, 'placed', '--note', 'x', ...more);
    await decide(decided);
    await expect(decide(decided)).rejects.toThrow(
      /nothing to decide: the outcome of the checkout is placed/,
    );
    await expect(decide(await ended('dora', 'known', 'no'))).rejects.toThrow(
      /outcome of the checkout is not-placed/,
    );
    const { id: queued } = (await create('dora', 'queued')).body;
    await expect(decide(queued)).rejects.toThrow(/has not ended: it is queued/);
    await as('dora', 'DELETE', `/${queued}`);
    const undecided = await ended('dora', 'other-project');
    await expect(
      decide(undecided, '--project', '00000000-0000-4000-8000-000000000000'),
    ).rejects.toThrow(/not found/);
    await expect(
      purser('show', undecided, '--project', '00000000-0000-4000-8000-000000000000'),
    ).rejects.toThrow(/no checkout/);
  });

  test('of two who decide at once one is heard', async () => {
    const id = await ended('emil', 'at-once');
    const outcomes = await Promise.allSettled([
      purser('decide', id, 'placed', '--note', 'x'),
      purser('decide', id, 'not-placed', '--note', 'x'),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test.each([
    [['decide', 'x', 'placed', '--note', 'y'], /Name the checkout/],
    [
      ['decide', '00000000-0000-4000-8000-000000000000', 'maybe', '--note', 'y'],
      /placed or not-placed/,
    ],
    [['decide', '00000000-0000-4000-8000-000000000000', 'placed'], /--note is missing/],
    [
      [
        'decide',
        '00000000-0000-4000-8000-000000000000',
        'not-placed',
        '--note',
        'y',
        '--order',
        '1',
      ],
      /--order is/,
    ],
    [['list', '--status', 'lost'], /no status/],
    [['list', '--limit', '0'], /--limit/],
    [['forget'], /no "purser checkouts forget"/],
  ])('who types %j is told what is wrong', async (argv, sentence) => {
    await expect(purser(...argv)).rejects.toThrow(sentence);
  });
});
