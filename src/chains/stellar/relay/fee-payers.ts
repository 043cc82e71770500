import type { StellarConfig } from '../../../config/config.ts';
import type { Logger } from '../../../lib/log/log.ts';
import type { Store } from '../../../store/types.ts';
import { type TopUpNetwork, watchFeeAccounts } from '../../family/spending/top-ups.ts';
import type { Running } from '../../family.ts';
import { createSignal, startLoop } from '../../loops.ts';
import { accountKey, readAccountEntry, spendableOf } from '../account/entry.ts';
import { readEntries } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';

export interface FeePayersDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly chain: string;
  readonly connect: () => Promise<StellarConnection>;
  /** Addresses of the accounts. */
  readonly feePayers: readonly string[];
  readonly treasury: TopUpNetwork | undefined;
  /** Whether anybody has used the chain: before that its node is left alone. */
  readonly isUsed: () => Promise<boolean>;
  readonly settings: Pick<StellarConfig['relay'], 'feePayerBalanceMinStroops' | 'topUpDayMaxStroops'>;
}

const lookEveryMs = 5_000;
/** While somebody has nothing: whoever sent some is not to wait. */
const emptyLookEveryMs = 400;
const failurePauseMs = 500;
const failurePauseMaxMs = 30_000;

/** Looks after the accounts that pay fees, until stopped. */
export function runFeePayers(deps: FeePayersDeps): Running & { isEmpty(address: string): boolean } {
  const { store, log, chain, connect, settings, feePayers } = deps;
  if (feePayers.length === 0) log.warn({ chain }, 'no fee payer keys are configured: operations stay queued');
  let seen: ReadonlyMap<string, bigint> = new Map();
  const isEmpty = (address: string) => seen.get(address) === 0n;
  const readBalances = async (addresses: readonly string[]) => {
    const { entries } = await readEntries(await connect(), addresses.map(accountKey));
    // What they keep for accounts of wallets is nothing that they could pay with.
    return entries.map((entry) => {
      const account = readAccountEntry(entry?.data);
      return account ? spendableOf(account) : 0n;
    });
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
          balanceMinMinor: settings.feePayerBalanceMinStroops,
          topUpDayMaxMinor: settings.topUpDayMaxStroops,
          topUpSetting: 'STELLAR_TOP_UP_DAY_MAX_STROOPS',
          unit: 'stroops',
          coin: 'XLM',
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
