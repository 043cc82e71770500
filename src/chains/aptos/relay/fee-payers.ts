import type { AptosConfig } from '../../../config/config.ts';
import type { Logger } from '../../../lib/log/log.ts';
import type { Store } from '../../../store/types.ts';
import { runFeeAccounts } from '../../family/spending/run-fee-accounts.ts';
import type { TopUpNetwork } from '../../family/spending/top-ups.ts';
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
    feePayers: feePayers.map(({ address }) => address),
    isUsed,
    network: {
      async readBalances(addresses) {
        const node = await connect();
        return Promise.all(
          addresses.map(async (address) => (await readAmount(node, address, aptCoin)) ?? 0n),
        );
      },
      treasury,
    },
    balanceMinMinor: settings.feePayerBalanceMinOctas,
    topUpDayMaxMinor: settings.topUpDayMaxOctas,
    topUpSetting: 'APTOS_TOP_UP_DAY_MAX_OCTAS',
    unit: 'octas',
    coin: 'APT',
  });
}
