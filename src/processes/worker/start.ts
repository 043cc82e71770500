import { operatorActionMetrics } from '../../areas/operator/index.ts';
import { sweepMetrics } from '../../areas/orders/index.ts';
import { addReconciliationMetrics } from '../../areas/reconciliation/index.ts';
import { addWebhookMetrics, webhookCounters } from '../../areas/webhooks/index.ts';
import { keepClock, moveVaultClock, partName } from '../../clock/index.ts';
import { loadConfig } from '../../config/load-config.ts';
import {
  addChainMetrics,
  addCounters,
  addRelayMetrics,
  addScreeningMetrics,
  createMetrics,
  startMetricsServer,
} from '../../http/metrics.ts';
import { jobsMetrics } from '../../jobs/index.ts';
import { createMovableClock } from '../../lib/clock.ts';
import { createLogger } from '../../lib/log/log.ts';
import { rowMacMetrics } from '../../store/row-mac.ts';
import { composeCtx } from '../compose.ts';
import { plaintextWarning, type Running, runUntilSignal } from '../lifecycle.ts';
import { runWorker } from './run.ts';

/**
 * Durable work: transactions on their way to the chain, watchers, timers. Any number of these may
 * run.
 * @throws when its settings refuse to start
 */
export async function startWorker(env: NodeJS.ProcessEnv): Promise<void> {
  const config = loadConfig(env, { process: 'worker' });
  const log = createLogger({ level: config.logLevel, process: 'worker' });
  if (config.plaintextHosts?.length) log.warn(plaintextWarning(config.plaintextHosts));
  const clock = createMovableClock();
  const ctx = await composeCtx(config, { log, process: 'worker', clock });
  const parts: Running[] = [{ name: 'store', stop: () => ctx.store.close() }];
  if (config.metrics) {
    const metrics = createMetrics();
    addChainMetrics(metrics, ctx);
    addRelayMetrics(metrics, ctx);
    addScreeningMetrics(metrics, ctx);
    addCounters(metrics, 'purser_sealed_rows', () => ({ ...rowMacMetrics() }));
    addCounters(metrics, 'purser_jobs', () => ({ ...jobsMetrics() }));
    addCounters(metrics, 'purser_webhooks', webhookCounters);
    addCounters(metrics, 'purser_orders_sweep', () => ({ ...sweepMetrics() }));
    addCounters(metrics, 'purser_operator_actions', () => ({ ...operatorActionMetrics() }));
    addWebhookMetrics(metrics, ctx);
    addReconciliationMetrics(metrics, ctx);
    const server = await startMetricsServer(metrics, config.metrics);
    parts.push({ name: 'metrics', stop: () => server.close() });
  }
  const part = partName('worker');
  const kept = await keepClock({
    ...ctx,
    clock,
    environment: config.environment,
    part,
    onMoved: (aheadMs) => moveVaultClock(ctx, aheadMs),
  });
  parts.push(kept, await runWorker(ctx));
  const end = runUntilSignal(log, parts);
  void kept.refused.then(end);
}
