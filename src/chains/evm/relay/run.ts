import { createSignal, startLoop } from '../../../lib/waiting/loop.ts';
import { deleteOldSpending } from '../../family/spending/budgets.ts';
import type { Running } from '../../family.ts';
import type { Hex } from '../abi/words.ts';
import { deleteOldAttempts } from '../account/store.ts';
import type { AccountRole } from './accounts.ts';
import { type ChainRelay, startChainRelay } from './chain.ts';
import { findBusyChains, onLocalEnqueue, relayChannel, type WorkKind } from './queue/queue.ts';
import { deleteClosed } from './sending/sends.ts';
import { createSigningAccount, type SigningAccount } from './sending/signing.ts';
import { relayLimits } from './spending/limits.ts';
import { deleteOldTips } from './spending/spending.ts';
import { createChainState, nowMs } from './state.ts';
import type { RelayDeps } from './types.ts';

type Keys = ReadonlyMap<Hex, { readonly signing: SigningAccount; readonly role: AccountRole }>;

/**
 * Runs the relay of every configured chain until stopped: executor accounts send queued operations
 * in batches, each operation once or not at all, whatever process dies when. Any number of
 * processes may run it. A chain's node is only talked to while something is open there.
 */
export async function runRelay(deps: RelayDeps): Promise<Running> {
  const log = deps.log.child({ part: 'evm-relay', worker: deps.workerName });
  const keys = readKeys(deps);
  const chains = [...deps.config.rpcUrls.keys()];
  const relays = new Map<string, ChainRelay>();
  const stopping = new AbortController();
  const wakeup = createSignal();
  if (![...keys.values()].some((key) => key.role === 'executor'))
    log.warn('no executor keys are configured: operations stay queued');

  function activate(chain: string): ChainRelay | undefined {
    if (stopping.signal.aborted || keys.size === 0 || !deps.config.rpcUrls.has(chain))
      return undefined;
    const running = relays.get(chain);
    if (running) return running;
    try {
      const relay = startChainRelay(createChainState(deps, chain, keys, log));
      relays.set(chain, relay);
      return relay;
    } catch (error) {
      // A chain of another environment, say: its operations wait, the other chains go on.
      log.error({ err: error, chain }, 'the relay of a chain could not be started');
      return undefined;
    }
  }

  function wake(chain: string, kind: WorkKind): void {
    const relay = activate(chain);
    if (!relay) return;
    relay.state.lastWorkAtMs = nowMs();
    if (kind === 'operation') return relay.state.work.wake();
    relay.state.acquireSoon = true;
    relay.state.change.wake();
  }

  async function retire(): Promise<void> {
    const idle = [...relays].filter(([, relay]) => relay.isIdle());
    for (const [chain, relay] of idle) {
      relays.delete(chain);
      await relay.stop();
    }
  }

  let cleanedAtMs = nowMs();
  async function cleanUp(): Promise<void> {
    if (nowMs() - cleanedAtMs < relayLimits.cleanupMs) return;
    const { keepClosedDays: olderThanDays, deletePerSweepMax: countMax } = relayLimits;
    const deleted = [
      await deleteClosed(deps.store, { olderThanDays, countMax }),
      await deleteOldSpending(deps.store, 'gas', { olderThanDays, countMax }),
      await deleteOldTips(deps.store, { olderThanDays, countMax }),
      await deleteOldAttempts(deps.store, { olderThanDays, countMax }),
    ];
    // A full piece means that there is more.
    if (deleted.every((count) => count < countMax)) cleanedAtMs = nowMs();
  }

  async function round(): Promise<void> {
    await retire();
    const resting = chains.filter((chain) => !relays.has(chain));
    if (resting.length > 0)
      for (const chain of await findBusyChains(deps.store, resting)) activate(chain);
    await cleanUp();
    await wakeup.wait(relayLimits.idlePollMs);
  }

  const forget = onLocalEnqueue(wake);
  const listener = deps.store.listen?.(relayChannel, (payload) => {
    if (payload === undefined) return wakeup.wake();
    const [kind, chain] = payload.split(' ');
    if (chain !== undefined) wake(chain, kind === 'call' ? 'call' : 'operation');
  });
  const loop = startLoop({
    round,
    signal: wakeup,
    stopping: stopping.signal,
    failurePauseMs: relayLimits.failurePauseMs,
    failurePauseMaxMs: relayLimits.failurePauseMaxMs,
    onFailure: (error, failures) =>
      log[failures > 3 ? 'error' : 'warn'](
        { err: error, failures },
        'relay could not look for work; trying again',
      ),
  });
  return {
    stop: async () => {
      stopping.abort();
      forget();
      await listener?.close();
      await loop.stop();
      await Promise.all([...relays.values()].map((relay) => relay.stop()));
      relays.clear();
    },
  };
}

function readKeys({ config }: RelayDeps): Keys {
  const keys = new Map<Hex, { signing: SigningAccount; role: AccountRole }>();
  const treasury = config.treasuryKey && createSigningAccount(config.treasuryKey);
  if (treasury) keys.set(treasury.address, { signing: treasury, role: 'treasury' });
  for (const key of config.executorKeys) {
    const signing = createSigningAccount(key);
    if (signing.address === treasury?.address)
      throw new Error('The treasury and an executor are the same account: each needs its own key.');
    keys.set(signing.address, { signing, role: 'executor' });
  }
  return keys;
}
