import { keepClock, partName } from '../../src/clock/index.ts';
import { loadVaultConfig } from '../../src/config/vault/load-vault-config.ts';
import { createMovableClock } from '../../src/lib/clock.ts';
import { createLogger } from '../../src/lib/log/log.ts';
import { runUntilSignal } from '../../src/processes/lifecycle.ts';
import { composeVaultCtx } from '../../src/processes/vault/compose.ts';
import { runVault } from '../../src/processes/vault/run.ts';

// bin/vault.ts with one difference: the bank's stand-in is reached over plain HTTP, which a
// configuration refuses.

const { FAULTS_BANK_URL: url = '', ...variables } = process.env;
const loaded = loadVaultConfig(variables);
const config = {
  ...loaded,
  payouts: loaded.payouts.map((one) => (one.kind === 'column' ? { ...one, url } : one)),
};
const log = createLogger({ level: config.service.logLevel, process: 'vault' });
const clock = createMovableClock();
const ctx = await composeVaultCtx(config, { log, process: 'vault', clock });
const kept = await keepClock({
  ...ctx,
  clock,
  environment: config.service.environment,
  part: partName('vault'),
});
runUntilSignal(log, [
  { name: 'store', stop: () => ctx.store.close() },
  kept,
  await runVault(ctx, config, { checkAnswers: true }),
]);
