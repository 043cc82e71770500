import type { StellarConfig } from '../../../config/config.ts';
import type { Logger } from '../../../lib/log/log.ts';
import type { Store } from '../../../store/types.ts';
import { runFeeAccounts } from '../../family/spending/run-fee-accounts.ts';
import type { TopUpNetwork } from '../../family/spending/top-ups.ts';
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
  readonly settings: Pick<
    StellarConfig['relay'],
    'feePayerBalanceMinStroops' | 'topUpDayMaxStroops'
  >;
}

/** Looks after the accounts that pay fees, until stopped. */
export function runFeePayers({
  store,
  log,
  chain,
  connect,
  feePayers,
  treasury,
  settings,
  isUsed,
}: FeePayersDeps) {
  return runFeeAccounts({
    store,
    log,
    chain,
    feePayers,
    isUsed,
    network: {
      async readBalances(addresses) {
        const { entries } = await readEntries(await connect(), addresses.map(accountKey));
        // What they keep for accounts of wallets is nothing that they could pay with.
        return entries.map((entry) => {
          const account = readAccountEntry(entry?.data);
          return account ? spendableOf(account) : 0n;
        });
      },
      treasury,
    },
    balanceMinMinor: settings.feePayerBalanceMinStroops,
    topUpDayMaxMinor: settings.topUpDayMaxStroops,
    topUpSetting: 'STELLAR_TOP_UP_DAY_MAX_STROOPS',
    unit: 'stroops',
    coin: 'XLM',
  });
}
