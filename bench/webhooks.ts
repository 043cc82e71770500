import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { startPostgres } from '../devnet/postgres.ts';
import { createPoster } from '../src/areas/webhooks/deliveries/post.ts';
import { createEndpoint } from '../src/areas/webhooks/endpoints/endpoints.ts';
import { signWebhook } from '../src/areas/webhooks/endpoints/sign.ts';
import { targetRuleOf } from '../src/areas/webhooks/endpoints/target.ts';
import { createEventFeed, createSender } from '../src/areas/webhooks/index.ts';
import { appendEvents } from '../src/jobs/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemIds } from '../src/lib/id.ts';
import { Secret } from '../src/lib/sealing/secret.ts';
import { migrate } from '../src/store/migrate.ts';
import { createStore } from '../src/store/pool.ts';
import { createRowMacs } from '../src/store/row-mac.ts';
import { testConfig } from '../test/harness/config.ts';
import { type BenchOptions, interleave, type Measure, median, percentile } from './measure.ts';

const projectCount = 100;
const endpointsPerProject = 10;
const postersAtOnce = 256;
const steadyEventsPerSecond = 40;
const p99GoalMs = 1_000;

interface Arrival {
  readonly n: number;
  readonly atMs: number;
}

interface Receivers {
  readonly ports: readonly number[];
  count(): Promise<number>;
  /** What arrived since the last time. */
  take(): Promise<Arrival[]>;
}

const nowMs = () => performance.timeOrigin + performance.now();

/**
 * Measures webhooks with 1,000 endpoints of 100 projects, on a durable PostgreSQL of its own and
 * with receivers in a process of theirs: first attempts per second beside a bare loop of the same
 * signed requests, and the time from an event's commit to its arrival under a steady load.
 */
export async function benchWebhooks(options: BenchOptions): Promise<Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-webhooks-'));
  const postgres = await startPostgres({ dataDir: folder, log: () => undefined });
  const child = fork(fileURLToPath(new URL('./webhook-receiver.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  });
  const config = testConfig();
  const rowMacs = createRowMacs(config.keyEncryptionKeys);
  const store = createStore({
    url: postgres.url('postgres'),
    poolSize: 8,
    applicationName: 'bench',
    rowMacs,
  });
  const ctx = { config, store, clock: systemClock, ids: systemIds, log: pino({ level: 'error' }) };
  const [feed, sender] = [createEventFeed(ctx), createSender(ctx)];
  try {
    const receivers = await openReceivers(child);
    await migrate(store, fileURLToPath(new URL('../migrations/main', import.meta.url)));
    options.progress(`webhooks: ${projectCount * endpointsPerProject} endpoints`);
    const projects = Array.from({ length: projectCount }, () => systemIds.uuid());
    for (const [nr, projectId] of projects.entries()) {
      for (let n = 0; n < endpointsPerProject; n++) {
        const port = receivers.ports[(nr * endpointsPerProject + n) % receivers.ports.length]!;
        await createEndpoint(ctx, { projectId, url: `http://127.0.0.1:${port}/${nr}/${n}` });
      }
    }
    await store.query({ text: 'analyze' });
    feed.start();
    sender.start();
    const bench: Bench = {
      options,
      receivers,
      projects,
      append: (events) => store.transaction((tx) => appendEvents(tx, events)),
    };
    return [...(await measureThroughput(bench)), ...(await measureLatency(bench))];
  } finally {
    await feed.stop();
    await sender.stop();
    await store.close();
    child.kill();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Bench {
  readonly options: BenchOptions;
  readonly receivers: Receivers;
  readonly projects: readonly string[];
  append(events: Parameters<typeof appendEvents>[1]): Promise<void>;
}

function anEvent({ projects }: Bench, n: number) {
  const data = {
    n,
    orderId: systemIds.uuid(),
    phase: 'completed',
    payment: { status: 'completed', amount: '12.50', currency: 'usd' },
  };
  return {
    projectId: projects[n % projects.length]!,
    type: 'orders.payment.succeeded',
    object: `order:${systemIds.uuid()}`,
    data,
  };
}

async function measureThroughput(bench: Bench): Promise<Measure[]> {
  const { options } = bench;
  const count = options.quick ? 100 : 1_000;
  await sendAll(bench, 100);
  await postBare(bench, 1_000);
  options.progress(
    `webhooks: first attempts of ${count} events at ${endpointsPerProject} endpoints each, in turn with bare requests`,
  );
  const { as, bs, ratio } = await interleave({
    rounds: options.quick ? 1 : 3,
    a: () => sendAll(bench, count),
    b: () => postBare(bench, count * endpointsPerProject),
    rateOf: { a: (perSecond) => perSecond, b: (perSecond) => perSecond },
  });
  return [
    {
      name: 'webhooks, first attempts',
      value: median(as),
      unit: '/s',
      beside: { what: 'the same signed requests in a bare loop', value: median(bs), unit: '/s' },
      ratio,
    },
  ];
}

/** @returns deliveries per second, from the first commit to the last arrival */
async function sendAll(bench: Bench, count: number): Promise<number> {
  await bench.receivers.take();
  const startedMs = nowMs();
  for (let n = 0; n < count; n += 100)
    await bench.append(
      Array.from({ length: Math.min(100, count - n) }, (_, k) => anEvent(bench, n + k)),
    );
  const arrivals = await takeAll(bench.receivers, count * endpointsPerProject);
  return arrivals.length / ((Math.max(...arrivals.map(({ atMs }) => atMs)) - startedMs) / 1_000);
}

/** The same requests without a database: sign and post. */
async function postBare(bench: Bench, count: number): Promise<number> {
  const { receivers } = bench;
  await receivers.take();
  const poster = createPoster({ rule: targetRuleOf('development') });
  const secrets = [new Secret<Uint8Array>(systemIds.bytes(32))];
  const startedMs = nowMs();
  let next = 0;
  const run = async () => {
    while (next < count) {
      const n = next++;
      const { type, data } = anEvent(bench, n);
      const [id, body] = [systemIds.uuid(), JSON.stringify({ actionId: data.orderId, type, data })];
      const headers = {
        ...signWebhook({ id, at: new Date(), body, secrets }),
        'content-type': 'application/json; charset=utf-8',
      };
      await poster.post({
        url: `http://127.0.0.1:${receivers.ports[n % receivers.ports.length]}/${n}`,
        headers,
        body,
      });
    }
  };
  await Promise.all(Array.from({ length: postersAtOnce }, run));
  const perSecond = count / ((nowMs() - startedMs) / 1_000);
  poster.close();
  await takeAll(receivers, count);
  return perSecond;
}

async function measureLatency(bench: Bench): Promise<Measure[]> {
  const { options, receivers } = bench;
  const seconds = options.quick ? 2 : 10;
  options.progress(
    `webhooks: ${steadyEventsPerSecond * endpointsPerProject} deliveries per second for ${seconds} s`,
  );
  await receivers.take();
  const committedMs: number[] = [];
  const startedMs = nowMs();
  for (let n = 0; n < steadyEventsPerSecond * seconds; n++) {
    await delay(Math.max(0, startedMs + (n * 1_000) / steadyEventsPerSecond - nowMs()));
    await bench.append([anEvent(bench, n)]);
    committedMs.push(nowMs());
  }
  const arrivals = await takeAll(receivers, committedMs.length * endpointsPerProject);
  const sorted = arrivals.map(({ n, atMs }) => atMs - committedMs[n]!).toSorted((a, b) => a - b);
  const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)];
  return [
    { name: 'webhooks, commit to arrival, p50', value: p50, unit: 'ms' },
    {
      name: 'webhooks, commit to arrival, p99',
      value: p99,
      unit: 'ms',
      beside: { what: 'at most', value: p99GoalMs, unit: 'ms' },
      ratio: p99 / p99GoalMs,
      goal: { atMost: 1 },
    },
  ];
}

async function openReceivers(child: ChildProcess): Promise<Receivers> {
  const [{ ports }] = (await once(child, 'message')) as [{ ports: number[] }];
  const ask = async <T>(what: 'count' | 'take'): Promise<T> => {
    child.send(what);
    const [answer] = (await once(child, 'message')) as [T];
    return answer;
  };
  return {
    ports,
    count: async () => (await ask<{ count: number }>('count')).count,
    take: async () => (await ask<{ arrivals: Arrival[] }>('take')).arrivals,
  };
}

/** Waits until so many arrived, and answers them. */
async function takeAll(receivers: Receivers, count: number): Promise<Arrival[]> {
  for (let tries = 0; (await receivers.count()) < count; tries++) {
    if (tries > 6_000)
      throw new Error(
        `Only ${await receivers.count()} of ${count} webhooks arrived within two minutes.`,
      );
    await delay(20);
  }
  return receivers.take();
}
