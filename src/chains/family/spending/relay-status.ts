import type { Db } from '../../../store/types.ts';
import type { ChainRelayStatus } from '../capabilities/status.ts';
import { readFeeAccounts } from './accounts.ts';
import { readHourlySpending, type SpendingBounds } from './budgets.ts';

/** Of one chain: what waits and what is under way. */
export type QueueStatus = Pick<ChainRelayStatus, 'queued' | 'inFlight' | 'oldestQueuedMs'>;

export interface StatusInput {
  readonly chain: string;
  /** How people call the smallest unit of the native token. */
  readonly unit: string;
  readonly bounds: SpendingBounds;
}

/**
 * What the relay of a chain is doing, in words of any family. Empty while it has neither work nor
 * accounts.
 */
export async function readRelayStatus(
  db: Db,
  { chain, unit, bounds }: StatusInput,
  readQueue: (db: Db, chain: string) => Promise<QueueStatus>,
): Promise<ChainRelayStatus[]> {
  const [spending, accounts, queue] = await Promise.all([
    readHourlySpending(db, 'fees'),
    readFeeAccounts(db, chain),
    readQueue(db, chain),
  ]);
  const spentHourMinor = spending.get(chain) ?? 0n;
  const isIdle =
    accounts.length === 0 && spentHourMinor === 0n && queue.queued + queue.inFlight === 0;
  if (isIdle) return [];
  // In an hour, of all together, half of what one project may spend in a day.
  const usualMax = bounds.projectDayMaxMinor / 2n;
  const alarm =
    spentHourMinor > usualMax
      ? `Fees of the last hour are ${spentHourMinor} ${unit}, more than ${usualMax}: \`purser gas show\` says who, \`purser gas set\` bounds them.`
      : undefined;
  return [{ chain, spentHourMinor, ...(alarm !== undefined && { alarm }), ...queue, accounts }];
}
