import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardForRun } from '../../src/areas/agent-checkouts/cards/run-cards.ts';
import { agentCheckoutRoutes } from '../../src/areas/agent-checkouts/routes.ts';
import { askUser } from '../../src/areas/agent-checkouts/runs/run-ports.ts';
import { claimRun } from '../../src/areas/agent-checkouts/runs/runs.ts';
import { saveBrowserState } from '../../src/areas/browser-profiles/index.ts';
import { browserProfileRoutes } from '../../src/areas/browser-profiles/routes.ts';
import { buyerProfileRoutes } from '../../src/areas/buyer-profiles/routes.ts';
import { createSandboxIssuer } from '../../src/providers/card-source/index.ts';
import { apiRole } from '../../src/store/grants.ts';
import { rowMacMetrics } from '../../src/store/row-mac.ts';
import { startTestApi, type TestApi } from '../harness/http.ts';

/**
 * Somebody writes the main database, with the rights of the API, while an agent buys for a user.
 * Here the run asks what a browser's run asks.
 */
const origin = 'https://shop.example';
const total = { amountMinor: 39_90n, currency: 'USD' };
const path = '/unstable/agent-checkouts';

let api: TestApi;
beforeAll(async () => {
  const routes = [...agentCheckoutRoutes, ...browserProfileRoutes, ...buyerProfileRoutes];
  api = await startTestApi({
    routes,
    providers: (ctx) => ({ cardSource: createSandboxIssuer(ctx) }),
  });
});
afterAll(() => api?.close());

const sql = (text: string, ...values: unknown[]) =>
  api.ctx.store.transaction(async (tx) => {
    await tx.query({ text: `set local role ${apiRole}` });
    await tx.query({ text, values });
  });

/** A run that has asked its user to approve 39.90 dollars. */
async function asked(user: string) {
  const as = async (method: string, below = '', body?: unknown) =>
    api.call(method, `${path}${below}`, {
      key: api.clientKey,
      jwt: await api.userJwt(user),
      ...(body === undefined ? {} : { body }),
    });
  const created = await as('POST', '', {
    target: { kind: 'direct_url', url: `${origin}/p/${user}` },
    constraints: { maxCost: { amount: '50', currency: 'USD' } },
  });
  expect([created.status, created.text]).toEqual([200, expect.any(String)]);
  const surroundings = { allowedPrivateOrigins: [], paymentFrameOrigins: [] };
  const { hold } = (await claimRun(api.ctx, {
    runner: 'runner-1',
    leaseMs: 60_000,
    surroundings,
  }))!;
  const question = await askUser(api.ctx, hold, {
    kind: 'approve-purchase',
    origin,
    total,
    lines: [],
  });
  if ('stop' in question) throw new Error(question.stop);
  const { id } = created.body;
  const { actionId } = question.done;
  return {
    hold,
    actionId,
    approve: () =>
      as('POST', `/${id}/actions/${actionId}`, { action: 'submit', values: { approved: true } }),
  };
}

const cardsIssued = async () =>
  (await api.ctx.store.query({ text: 'select 1 from agent_checkout_cards' })).rowCount;

describe('who writes the database has no card charged', () => {
  it('for a purchase that its user has not approved', async () => {
    const { hold, actionId } = await asked('ann');
    await sql(
      `update agent_checkout_actions set status = 'submitted', answered_at = now() where id = $1`,
      actionId,
    );
    await expect(cardForRun(api.ctx, hold, { total, origin })).rejects.toMatchObject({
      code: 'internal-error',
    });
    expect(await cardsIssued()).toBe(0);
  });

  it('for more than its user was shown and has approved', async () => {
    const { hold, actionId, approve } = await asked('bea');
    const show = (minor: string) =>
      sql(
        `update agent_checkout_actions set request = jsonb_set(request, '{total,amountMinor}', to_jsonb($2::text)) where id = $1`,
        actionId,
        minor,
      );
    await show('399');
    const { status, text } = await approve();
    await show('3990');
    await cardForRun(api.ctx, hold, { total, origin }).catch(() => undefined);
    expect(await cardsIssued()).toBe(0);
    expect([status, text]).toEqual([500, expect.stringContaining('changed behind the service')]);
  });
});

describe('who writes the database has nothing bought but what was asked for', () => {
  const as = async (user: string, method: string, at: string, body?: unknown) =>
    api.call(method, at, {
      key: api.clientKey,
      jwt: await api.userJwt(user),
      ...(body === undefined ? {} : { body }),
    });
  const surroundings = { allowedPrivateOrigins: [], paymentFrameOrigins: [] };
  const claim = () => claimRun(api.ctx, { runner: 'runner-1', leaseMs: 60_000, surroundings });
  const order = async (user: string, more: object = {}) =>
    as(user, 'POST', path, {
      target: { kind: 'direct_url', url: `${origin}/p/${user}` },
      constraints: { maxCost: { amount: '50', currency: 'USD' } },
      ...more,
    });
  /** Somebody who is logged in at the shop, and lives somewhere. */
  async function victim(
    user: string,
  ): Promise<{ browserProfileId: string; buyerProfileId: string }> {
    const { id: browserProfileId } = (
      await as(user, 'POST', '/unstable/agent-checkouts/browser-profiles', {})
    ).body;
    const state = { cookies: [{ name: 'session', value: `of-${user}` }], origins: [] } as never;
    expect(
      await saveBrowserState(api.ctx, { profileId: browserProfileId, versionBefore: 0, state }),
    ).toBe(true);
    const buyer = {
      shipping: { addressLines: [`${user} street 1`], locality: 'Paris', countryCode: 'FR' },
    };
    return {
      browserProfileId,
      buyerProfileId: (await as(user, 'POST', '/unstable/agent-checkouts/buyer-profiles', buyer))
        .body.id,
    };
  }

  it.each([
    [
      'the logins of another',
      'browser_profile_id',
      ({ browserProfileId }: Awaited<ReturnType<typeof victim>>) => browserProfileId,
    ],
    [
      'the address of another',
      'buyer_profile_id',
      ({ buyerProfileId }: Awaited<ReturnType<typeof victim>>) => buyerProfileId,
    ],
    ['a higher cap', 'constraints', () => ({ maxCost: { amount: '5000', currency: 'USD' } })],
    ['another page', 'target', () => ({ kind: 'direct_url', url: 'https://thief.example/p' })],
    ['another user', 'user_id', () => undefined],
  ])(
    'with %s written into a checkout: no runner gets it, and it ends with an alarm',
    async (_what, column, valueOf) => {
      const whose = await victim(`victim-${column}`);
      const { id } = (await order(`thief-${column}`)).body;
      const value = valueOf(whose);
      if (value === undefined)
        await sql(
          `update agent_checkouts set user_id = (select user_id from buyer_profiles where id = $2) where id = $1`,
          id,
          whose.buyerProfileId,
        );
      else
        await sql(
          `update agent_checkouts set ${column} = $2 where id = $1`,
          id,
          typeof value === 'string' ? value : JSON.stringify(value),
        );
      const alarms = rowMacMetrics().changed;
      expect(await claim()).toBeUndefined();
      expect(rowMacMetrics().changed).toBe(alarms + 1);
      const { rows } = await api.ctx.store.query({
        text: 'select status, failure from agent_checkouts where id = $1',
        values: [id],
      });
      expect(rows).toMatchObject([
        {
          status: 'failed',
          failure: { message: expect.stringContaining('changed behind the service') },
        },
      ]);
    },
  );

  it('while a run is under way: it asks for nothing more and gets no card', async () => {
    const { hold, actionId, approve } = await asked('cyd');
    expect((await approve()).status).toBe(202);
    await sql(
      `update agent_checkouts set constraints = '{"maxCost":{"amount":"5000","currency":"USD"}}' where id = $1`,
      hold.checkoutId,
    );
    await expect(cardForRun(api.ctx, hold, { total, origin })).rejects.toMatchObject({
      code: 'internal-error',
    });
    const question = { kind: 'approve-purchase', origin, total, lines: [] } as const;
    await expect(askUser(api.ctx, hold, question)).rejects.toMatchObject({
      code: 'internal-error',
    });
    expect([await cardsIssued(), actionId]).toEqual([0, expect.any(String)]);
  });

  it('by making the browser profile of another his own', async () => {
    const { browserProfileId } = await victim('victim-profile');
    expect((await order('thief-profile')).status).toBe(200);
    const thiefs = `(select user_id from agent_checkouts where target->>'url' like '%thief-profile')`;
    await sql(`update browser_profiles set user_id = ${thiefs} where id = $1`, browserProfileId);
    const answer = await order('thief-profile', {
      target: { kind: 'direct_url', url: `${origin}/p/other` },
      browserProfileId,
    });
    expect([answer.status, answer.body.code]).toEqual([500, 'internal-error']);
    expect(
      (
        await as(
          'thief-profile',
          'GET',
          `/unstable/agent-checkouts/browser-profiles/${browserProfileId}`,
        )
      ).status,
    ).toBe(500);
  });
});
