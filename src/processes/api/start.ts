import { addWebhookMetrics } from '../../areas/webhooks/index.ts';
import { keepClock, partName } from '../../clock/index.ts';
import { loadConfig } from '../../config/load-config.ts';
import {
  addChainMetrics,
  addCounters,
  addScreeningMetrics,
  createMetrics,
  startMetricsServer,
} from '../../http/metrics.ts';
import { createMovableClock } from '../../lib/clock.ts';
import { createLogger } from '../../lib/log/log.ts';
import { rowMacMetrics } from '../../store/row-mac.ts';
import { composeCtx } from '../compose.ts';
import { plaintextWarning, type Running, runUntilSignal } from '../lifecycle.ts';
import { runApi } from './run.ts';

/**
 * The interface at {base_url}. Any number of these may run.
 * @throws when its settings refuse to start
 */
export async function startApi(env: NodeJS.ProcessEnv): Promise<void> {
  const config = loadConfig(env, { process: 'api' });
  const log = createLogger({ level: config.logLevel, process: 'api' });
  if (config.plaintextHosts?.length) log.warn(plaintextWarning(config.plaintextHosts));
  const clock = createMovableClock();
  const ctx = await composeCtx(config, { log, process: 'api', clock });
  const metrics = createMetrics();
  addChainMetrics(metrics, ctx);
  addScreeningMetrics(metrics, ctx);
  addCounters(metrics, 'purser_sealed_rows', () => ({ ...rowMacMetrics() }));
  addWebhookMetrics(metrics, ctx);
  const parts: Running[] = [{ name: 'store', stop: () => ctx.store.close() }];
  if (config.metrics) {
    const server = await startMetricsServer(metrics, config.metrics);
    parts.push({ name: 'metrics', stop: () => server.close() });
  }
  const kept = await keepClock({
    ...ctx,
    clock,
    environment: config.environment,
    part: partName('api'),
  });
  parts.push(kept, await runApi(ctx, { onFinished: metrics.onFinished }));
  const end = runUntilSignal(log, parts);
  void kept.refused.then(end);
}
