import { startConsoleWorld } from '../src/areas/operator/testing/console-kit.ts';
import type { Statement } from '../src/store/types.ts';
import { type BenchOptions, type Measure, median } from './measure.ts';

const answerMaxMs = 200;
const reads = 9;
/**
 * What an operator opens, with the filters that he has; `behind` is a place in the middle of the
 * list.
 */
const lists = [
  '/inbox',
  '/inbox/count',
  '/orders',
  '/orders?waiting=yes',
  '/orders?state=on_hold',
  '/orders?state=closed',
  '/wallets',
  '/wallets?chainType=solana',
  '/wallets?find=0x000000000000000000000000000000000000000a',
  '/checkouts',
  '/liquidity',
  '/payouts',
  '/payouts?status=returned',
  '/payouts?late=yes',
  '/payouts?status=rejected',
  '/payouts?rail=sepa',
  '/events',
  '/events?object=order:0',
  '/audit',
  '/health',
  '/health/hours',
];

/**
 * Lists of the operators' console over many rows: how long each takes to answer, with the rights of
 * the API.
 */
export async function benchConsole(options: BenchOptions): Promise<Measure[]> {
  const rows = options.quick ? 10_000 : 1_000_000;
  const world = await startConsoleWorld();
  try {
    options.progress(`console: ${rows.toLocaleString('en')} orders`);
    await fill(world, rows);
    const { cookie } = await world.anOperator('admin');
    const asked = watchStatements(world.apiCtx.store);
    const measures: Measure[] = [];
    for (const path of lists) {
      const times: number[] = [];
      for (let count = 0; count < reads; count++) {
        asked.length = 0;
        const startedMs = performance.now();
        const { status, body } = await world.call('GET', `/api${path}`, { cookie });
        times.push(performance.now() - startedMs);
        if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
      }
      const ms = median(times);
      measures.push({
        name: `console ${path}`,
        value: ms,
        unit: 'ms',
        beside: { what: 'promised', value: answerMaxMs, unit: 'ms' },
        ratio: ms / answerMaxMs,
        goal: { atMost: 1 },
      });
      const slowest = asked.toSorted((a, b) => b.ms - a.ms)[0];
      if (slowest && slowest.ms > answerMaxMs / 4)
        await explain(world, path, slowest.statement, options);
    }
    return measures;
  } finally {
    await world.close();
  }
}

type World = Awaited<ReturnType<typeof startConsoleWorld>>;

/** What the service asks of the database from now on, and how long each took. */
function watchStatements(store: World['apiCtx']['store']): { statement: Statement; ms: number }[] {
  const asked: { statement: Statement; ms: number }[] = [];
  const query = store.query.bind(store);
  Object.assign(store, {
    query: async (statement: Statement) => {
      const startedMs = performance.now();
      const answer = await query(statement);
      asked.push({ statement, ms: performance.now() - startedMs });
      return answer;
    },
  });
  return asked;
}

/** The plan of what was slow, for whoever mends it. */
async function explain(
  world: World,
  path: string,
  { text, values }: Statement,
  options: BenchOptions,
): Promise<void> {
  const { rows } = await world.ctx.store.query<{ 'QUERY PLAN': string }>({
    text: `explain (analyze, buffers, costs off) ${text}`,
    values: values ?? [],
  });
  options.progress(
    [`${path} asks slowly:`, ...rows.map((row) => `  ${row['QUERY PLAN']}`)].join('\n'),
  );
}

const usd = { currency: 'usd', asset: 'usd', decimals: 2, amountMinor: '10000' };
const receive = {
  currency: 'usdc',
  asset: 'base-sepolia:0x036c',
  decimals: 6,
  amountMinor: '98500000',
};
const terms = {
  mode: 'exact-in',
  pay: usd,
  receive,
  fees: [],
  value: usd,
  unit: usd,
  rate: '1',
  maxSlippageBps: 50,
};

const fillTimeoutMs = 5 * 60_000;
/** A statement has a time, whatever it does. */
const rowsPerStatement = 50_000;

/**
 * Orders as a shop of some size has them: most have ended, one in a thousand waits, one in three
 * was paid out.
 */
async function fill(world: World, rows: number): Promise<void> {
  const { projectId, clock } = world;
  const query = (text: string, ...values: unknown[]) =>
    world.ctx.store.query({ text, values, timeoutMs: fillTimeoutMs });
  for (let from = 1; from <= rows; from += rowsPerStatement) {
    const until = Math.min(from + rowsPerStatement - 1, rows);
    await query(
      `insert into orders (id, project_id, kind, state, phase, quote_status, payment_status, delivery_status, client_secret_hash, request,
        terms, facts, attention, payout_id, deadline_at, version, created_at, updated_at)
      select gen_random_uuid(), $1, case when nr % 3 = 0 then 'offramp' else 'onramp' end,
        case when nr % 1000 = 1 then 'on_hold' when nr % 1000 = 2 then 'delivering' when nr % 3 = 0 then 'payout_final'
          when nr % 50 = 7 then 'refunded' else 'delivered' end,
        case when nr % 1000 in (1, 2) then 'delivery' else 'completed' end, 'valid', 'completed', 'completed', decode(md5(nr::text), 'hex'),
        '{"locale":"en-US","payment":{"method":"card","currency":"usd"},"recipient":{},"lineItem":{"mode":"exact-in","amount":"1"}}',
$4::jsonb,
        case when nr % 3 = 0 then jsonb_build_object('payout', jsonb_build_object('id', md5('p' || nr)::uuid, 'rail', 'ach', 'currency', 'usd',
          'amountMinor', '9850', 'status', case when nr % 300 = 0 then 'returned' else 'final' end, 'askedAt', '2026-01-01T00:00:00.000Z')) else '{}' end,
        case when nr % 5000 = 3 then 'a dispute' end, case when nr % 3 = 0 then md5('p' || nr)::uuid end,
        case when nr % 1000 in (1, 2) then $3::timestamptz + interval '1 day' end, 1, $3::timestamptz - nr * interval '1 second', $3
      from generate_series($5::int, $2::int) nr`,
      projectId,
      until,
      clock.now(),
      JSON.stringify(terms),
      from,
    );
    await query(
      `insert into events (id, position, project_id, type, object, payload, created_at)
      select gen_random_uuid(), nr, $1, case when nr % 1000 = 0 then 'wallets.transfer.out' else 'orders.delivery.completed' end,
        'order:' || md5(nr::text)::uuid, '{"data":{}}', $3::timestamptz + (nr - $5::int) * interval '1 second'
      from generate_series($4::int, $2::int) nr`,
      projectId,
      until,
      clock.now(),
      from,
      rows,
    );
    await query(
      `insert into wallets (id, project_id, chain_type, type, address, address_key, owner, owner_key, admin_signer, setup, created_at)
      select gen_random_uuid(), $1, case when nr % 10 = 0 then 'solana' else 'evm' end, 'smart', '0x' || lpad(to_hex(nr), 40, '0'),
        '0x' || lpad(to_hex(nr), 40, '0'), 'userId:' || nr, 'userId:' || nr, '{"type":"api-key"}', '{}',
        $3::timestamptz - nr * interval '1 second'
      from generate_series($4::int, $2::int) nr where nr % 5 = 0`,
      projectId,
      until,
      clock.now(),
      from,
    );
  }
  await query('vacuum analyze orders');
  await query('vacuum analyze events');
  await query('analyze');
}
