import { loadRunnerConfig } from '../../config/runner/load-runner-config.ts';
import { createMovableClock } from '../../lib/clock.ts';
import { createLogger } from '../../lib/log/log.ts';
import { logUnhandledRejections } from '../../runner/unhandled-rejections.ts';
import { plaintextWarning, type Running, runUntilSignal } from '../lifecycle.ts';
import { runRunner } from './run.ts';

/**
 * Browsers for agent checkouts. Any number of these may run, each on a machine or in a container
 * that reaches nothing of ours but the worker's gateway.
 * @throws when its settings refuse to start
 */
export async function startRunner(env: NodeJS.ProcessEnv): Promise<void> {
  const config = loadRunnerConfig(env);
  const log = createLogger({ level: config.logLevel, process: 'runner' });
  if (config.plaintextHosts.length > 0) log.warn(plaintextWarning(config.plaintextHosts));
  const parts: Running[] = [];
  if (config.metrics) {
    const { createMetrics, startMetricsServer } = await import('../../http/metrics.ts');
    const server = await startMetricsServer(createMetrics(), config.metrics);
    parts.push({ name: 'metrics', stop: () => server.close() });
  }
  logUnhandledRejections(log);
  parts.push(await runRunner(config, { log, clock: createMovableClock() }));
  const end = runUntilSignal(log, parts);
  // `npm start` holds our standard input open: when it ends, however that happens, so do we.
  if (process.argv.includes('--with-parent'))
    process.stdin.resume().once('close', () => end(new Error('The parent has ended.')));
}
