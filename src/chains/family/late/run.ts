import { createSignal, startLoop } from '../../../lib/waiting/loop.ts';
import type { Running } from '../capabilities/status.ts';
import { deleteOldSpending } from '../spending/budgets.ts';
import { lateLimits } from './limits.ts';
import { deleteSettled, onLocalWork, reviveExpired } from './queue.ts';
import { lateRound } from './round.ts';
import { intents } from './store.ts';
import type { LateRelayDeps } from './types.ts';

/**
 * Runs the relay of a chain's intents until stopped: approved operations are built, signed by the
 * key of their wallet, stored and sent, each once or not at all, whatever process dies when. Any
 * number of processes may run it; each operation is one process's at a time.
 */
export async function runLateRelay(deps: LateRelayDeps): Promise<Running> {
  const log = deps.log.child({ part: 'late-relay', chain: deps.chain, worker: deps.workerName });
  const own = { ...deps, log };
  const stopping = new AbortController();
  const work = createSignal();
  const upkeep = createSignal();
  const loop = (
    name: string,
    signal: ReturnType<typeof createSignal>,
    round: () => Promise<void>,
  ) =>
    startLoop({
      round,
      signal,
      stopping: stopping.signal,
      failurePauseMs: lateLimits.failurePauseMs,
      failurePauseMaxMs: lateLimits.failurePauseMaxMs,
      onFailure: (error, failures) =>
        log[failures > 3 ? 'error' : 'warn'](
          { err: error, loop: name, failures },
          'relay round failed; trying again',
        ),
    });
  const loops = [
    loop('relay', work, async () => {
      const count = await lateRound(own);
      if (count < deps.settings.inFlightMax)
        await work.wait(count > 0 ? lateLimits.busyPollMs : lateLimits.idlePollMs);
    }),
    loop('upkeep', upkeep, async () => {
      await reviveExpired(deps.store, intents, deps.chain, deps.clock.now());
      const { keepSettledDays: olderThanDays, deletePerSweepMax: countMax } = lateLimits;
      await deleteSettled(deps.store, intents, { olderThanDays, countMax });
      await deleteOldSpending(deps.store, deps.kind, { olderThanDays, countMax });
      await upkeep.wait(lateLimits.housekeepingMs);
    }),
  ];
  const forget = onLocalWork(intents, () => work.wake());
  const listener = deps.store.listen?.(intents.channel, (payload) => {
    if (payload === undefined || payload === deps.chain) work.wake();
  });
  return {
    async stop() {
      stopping.abort();
      forget();
      await listener?.close();
      await Promise.all(loops.map((one) => one.stop()));
    },
  };
}
