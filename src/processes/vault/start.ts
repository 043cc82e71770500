import { keepClock, partName } from '../../clock/index.ts';
import { loadVaultConfig } from '../../config/vault/load-vault-config.ts';
import { createMetrics, startMetricsServer } from '../../http/metrics.ts';
import { createMovableClock } from '../../lib/clock.ts';
import { createLogger } from '../../lib/log/log.ts';
import { checkProcessMemory, readProcessMemory } from '../../vault/server/process-memory.ts';
import { plaintextWarning, type Running, runUntilSignal } from '../lifecycle.ts';
import { composeVaultCtx } from './compose.ts';
import { runVault } from './run.ts';

/**
 * The interface at {vault_url}: account numbers and their use. Any number of these may run.
 * @throws when its settings refuse to start
 */
export async function startVault(env: NodeJS.ProcessEnv): Promise<void> {
  const config = loadVaultConfig(env);
  if (config.service.environment === 'production') checkProcessMemory(readProcessMemory(env));
  const log = createLogger({ level: config.service.logLevel, process: 'vault' });
  if (config.service.plaintextHosts?.length)
    log.warn(plaintextWarning(config.service.plaintextHosts));
  const clock = createMovableClock();
  const ctx = await composeVaultCtx(config, { log, process: 'vault', clock });
  const metrics = createMetrics();
  const parts: Running[] = [{ name: 'store', stop: () => ctx.store.close() }];
  if (config.service.metrics) {
    const server = await startMetricsServer(metrics, config.service.metrics);
    parts.push({ name: 'metrics', stop: () => server.close() });
  }
  const kept = await keepClock({
    ...ctx,
    clock,
    environment: config.service.environment,
    part: partName('vault'),
  });
  parts.push(
    kept,
    await runVault(ctx, config, {
      checkAnswers: config.service.environment === 'development',
      onFinished: metrics.onFinished,
    }),
  );
  const end = runUntilSignal(log, parts);
  void kept.refused.then(end);
  // `npm start` holds our standard input open: when it ends, however that happens, so do we.
  if (process.argv.includes('--with-parent'))
    process.stdin.resume().once('close', () => end(new Error('The parent has ended.')));
}
