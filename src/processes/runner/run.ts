import type { RunnerProcessConfig } from '../../config/runner/load-runner-config.ts';
import { type Clock, machineClock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log/log.ts';
import { readInternalPublicKey } from '../../lib/net/signed-requests.ts';
import { findExecutable, proveBrowser } from '../../runner/browser/index.ts';
import { accessibleNames } from '../../runner/engine/page/accessible-names.ts';
import { runnerPeer } from '../../runner/link/wire.ts';
import { startLiveServer } from '../../runner/live/index.ts';
import { type RunnerOptions, startRunner } from '../../runner/runner.ts';
import { type Running, workerName } from '../lifecycle.ts';

/**
 * Runs behind the paying click get this long to find out what became of the order, when the process
 * is told to stop.
 */
const stopGraceMs = 12_000;

/**
 * Takes runs from the worker and drives them until it is stopped.
 * @throws Error one sentence when there is no browser, something gets out of it, the build is not
 * whole, or the port of live pictures is taken
 */
export async function runRunner(
  config: RunnerProcessConfig,
  { log, clock, ...pace }: Pick<RunnerOptions, 'log' | 'clock' | 'leaseMs' | 'pollMs'>,
): Promise<Running> {
  const executable = await findExecutable({ chromiumPath: config.runner.chromiumPath });
  const { version, tried, isNamespaced } = await proveBrowser(executable);
  log.info({ version, tried, networkNamespace: isNamespaced }, 'nothing gets out of the browser');
  // Read once, and missing in a build that is not whole: better now than at the first page.
  await accessibleNames();
  const live = config.live && (await openLive(config.live, { log, clock }));
  const { origin, seed, workerPublicKey } = config.link;
  const runner = await startRunner({
    config: config.runner,
    planner: config.planner,
    commerce: config.commerce,
    link: { origin, identity: { name: runnerPeer, seed }, workerPublicKey },
    log,
    clock,
    name: workerName('runner'),
    live,
    liveOrigin: config.live && config.live.port !== 0 ? config.live.origin : undefined,
    stopGraceMs,
    ...pace,
  });
  return {
    name: 'runner',
    async stop() {
      await runner.stop();
      await live?.stop();
    },
  };
}

async function openLive(
  { host, port, apiPublicKey }: NonNullable<RunnerProcessConfig['live']>,
  ctx: { log: Logger; clock: Clock },
) {
  const peers = new Map([['api', readInternalPublicKey(apiPublicKey)]]);
  return startLiveServer({ host, port, peers, clock: machineClock(ctx.clock), log: ctx.log }).catch(
    (cause: NodeJS.ErrnoException) => {
      const reason =
        cause.code === 'EADDRINUSE'
          ? 'is in use by another program: stop that one, or choose another port'
          : `cannot be opened (${cause.code ?? cause.message})`;
      throw new Error(`Port ${port} on ${host} (for live pictures) ${reason}.`, { cause });
    },
  );
}
