import { keepClock, moveVaultClock, partName } from '../../src/clock/index.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { createMovableClock } from '../../src/lib/clock.ts';
import { createLogger } from '../../src/lib/log/log.ts';
import { composeCtx } from '../../src/processes/compose.ts';
import { runUntilSignal } from '../../src/processes/lifecycle.ts';
import { runWorker } from '../../src/processes/worker/run.ts';
import { createFileScreening } from '../../src/providers/screening/files.ts';

// bin/worker.ts with two differences: the local node has final blocks of its own, as public ones
// have, and a sanctions list that changes in the middle of an order is read at once.

const { FAULTS_SANCTIONS: list = '', FAULTS_CHAIN: chain = '', ...variables } = process.env;
const config = loadConfig(variables, { process: 'worker' });
const log = createLogger({ level: config.logLevel, process: 'worker' });
const clock = createMovableClock();
const composed = await composeCtx(config, { log, process: 'worker', clock });
const screening = createFileScreening({ paths: [list], clock, log, checkEveryMs: 0, settleMs: 0 });
const ctx = { ...composed, providers: { ...composed.providers, screening } };
Object.assign(ctx.chains.familyOfChain(chain).requireNetwork(chain), {
  finality: { kind: 'finalized-tag' },
});
const kept = await keepClock({
  ...ctx,
  clock,
  environment: config.environment,
  part: partName('worker'),
  onMoved: (aheadMs) => moveVaultClock(ctx, aheadMs),
});
const end = runUntilSignal(log, [
  { name: 'store', stop: () => ctx.store.close() },
  kept,
  await runWorker(ctx),
]);
void kept.refused.then(end);
