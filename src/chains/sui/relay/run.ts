import { createSignal, startLoop } from '../../../lib/waiting/loop.ts';
import { runLateRelay } from '../../family/late/run.ts';
import type { LateRelayDeps } from '../../family/late/types.ts';
import type { Running } from '../../family.ts';
import type { SuiNetwork } from '../config/networks.ts';
import { createSuiNetwork, onChainOf } from '../operation/network.ts';
import type { SuiConnection } from '../rpc/connections.ts';
import { gasChannel } from './gas/store.ts';
import { upkeepLimits } from './limits.ts';
import { createUpkeep, type UpkeepDeps } from './upkeep.ts';

export interface RelayDeps
  extends Omit<LateRelayDeps, 'network' | 'onChainOf' | 'kind' | 'unit' | 'chain' | 'settings'> {
  readonly network: SuiNetwork;
  readonly connect: () => Promise<SuiConnection>;
  readonly sponsors: UpkeepDeps['sponsors'];
  readonly treasury: UpkeepDeps['treasury'];
  readonly settings: LateRelayDeps['settings'] & UpkeepDeps['settings'];
  /** Before anybody uses the chain its node is left alone: a local one starts at its first use. */
  readonly isUsed?: () => Promise<boolean>;
}

/** The relay of intents, and the upkeep of the coins that pay for them. */
export async function runRelay({ network, ...deps }: RelayDeps): Promise<Running> {
  const chain = network.name;
  const log = deps.log.child({ part: 'sui-relay', worker: deps.workerName });
  if (deps.sponsors.length === 0)
    log.warn('no fee payer keys are configured: operations stay queued');
  const stopping = new AbortController();
  const signal = createSignal();
  const upkeep = createUpkeep({ ...deps, log, chain });
  let isWanted = false;
  const late = await runLateRelay({
    ...deps,
    chain,
    kind: 'fees',
    unit: 'MIST',
    network: createSuiNetwork({ ...deps, chain }),
    onChainOf: (txId) => onChainOf(network, txId),
  });
  const loop = startLoop({
    async round() {
      const wanted = isWanted;
      isWanted = false;
      if ((await deps.isUsed?.()) !== false) await upkeep.round(await deps.connect(), wanted);
      await signal.wait(upkeepLimits.beatMs);
    },
    signal,
    stopping: stopping.signal,
    failurePauseMs: upkeepLimits.failurePauseMs,
    failurePauseMaxMs: upkeepLimits.failurePauseMaxMs,
    onFailure: (error, failures) =>
      log[failures > 3 ? 'error' : 'warn'](
        { err: error, failures },
        'the upkeep of coins that pay failed; trying again',
      ),
  });
  const listener = deps.store.listen?.(gasChannel, (payload) => {
    if (payload !== undefined && payload !== chain) return;
    isWanted = true;
    signal.wake();
  });
  return {
    async stop() {
      stopping.abort();
      await listener?.close();
      await Promise.all([late.stop(), loop.stop()]);
    },
  };
}
