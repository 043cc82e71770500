import type { Db } from '../../../store/types.ts';
import type { ChainRelayStatus } from '../status.ts';
import { readFeeAccounts } from './accounts.ts';
import { readHourlySpending } from './budgets.ts';

/** Of one chain: what waits and what is under way. */
export type QueueStatus = Pick<ChainRelayStatus, 'queued' | 'inFlight' | 'oldestQueuedMs'>;

/** What the relay of a chain is doing, in words of any family. Empty while it has neither work nor accounts. */
export async function readRelayStatus(
  db: Db,
  chain: string,
  readQueue: (db: Db, chain: string) => Promise<QueueStatus>,
): Promise<ChainRelayStatus[]> {
  const [spending, accounts, queue] = await Promise.all([readHourlySpending(db), readFeeAccounts(db, chain), readQueue(db, chain)]);
  const spentHourMinor = spending.get(chain) ?? 0n;
  const isIdle = accounts.length === 0 && spentHourMinor === 0n && queue.queued + queue.inFlight === 0;
  return isIdle ? [] : [{ chain, spentHourMinor, ...queue, accounts }];
}
