import type { Db } from '../../../store/types.ts';
import { readHourlySpending } from '../../family/spending/budgets.ts';
import type { AccountRole } from './accounts.ts';
import { readChainAlarms } from './trust/chain-alarms.ts';

export interface ChainQueue {
  readonly chain: string;
  /** Waiting for a transaction. */
  readonly queued: number;
  /** In transactions that have not landed. */
  readonly inFlight: number;
  /** Age of the oldest queued operation; 0 without any. */
  readonly oldestQueuedMs: number;
  /** Stored transactions without a receipt. */
  readonly pendingTransactions: number;
}

export interface RelayAccountStatus {
  readonly chain: string;
  readonly address: string;
  readonly role: AccountRole;
  /** Wei, as last seen; null before the first look. */
  readonly balanceWei: bigint | null;
  readonly balanceAt: Date | null;
  /** Why it does not work at the moment. */
  readonly alarm: string | null;
  readonly nextNonce: bigint | null;
  /** Worker that writes for it now; null when nobody does. */
  readonly leasedBy: string | null;
}

export interface ChainMoney {
  readonly chain: string;
  /** What transactions cost in the last hour, in wei. */
  readonly spentHourWei: bigint;
  /** Why it does not work as it should. */
  readonly alarm?: string;
}

export interface RelayStatus {
  readonly chains: readonly ChainMoney[];
  readonly queues: readonly ChainQueue[];
  readonly accounts: readonly RelayAccountStatus[];
}

const accountsMax = 1_000;

/** What the relay is doing, for metrics and the command line. */
export async function relayStatus(db: Db): Promise<RelayStatus> {
  const [alarms, spending, queues, accounts] = await Promise.all([
    readChainAlarms(db),
    readHourlySpending(db, 'gas'),
    db.query<{
      chain: string;
      queued: string;
      in_flight: string;
      oldest_ms: string;
      pending: string;
    }>({
      name: 'evm-relay-status-queues',
      text: `
        with operations as (
          select chain, count(*) filter (where status <> 'sent') as queued, count(*) filter (where status = 'sent') as in_flight,
            extract(epoch from now() - min(created_at) filter (where status <> 'sent')) * 1000 as oldest_ms
          from evm_operations where status <> 'settled' group by chain
        ), sends as (
          select chain, count(*) as pending from evm_sends where status = 'pending' group by chain
        )
        select coalesce(o.chain, s.chain) as chain, coalesce(queued, 0) as queued, coalesce(in_flight, 0) as in_flight,
          coalesce(oldest_ms, 0) as oldest_ms, coalesce(pending, 0) as pending
        from operations o full join sends s on s.chain = o.chain order by 1`,
    }),
    db.query<{
      chain: string;
      address: string;
      role: AccountRole;
      balance_wei: string | null;
      balance_at: Date | null;
      alarm: string | null;
      next_nonce: string | null;
      leased_by: string | null;
    }>({
      name: 'evm-relay-status-accounts',
      text: `
        select chain, address, role, balance_wei, balance_at, alarm, next_nonce, case when lease_until > now() then lease_owner end as leased_by
        from evm_accounts order by chain, role, address limit ${accountsMax}`,
    }),
  ]);
  return {
    chains: [...new Set([...alarms.keys(), ...spending.keys()])].map((chain) => {
      const alarm = alarms.get(chain);
      return {
        chain,
        spentHourWei: spending.get(chain) ?? 0n,
        alarm,
      };
    }),
    queues: queues.rows.map((row) => ({
      chain: row.chain,
      queued: Number(row.queued),
      inFlight: Number(row.in_flight),
      oldestQueuedMs: Math.round(Number(row.oldest_ms)),
      pendingTransactions: Number(row.pending),
    })),
    accounts: accounts.rows.map((row) => ({
      chain: row.chain,
      address: row.address,
      role: row.role,
      balanceWei: row.balance_wei === null ? null : BigInt(row.balance_wei),
      balanceAt: row.balance_at,
      alarm: row.alarm,
      nextNonce: row.next_nonce === null ? null : BigInt(row.next_nonce),
      leasedBy: row.leased_by,
    })),
  };
}
