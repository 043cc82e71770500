import type { AptosConfig } from '../../../config/config.ts';
import type { Logger } from '../../../lib/log/log.ts';
import type { Store } from '../../../store/types.ts';
import { type TopUpNetwork, watchFeeAccounts } from '../../family/spending/top-ups.ts';
import type { Running } from '../../family.ts';
import { createSignal, startLoop } from '../../loops.ts';
import type { FeePayer } from '../operation/network.ts';
import type { AptosNode } from '../rpc/node.ts';
import { aptCoin } from '../tokens/assets.ts';
import { readAmount } from '../tokens/views.ts';

export interface FeePayersDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly chain: string;
  readonly connect: () => Promise<AptosNode>;
  readonly feePayers: readonly FeePayer[];
  readonly treasury: TopUpNetwork | undefined;
  readonly settings: AptosConfig['relay'];
  /** Before anybody uses the chain its node is left alone: a local one starts at its first use. */
  readonly isUsed: () => Promise<boolean>;
}

const lookEveryMs = 5_000;
/** While somebody has nothing: whoever sent some is not to wait. */
const emptyLookEveryMs = 400;
const failurePauseMs = 500;
const failurePauseMaxMs = 30_000;

/** Looks after the accounts that pay fees, until stopped. */
export function runFeePayers(deps: FeePayersDeps): Running & { isEmpty(address: string): boolean } {
  const { store, log, chain, connect, settings } = deps;
  const feePayers = deps.feePayers.map(({ address }) => address);
  if (feePayers.length === 0) log.warn({ chain }, 'no fee payer keys are configured: operations stay queued');
  let seen: ReadonlyMap<string, bigint> = new Map();
  const isEmpty = (address: string) => seen.get(address) === 0n;
  const readBalances = async (addresses: readonly string[]) => {
    const node = await connect();
    return Promise.all(addresses.map(async (address) => (await readAmount(node, address, aptCoin)) ?? 0n));
  };
  const signal = createSignal();
  const stopping = new AbortController();
  const loop = startLoop({
    async round() {
      if (feePayers.length > 0 && (await deps.isUsed()))
        seen = await watchFeeAccounts({
          store,
          log,
          chain,
          feePayers,
          network: { readBalances, treasury: deps.treasury },
          balanceMinMinor: settings.feePayerBalanceMinOctas,
          topUpDayMaxMinor: settings.topUpDayMaxOctas,
          topUpSetting: 'APTOS_TOP_UP_DAY_MAX_OCTAS',
          unit: 'octas',
          coin: 'APT',
        });
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
