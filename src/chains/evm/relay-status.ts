import type { Db } from '../../store/types.ts';
import { readIntentQueue } from '../family/late/store.ts';
import type { QueueStatus } from '../family/spending/relay-status.ts';
import type { ChainRelayStatus } from '../family.ts';
import type { EvmNetwork } from './config/networks.ts';
import { relayStatus } from './relay/index.ts';

/** The relay's state in words of any family. Chains without work or accounts are absent. */
export async function evmRelayStatus(
  db: Db,
  networks: readonly EvmNetwork[],
): Promise<ChainRelayStatus[]> {
  const { chains: money, queues, accounts } = await relayStatus(db);
  const late = await readLateQueues(db, networks);
  const chains = [
    ...new Set([...[...money, ...queues, ...accounts].map(({ chain }) => chain), ...late.keys()]),
  ];
  return chains.map((chain) => {
    const queue = queues.find((one) => one.chain === chain);
    const own = late.get(chain);
    const { spentHourWei = 0n, alarm } = money.find((one) => one.chain === chain) ?? {};
    return {
      chain,
      spentHourMinor: spentHourWei,
      alarm,
      queued: (queue?.queued ?? 0) + (own?.queued ?? 0),
      inFlight: (queue?.inFlight ?? 0) + (own?.inFlight ?? 0),
      oldestQueuedMs: Math.max(queue?.oldestQueuedMs ?? 0, own?.oldestQueuedMs ?? 0),
      pendingTransactions: queue?.pendingTransactions ?? 0,
      accounts: accounts
        .filter((account) => account.chain === chain)
        .map(({ address, role, balanceWei, leasedBy, alarm }) => ({
          address,
          role,
          ...(balanceWei === null ? {} : { balanceMinor: balanceWei }),
          ...(leasedBy === null ? {} : { leasedBy }),
          ...(alarm === null ? {} : { alarm }),
        })),
    };
  });
}

/** Of accounts that send by themselves; chains where nothing waits are absent. */
async function readLateQueues(
  db: Db,
  networks: readonly EvmNetwork[],
): Promise<ReadonlyMap<string, QueueStatus>> {
  const read = await Promise.all(
    networks
      .filter(({ delegation }) => !delegation)
      .map(async ({ name }) => [name, await readIntentQueue(db, name)] as const),
  );
  return new Map(read.filter(([, { queued, inFlight }]) => queued + inFlight > 0));
}
