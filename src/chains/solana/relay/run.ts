import { createSignal, startLoop } from '../../../lib/waiting/loop.ts';
import { onLocalWork } from '../../family/late/queue.ts';
import type { Running } from '../../family.ts';
import { relayLimits } from './limits.ts';
import { createKeeper } from './nonces/keeper.ts';
import { relayChannel } from './nonces/store.ts';
import { relayRound } from './queue/round.ts';
import { solanaOperations } from './queue/store.ts';
import type { RelayDeps } from './types.ts';

/**
 * Runs the relay of a chain until stopped: approved operations are signed by their fee payer and
 * sent, each once or not at all, whatever process dies when. Any number of processes may run it;
 * each operation is one process's at a time. Fee payers need no lease, because every transaction
 * has a nonce of its own.
 */
export async function runRelay(deps: RelayDeps): Promise<Running> {
  const log = deps.log.child({ part: 'solana-relay', worker: deps.workerName });
  const own = { ...deps, log };
  const stopping = new AbortController();
  const work = createSignal();
  const upkeep = createSignal();
  const keeper = createKeeper(own);
  let isWanted = false;
  if (deps.feePayers.length === 0)
    log.warn('no fee payer keys are configured: operations stay queued');

  const loop = (
    name: string,
    round: () => Promise<void>,
    signal: ReturnType<typeof createSignal>,
  ) =>
    startLoop({
      round,
      signal,
      stopping: stopping.signal,
      failurePauseMs: relayLimits.failurePauseMs,
      failurePauseMaxMs: relayLimits.failurePauseMaxMs,
      onFailure: (error, failures) =>
        log[failures > 3 ? 'error' : 'warn'](
          { err: error, loop: name, failures },
          'relay round failed; trying again',
        ),
    });
  async function relay(): Promise<void> {
    if (deps.feePayers.length === 0) return work.wait(relayLimits.failurePauseMaxMs);
    const count = await relayRound(own, await deps.connect(deps.chain));
    if (count < deps.settings.inFlightMax)
      await work.wait(count > 0 ? relayLimits.busyPollMs : relayLimits.idlePollMs);
  }
  async function keep(): Promise<void> {
    const wanted = isWanted;
    isWanted = false;
    await keeper.round(await deps.connect(deps.chain), wanted);
    await upkeep.wait(relayLimits.keeperBeatMs);
  }
  const forget = onLocalWork(solanaOperations, () => work.wake());
  const listener = deps.store.listen?.(relayChannel, (payload) => {
    const [kind, chain] = payload?.split(' ') ?? [];
    if (chain !== undefined && chain !== deps.chain) return;
    if (kind !== 'nonce') work.wake();
    if (kind === 'operation') return;
    isWanted = true;
    upkeep.wake();
  });
  const loops = [loop('relay', relay, work), loop('keeper', keep, upkeep)];
  return {
    async stop() {
      stopping.abort();
      forget();
      await listener?.close();
      await Promise.all(loops.map((one) => one.stop()));
      await keeper.stop().catch(() => undefined);
    },
  };
}
