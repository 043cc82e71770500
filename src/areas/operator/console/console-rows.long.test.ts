import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsoleWorld, startConsoleWorld } from '../testing/console-kit.ts';
import { consoleRoutes } from './routes.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world?.close());

/** Each list and figure that there is, and what filters cost. */
const paths = consoleRoutes
  .filter(({ method, path }) => method === 'GET' && /^\/api\/[^:*]+$/.test(path))
  .map(({ path }) => path)
  // News that do not end.
  .filter((path) => path !== '/api/stream')
  .concat([
    '/api/orders?waiting=yes',
    '/api/orders?state=on_hold',
    '/api/events?type=orders.payment.failed',
  ]);
/** What nobody notices as waiting. */
const answerMaxMs = 200;

it.each([
  [0, 0],
  [3, 3],
  [10_000, 25],
])('each list has its first page at once, with %d rows', async (rows, shown) => {
  await world.sql(
    `insert into orders (id, project_id, kind, state, phase, quote_status, payment_status, delivery_status, client_secret_hash, request,
        facts, attention, version, created_at, updated_at)
      select gen_random_uuid(), $1, 'onramp', case when nr % 2 = 0 then 'on_hold' else 'delivered' end, 'payment', 'valid', 'in-progress',
        'awaiting-payment', decode(md5(nr::text), 'hex'),
        '{"locale":"en-US","payment":{"method":"card","currency":"usd"},"recipient":{},"lineItem":{"mode":"exact-in","amount":"1"}}', '{}',
        'looks like ' || nr, 1, $3::timestamptz + nr * interval '1 second', $3::timestamptz + nr * interval '1 second'
      from generate_series((select count(*) from orders), $2::int - 1) as nr`,
    world.projectId,
    rows,
    world.clock.now(),
  );
  await world.sql('analyze orders');
  const { cookie } = await world.anOperator('admin');
  for (const path of paths) {
    // The best of some: others use the machine too.
    const times: number[] = [];
    // Books are of one project.
    const asked = path.startsWith('/api/books') ? `${path}?project=${world.projectId}` : path;
    let answer = await world.call('GET', asked, { cookie });
    for (let count = 0; count < 7; count++) {
      const startedMs = performance.now();
      answer = await world.call('GET', asked, { cookie });
      times.push(performance.now() - startedMs);
    }
    const { status, body } = answer;
    const tookMs = Math.round(Math.min(...times));
    console.log(`${rows} rows: ${path} answers in ${tookMs} ms`);
    expect(status, path).toBe(200);
    expect(tookMs, path).toBeLessThan(answerMaxMs);
    if (path === '/api/inbox' || path === '/api/orders')
      expect(body.items, path).toHaveLength(shown);
  }
});
