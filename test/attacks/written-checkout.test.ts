import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardForRun } from '../../src/areas/agent-checkouts/cards/run-cards.ts';
import { agentCheckoutRoutes } from '../../src/areas/agent-checkouts/routes.ts';
import { askUser } from '../../src/areas/agent-checkouts/runs/run-ports.ts';
import { claimRun } from '../../src/areas/agent-checkouts/runs/runs.ts';
import { createSandboxIssuer } from '../../src/providers/card-source/index.ts';
import { apiRole } from '../../src/store/grants.ts';
import { startTestApi, type TestApi } from '../harness/http.ts';

/** Somebody writes the main database, with the rights of the API, while an agent buys for a user. Here the run asks what a browser's run asks. */
const origin = 'https://shop.example';
const total = { amountMinor: 39_90n, currency: 'USD' };
const path = '/unstable/agent-checkouts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: agentCheckoutRoutes, providers: (ctx) => ({ cardSource: createSandboxIssuer(ctx) }) });
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
    api.call(method, `${path}${below}`, { key: api.clientKey, jwt: await api.userJwt(user), ...(body === undefined ? {} : { body }) });
  const created = await as('POST', '', {
    target: { kind: 'direct_url', url: `${origin}/p/${user}` },
    constraints: { maxCost: { amount: '50', currency: 'USD' } },
  });
  expect([created.status, created.text]).toEqual([200, expect.any(String)]);
  const surroundings = { allowedPrivateOrigins: [], paymentFrameOrigins: [] };
  const { hold } = (await claimRun(api.ctx, { runner: 'runner-1', leaseMs: 60_000, surroundings }))!;
  const question = await askUser(api.ctx, hold, { kind: 'approve-purchase', origin, total, lines: [] });
  if ('stop' in question) throw new Error(question.stop);
  const { id } = created.body;
  const { actionId } = question.done;
  return { hold, actionId, approve: () => as('POST', `/${id}/actions/${actionId}`, { action: 'submit', values: { approved: true } }) };
}

const cardsIssued = async () => (await api.ctx.store.query({ text: 'select 1 from agent_checkout_cards' })).rowCount;

describe('who writes the database has no card charged', () => {
  it('for a purchase that its user has not approved', async () => {
    const { hold, actionId } = await asked('ann');
    await sql(`update agent_checkout_actions set status = 'submitted', answered_at = now() where id = $1`, actionId);
    await expect(cardForRun(api.ctx, hold, { total, origin })).rejects.toMatchObject({ code: 'internal-error' });
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
