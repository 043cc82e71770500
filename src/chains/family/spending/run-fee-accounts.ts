import { createSignal, startLoop } from '../../../lib/waiting/loop.ts';
import type { Running } from '../capabilities/status.ts';
import { type FeeAccountsDeps, watchFeeAccounts } from './top-ups.ts';

const lookEveryMs = 5_000;
/** While somebody has nothing: whoever sent some is not to wait. */
const emptyLookEveryMs = 400;
const failurePauseMs = 500;
const failurePauseMaxMs = 30_000;

export interface RunFeeAccountsDeps extends FeeAccountsDeps {
  /** Before anybody uses the chain its node is left alone: a local one starts at its first use. */
  readonly isUsed: () => Promise<boolean>;
}

/** Looks after the accounts that pay fees, until stopped. */
export function runFeeAccounts(
  deps: RunFeeAccountsDeps,
): Running & { isEmpty(address: string): boolean } {
  const { log, chain, feePayers, isUsed } = deps;
  if (feePayers.length === 0)
    log.warn({ chain }, 'no fee payer keys are configured: operations stay queued');
  let seen: ReadonlyMap<string, bigint> = new Map();
  const isEmpty = (address: string) => seen.get(address) === 0n;
  const signal = createSignal();
  const stopping = new AbortController();
  const loop = startLoop({
    async round() {
      if (feePayers.length > 0 && (await isUsed())) seen = await watchFeeAccounts(deps);
      await signal.wait(feePayers.some(isEmpty) ? emptyLookEveryMs : lookEveryMs);
    },
    signal,
    stopping: stopping.signal,
    failurePauseMs,
    failurePauseMaxMs,
    onFailure: (error, failures) =>
      log[failures > 3 ? 'error' : 'warn'](
        { err: error, chain, failures },
        'the accounts that pay fees could not be looked at; trying again',
      ),
  });
  return {
    isEmpty,
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}
