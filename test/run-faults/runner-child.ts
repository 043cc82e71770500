import { loadRunnerConfig } from '../../src/config/runner/load-runner-config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLogger } from '../../src/lib/log/log.ts';
import { runRunner } from '../../src/processes/runner/run.ts';

// The runner as its program makes it, whose runs are free soon after it was killed.
const config = loadRunnerConfig(process.env);
const log = createLogger({ level: config.logLevel, process: 'runner' });
const runner = await runRunner(config, { log, clock: systemClock, leaseMs: 4_000, pollMs: 200 });
process.once('SIGTERM', () => void runner.stop().then(() => process.exit(0)));
