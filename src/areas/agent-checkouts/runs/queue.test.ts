import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/harness/http.ts';
import { sealRows } from '../../../../test/harness/seal-rows.ts';
import { agentCheckoutRoutes } from '../routes.ts';
import { sealedCheckouts } from '../store.ts';
import { claimRun } from './runs.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: agentCheckoutRoutes });
});
afterAll(() => api?.close());

const made = async (user: string): Promise<string> => {
  const target = { kind: 'direct_url', url: 'https://shop.example/p/1' };
  const body = { target, constraints: { maxCost: { amount: '50', currency: 'USD' } } };
  return (
    await api.call('POST', '/unstable/agent-checkouts', {
      key: api.clientKey,
      jwt: await api.userJwt(user),
      body,
    })
  ).body.id;
};

// With the runs of all counted anew for each that waits, this took minutes, and a runner waits for
// ten seconds.
test('the next run is found among thousands that wait, and is the one of the user who has none', {
  timeout: 30_000,
}, async () => {
  const [many, last] = [await made('ann'), await made('bea')];
  await api.ctx.store.query({
    text: `insert into agent_checkouts (id, project_id, user_id, status, target, constraints, item_key, run_after, created_at, updated_at)
           select gen_random_uuid(), project_id, user_id, status, target, constraints, item_key, run_after, created_at, updated_at
           from agent_checkouts, generate_series(1, 10000) where id = $1`,
    values: [many],
  });
  await sealRows(api.ctx.store, sealedCheckouts);
  const claim = () =>
    claimRun(api.ctx, {
      runner: 'r',
      leaseMs: 60_000,
      surroundings: { allowedPrivateOrigins: [], paymentFrameOrigins: [] },
    });
  expect((await claim())!.task.checkoutId).not.toBe(last);
  expect((await claim())!.task.checkoutId).toBe(last);
});
