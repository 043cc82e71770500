import type { Db } from '../../store/types.ts';
import type { ChainRelayStatus } from '../family.ts';
import { relayStatus } from './relay/index.ts';

/** The relay's state in words of any family. Chains without work or accounts are absent. */
export async function evmRelayStatus(db: Db): Promise<ChainRelayStatus[]> {
  const { chains: money, queues, accounts } = await relayStatus(db);
  const chains = [...new Set([...money, ...queues, ...accounts].map(({ chain }) => chain))];
  return chains.map((chain) => {
    const queue = queues.find((one) => one.chain === chain);
    const { spentHourWei = 0n, alarm } = money.find((one) => one.chain === chain) ?? {};
    return {
      chain,
      spentHourMinor: spentHourWei,
      alarm,
      queued: queue?.queued ?? 0,
      inFlight: queue?.inFlight ?? 0,
      oldestQueuedMs: queue?.oldestQueuedMs ?? 0,
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
