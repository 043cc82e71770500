import type { Db } from '../../../store/types.ts';
import type { ChainRelayStatus } from '../../family.ts';
import { readHourlySpending } from './spending/budgets.ts';

const accountsMax = 1_000;

/** What the relay is doing, in words of any family. Chains without work or accounts are absent. */
export async function solanaRelayStatus(db: Db): Promise<ChainRelayStatus[]> {
  const [spending, queues, accounts] = await Promise.all([
    readHourlySpending(db),
    db.query<{ chain: string; queued: string; in_flight: string; oldest_ms: string }>({
      name: 'solana-relay-status-queues',
      text: `
        select chain, count(*) filter (where status = 'queued') as queued, count(*) filter (where status = 'sent') as in_flight,
          coalesce(extract(epoch from now() - min(created_at) filter (where status = 'queued')) * 1000, 0) as oldest_ms
        from solana_operations where status <> 'settled' group by chain`,
    }),
    db.query<{ chain: string; address: string; role: string; lamports: string | null; alarm: string | null }>({
      name: 'solana-relay-status-accounts',
      text: `
        select chain, address, role, lamports, alarm from solana_fee_payers where seen_at > now() - interval '1 hour'
        order by chain, role, address limit ${accountsMax}`,
    }),
  ]);
  const chains = [...new Set([...spending.keys(), ...[...queues.rows, ...accounts.rows].map(({ chain }) => chain)])];
  return chains.map((chain) => {
    const queue = queues.rows.find((one) => one.chain === chain);
    return {
      chain,
      spentHourMinor: spending.get(chain) ?? 0n,
      queued: Number(queue?.queued ?? 0),
      inFlight: Number(queue?.in_flight ?? 0),
      oldestQueuedMs: Math.round(Number(queue?.oldest_ms ?? 0)),
      accounts: accounts.rows
        .filter((account) => account.chain === chain)
        .map(({ address, role, lamports, alarm }) => ({
          address,
          role,
          ...(lamports === null ? {} : { balanceMinor: BigInt(lamports) }),
          ...(alarm === null ? {} : { alarm }),
        })),
    };
  });
}
