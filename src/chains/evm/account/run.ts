import type { EvmConfig } from '../../../config/config.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log/log.ts';
import { rowMacsOf } from '../../../store/row-mac.ts';
import type { Store } from '../../../store/types.ts';
import { runLateRelay } from '../../family/late/run.ts';
import type { KillPoint } from '../../family/late/types.ts';
import { charge } from '../../family/spending/budgets.ts';
import type { ChainEntrances, Running } from '../../family.ts';
import type { EvmNetwork } from '../config/networks.ts';
import { selectRelayed } from '../relay/queue/seals.ts';
import type { RpcClient } from '../rpc/rpc.ts';
import { createReadGasBudgets } from './book.ts';
import { readMarket } from './market.ts';
import { accountOnChain, createAccountNetwork } from './network.ts';
import type { AnotherPoint } from './sending.ts';

export interface RunAccountsDeps extends Pick<ChainEntrances, 'settleOperations' | 'signBuilt'> {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: EvmConfig;
  readonly network: EvmNetwork;
  readonly rpc: RpcClient;
  readonly workerName: string;
  readonly killPoint?: (point: AccountKillPoint) => void;
}

export type AccountKillPoint = KillPoint | `another ${AnotherPoint}`;

/** Operations of one network's accounts that send by themselves, until stopped. */
export function runAccounts(deps: RunAccountsDeps): Promise<Running> {
  const { store, clock, log, config, network, rpc, signBuilt, killPoint } = deps;
  const { bumpAfterMs, leaseMs, inFlightMax, batchSizeMax } = config.relay;
  const readBudgets = createReadGasBudgets(network, async () => {
    const { fees } = await readMarket({ store, network, rpc });
    return fees.maxFeeWei;
  });
  return runLateRelay({
    ...deps,
    async settleOperations(tx, outcomes) {
      const others = await selectRelayed(
        tx,
        outcomes.map(({ operationId }) => operationId),
      );
      for (const id of others)
        rowMacsOf(tx).refuse(
          { table: 'operation_intents', id },
          'its id is that of an operation of a module',
        );
      const own = outcomes.filter(({ operationId }) => !others.has(operationId));
      await deps.settleOperations(tx, own);
    },
    chain: network.name,
    network: createAccountNetwork({
      store,
      clock,
      log,
      network,
      rpc,
      signBuilt,
      bumpAfterMs,
      killPoint: killPoint && ((point) => killPoint(`another ${point}`)),
      charge: (tx, { projectId, owner }, minor) =>
        charge(tx, 'gas', network.name, [{ projectId, owner, minor }]),
    }),
    onChainOf: (txId) => accountOnChain(network, txId),
    settings: {
      inFlightMax: inFlightMax * batchSizeMax,
      resendAfterMs: bumpAfterMs,
      leaseMs,
    },
    kind: 'gas',
    readBudgets,
    bounds: {
      projectDayMaxMinor: network.bounds.projectDayMaxWei,
      ownerDayMaxMinor: network.bounds.ownerDayMaxWei,
    },
    unit: 'wei',
  });
}
