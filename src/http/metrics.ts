import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
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
  const requests = new Counter({ name: 'purser_http_requests_total', help: 'Finished HTTP requests.', labelNames, registers: [registry] });
  const durations = new Histogram({
    name: 'purser_http_request_duration_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['method', 'route'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  // Looking a label set up by its values costs more than counting, and there are few sets: routes times statuses.
  const children = new Map<string, { count: Counter.Internal; observe: Histogram.Internal<'method' | 'route'> }>();
  return {
    registry,
    onFinished({ method, route, status, durationMs }) {
      const key = `${method} ${route} ${status}`;
      let child = children.get(key);
      if (!child) {
        child = { count: requests.labels(method, route, String(status)), observe: durations.labels(method, route) };
        children.set(key, child);
      }
      child.count.inc();
      child.observe.observe(durationMs / 1_000);
    },
  };
}

/** Serves `/metrics`, and nothing else, on a port that is not the public one. */
export async function startMetricsServer(metrics: Metrics, address: { readonly host: string; readonly port: number }): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":true,"message":"Only GET /metrics is served here."}');
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
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
