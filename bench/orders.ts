import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createDatabaseIfMissing, startPostgres } from '../devnet/index.ts';
import { selectOrders } from '../src/areas/orders/api/list-store.ts';
import { orderRoutes } from '../src/areas/orders/api/routes.ts';
import { fillOrders, listCases } from '../src/areas/orders/testing/list-fill-kit.ts';
import { developmentConfig } from '../src/config/development-config.ts';
import { migrationsFolder } from '../src/config/folders.ts';
import type { Ctx } from '../src/context.ts';
import { composeCtx } from '../src/processes/compose.ts';
import { migrate } from '../src/store/migrate.ts';
import { serveTestApi, type TestApi } from '../test/harness/http.ts';
import { startHttpLoad, startSqlLoad } from './load.ts';
import { type BenchOptions, interleave, type Measure, median, percentile } from './measure.ts';

const connections = 32;
const recipient = '0x1111111111111111111111111111111111111111';
const storedOrders = { quick: 50_000, full: 1_000_000 };
const pageSize = 31;
const warmSeconds = 6;

/**
 * Orders over HTTP beside the same statements sent straight to the same PostgreSQL, and lists of a
 * project with a million orders. No chain is asked: the orders wait for the address of their payer.
 */
export async function benchOrders(options: BenchOptions): Promise<Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-orders-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), log: () => undefined });
  await createDatabaseIfMissing(postgres.url('postgres'), 'purser');
  const databaseUrl = postgres.url('purser');
  const rpcUrls = new Map([['base-sepolia', 'http://127.0.0.1:1']]);
  const ctx = await composeCtx(
    developmentConfig({ dataDir: join(folder, 'service'), databaseUrl, rpcUrls }),
    {
      log: pino({ level: 'silent' }),
      process: 'bench',
    },
  );
  await migrate(ctx.store, migrationsFolder());
  const api = await serveTestApi(ctx, { routes: orderRoutes, server: { checkAnswers: false } });
  try {
    return [
      ...(await benchCreation(options, { api, databaseUrl })),
      ...(await benchLists(options, { ctx, projectId: api.projectId })),
    ];
  } finally {
    await api.close();
    await ctx.store.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchCreation(
  options: BenchOptions,
  { api, databaseUrl }: { readonly api: TestApi; readonly databaseUrl: string },
): Promise<Measure[]> {
  const [seconds, rounds] = options.quick ? [1, 2] : [3, 5];
  const [http, sql] = [startHttpLoad(), startSqlLoad()];
  try {
    options.progress(`create order: ${rounds} rounds`);
    const create = (forSeconds: number) =>
      http.run({
        baseUrls: [api.baseUrl],
        apiKey: api.serverKey,
        connections,
        seconds: forSeconds,
        request: { kind: 'create-order', recipient },
      });
    const insert = () =>
      sql.run({
        databaseUrl,
        connections,
        seconds,
        statement: { kind: 'create-order', projectId: api.projectId },
      });
    // Long enough for everything to be loaded, also on a busy machine.
    await create(warmSeconds);
    await insert();
    const { as, bs, ratio } = await interleave({
      rounds,
      a: () => create(seconds),
      b: insert,
      rateOf: { a: (one) => one.perSecond, b: (one) => one.perSecond },
    });
    const middle = (of: (one: (typeof as)[number]) => number) => median(as.map(of));
    const [p50, p99] = [middle((one) => one.p50Ms), middle((one) => one.p99Ms)];
    return [
      {
        name: 'create order',
        value: middle((one) => one.perSecond),
        unit: '/s',
        beside: { what: 'the same statements', value: median(bs.map((one) => one.perSecond)) },
        ratio,
        goal: { atLeast: 0.3 },
      },
      {
        name: 'create order, p99',
        value: p99,
        unit: 'ms',
        beside: { what: 'p50', value: p50 },
        ratio: p99 / p50,
        goal: { atMost: 10 },
      },
    ];
  } finally {
    http.close();
    sql.close();
  }
}

/** Pages from anywhere in the project's history, for each of the cases in turn. */
async function benchLists(
  options: BenchOptions,
  { ctx, projectId }: { readonly ctx: Ctx; readonly projectId: string },
): Promise<Measure[]> {
  const count = options.quick ? storedOrders.quick : storedOrders.full;
  options.progress(`lists over ${count} orders: storing them`);
  await fillOrders(ctx.store, { projectId, count });
  const times: number[] = [];
  const pages = options.quick ? 10 : 60;
  for (let round = 0; round < pages; round++) {
    const at = new Date(
      Date.parse('2023-01-01T00:00:00Z') + ((round * 7_919) % pages) * ((count * 90_000) / pages),
    );
    for (const { filter } of listCases)
      for (const order of ['desc', 'asc'] as const) {
        const startMs = performance.now();
        await selectOrders(
          ctx.store,
          { projectId, ...filter },
          { order, limit: pageSize, beyond: { at, id: ctx.ids.randomUuid() } },
        );
        times.push(performance.now() - startMs);
      }
  }
  const sorted = Float64Array.from(times).sort();
  const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)];
  return [
    {
      name: `list of ${count} orders, p99`,
      value: p99,
      unit: 'ms',
      beside: { what: 'the goal', value: 50 },
      ratio: p99 / 50,
      goal: { atMost: 1 },
    },
    { name: `list of ${count} orders, p50`, value: p50, unit: 'ms' },
  ];
}
