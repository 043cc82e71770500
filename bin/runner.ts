import { loadRunnerConfig } from '../src/config/runner/load-runner-config.ts';
import { createMovableClock } from '../src/lib/clock.ts';
import { createLogger } from '../src/lib/log/log.ts';
import { hearUnheard } from '../src/runner/unheard.ts';
import { exitWith, plaintextWarning, type Running, runUntilSignal } from './lifecycle.ts';
import { runRunner } from './run-runner.ts';

// Browsers for agent checkouts. Any number of these may run, each on a machine or in a container that reaches nothing of ours but
// the worker's door.
try {
  const config = loadRunnerConfig(process.env);
  const log = createLogger({ level: config.logLevel, process: 'runner' });
  if (config.plaintextHosts.length > 0) log.warn(plaintextWarning(config.plaintextHosts));
  const parts: Running[] = [];
  if (config.metrics) {
    const { createMetrics, startMetricsServer } = await import('../src/http/metrics.ts');
    const server = await startMetricsServer(createMetrics(), config.metrics);
    parts.push({ name: 'metrics', stop: () => server.close() });
  }
  hearUnheard(log);
  parts.push(await runRunner(config, { log, clock: createMovableClock() }));
  const end = runUntilSignal(log, parts);
  // `npm start` holds our standard input open: when it ends, however that happens, so do we.
  if (process.argv.includes('--with-parent')) process.stdin.resume().once('close', () => end(new Error('The parent has ended.')));
} catch (error) {
  exitWith(error);
}
