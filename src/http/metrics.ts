import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Ctx } from '../context.ts';
import { callTotals } from '../lib/net/call-counts.ts';
import type { ServerOptions } from './server.ts';

export interface Metrics {
  /** Other parts add their own counters here. */
  readonly registry: Registry;
  /** For `createServer`. */
  readonly onFinished: NonNullable<ServerOptions['onFinished']>;
}

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** One per process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'purser_http_requests_total',
    help: 'Finished HTTP requests.',
    labelNames,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'purser_http_request_duration_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['method', 'route'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  addCallMetrics(registry);
  // Looking a label set up by its values costs more than counting, and there are few sets: routes
  // times statuses.
  const children = new Map<
    string,
    { count: Counter.Internal; observe: Histogram.Internal<'method' | 'route'> }
  >();
  return {
    registry,
    onFinished({ method, route, status, durationMs }) {
      const key = `${method} ${route} ${status}`;
      let child = children.get(key);
      if (!child) {
        child = {
          count: requests.labels(method, route, String(status)),
          observe: durations.labels(method, route),
        };
        children.set(key, child);
      }
      child.count.inc();
      child.observe.observe(durationMs / 1_000);
    },
  };
}

/** Calls of this process to companies and nodes, and those without a usable answer. */
function addCallMetrics(registry: Registry): void {
  for (const [name, help, field] of [
    ['purser_provider_calls_total', 'Calls to companies and nodes.', 'calls'],
    ['purser_provider_failures_total', 'Calls that had no usable answer.', 'failures'],
  ] as const) {
    const counter: Counter<'provider'> = new Counter({
      name,
      help,
      labelNames: ['provider'] as const,
      registers: [registry],
      collect: () => {
        counter.reset();
        for (const { provider, ...sums } of callTotals()) counter.inc({ provider }, sums[field]);
      },
    });
  }
}

/**
 * Adds how the watching of chains goes, read from the database at each scrape: it shows although
 * every worker is dead.
 */
export function addChainMetrics({ registry }: Metrics, ctx: Pick<Ctx, 'chains' | 'log'>): void {
  // The gauges of one scrape are collected at once and share one reading.
  let reading: Promise<void> | undefined;
  const collect = () => (reading ??= read().finally(() => (reading = undefined)));
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['chain'] as const, registers: [registry], collect });
  const lag = gauge('purser_chain_lag_blocks', 'Blocks known and not read.');
  const silent = gauge('purser_chain_silent_seconds', 'Time since a node last answered a watcher.');
  const followed = gauge('purser_chain_followed', '1 while a worker follows the chain.');
  const failing = gauge('purser_chain_failing', '1 while the chain cannot be read.');

  async function read(): Promise<void> {
    for (const one of [lag, silent, followed, failing]) one.reset();
    try {
      for (const status of (
        await Promise.all(ctx.chains.families.map((family) => family.watchStatus()))
      ).flat()) {
        const labels = { chain: status.chain };
        lag.set(labels, Number(status.lagBlocks));
        silent.set(labels, status.silentMs / 1_000);
        followed.set(labels, status.followed ? 1 : 0);
        failing.set(labels, status.failure === undefined ? 0 : 1);
      }
    } catch (error) {
      ctx.log.warn({ err: error }, 'the status of the chain watchers cannot be read');
    }
  }
}

/** Adds how the relay goes, read from the database at each scrape. */
export function addRelayMetrics({ registry }: Metrics, ctx: Pick<Ctx, 'chains' | 'log'>): void {
  let reading: Promise<void> | undefined;
  const collect = () => (reading ??= read().finally(() => (reading = undefined)));
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry], collect });
  const queued = gauge('purser_relay_queued', 'Operations waiting to be sent.', ['chain']);
  const inFlight = gauge('purser_relay_in_flight', 'Operations sent and not confirmed.', ['chain']);
  const oldest = gauge(
    'purser_relay_oldest_queued_seconds',
    'Age of the oldest waiting operation.',
    ['chain'],
  );
  const balance = gauge(
    'purser_relay_account_balance_minor',
    'Native balance of an account that pays fees, in the smallest unit, rounded to a float.',
    ['chain', 'address', 'role'],
  );
  const spent = gauge(
    'purser_relay_spent_last_hour_minor',
    'Fees of the last hour, in the smallest unit, rounded to a float.',
    ['chain'],
  );
  const chainAlarm = gauge(
    'purser_relay_chain_alarm',
    '1 while a chain as a whole does not work as it should.',
    ['chain'],
  );
  const alarm = gauge('purser_relay_account_alarm', '1 while an account cannot work.', [
    'chain',
    'address',
    'role',
  ]);

  async function read(): Promise<void> {
    for (const one of [queued, inFlight, oldest, balance, spent, chainAlarm, alarm]) one.reset();
    try {
      for (const status of (
        await Promise.all(ctx.chains.families.map((family) => family.relayStatus()))
      ).flat()) {
        const { chain } = status;
        queued.set({ chain }, status.queued);
        inFlight.set({ chain }, status.inFlight);
        oldest.set({ chain }, status.oldestQueuedMs / 1_000);
        spent.set({ chain }, Number(status.spentHourMinor));
        chainAlarm.set({ chain }, status.alarm === undefined ? 0 : 1);
        for (const account of status.accounts) {
          const labels = { chain, address: account.address, role: account.role };
          if (account.balanceMinor !== undefined) balance.set(labels, Number(account.balanceMinor));
          alarm.set(labels, account.alarm === undefined ? 0 : 1);
        }
      }
    } catch (error) {
      ctx.log.warn({ err: error }, 'the status of the relay cannot be read');
    }
  }
}

/**
 * Adds the sanctions lists of this process; each scrape looks at their files, so that none goes
 * stale unseen.
 */
export function addScreeningMetrics({ registry }: Metrics, ctx: Pick<Ctx, 'providers'>): void {
  const collect = () => {
    for (const one of [entries, alarm]) one.reset();
    for (const status of ctx.providers.screening.status()) {
      entries.set({ list: status.list }, status.entryCount);
      alarm.set({ list: status.list }, status.alarm === undefined ? 0 : 1);
    }
  };
  const entries = new Gauge({
    name: 'purser_screening_list_entries',
    help: 'Addresses on a sanctions list in use.',
    labelNames: ['list'],
    registers: [registry],
    collect,
  });
  const alarm = new Gauge({
    name: 'purser_screening_list_alarm',
    help: '1 while the file of a sanctions list cannot be read.',
    labelNames: ['list'],
    registers: [registry],
    collect,
  });
}

/** Adds plain counters of this process, e.g. those of the jobs: `purser_jobs_flows_done_total`. */
export function addCounters(
  { registry }: Metrics,
  prefix: string,
  readCounters: () => Readonly<Record<string, number>>,
): void {
  const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  for (const name of Object.keys(readCounters())) {
    const counter: Counter = new Counter({
      name: `${prefix}_${snake(name)}_total`,
      help: `${snake(name).replaceAll('_', ' ')} since the process started.`,
      registers: [registry],
      collect: () => {
        counter.reset();
        counter.inc(readCounters()[name] ?? 0);
      },
    });
  }
}

/** Serves `/metrics`, and nothing else, on a port that is not the public one. */
export async function startMetricsServer(
  metrics: Metrics,
  address: { readonly host: string; readonly port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics' || request.method !== 'GET') {
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"error":true,"message":"Only GET /metrics is served here."}');
      return;
    }
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
