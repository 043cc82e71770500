import type { Db } from '../../../store/types.ts';
import type { RelayAccount } from '../capabilities/status.ts';

/**
 * SQL of `fee_accounts`: accounts that pay the fees, as last seen by a worker that has their keys.
 */

const accountsMax = 1_000;

export interface FeeAccount {
  readonly address: string;
  readonly role: 'fee-payer' | 'treasury';
  /** In the native token's smallest unit. */
  readonly balanceMinor: bigint;
  /** Why it does not work at the moment. */
  readonly alarm?: string | undefined;
}

export async function recordFeeAccounts(
  db: Db,
  chain: string,
  accounts: readonly FeeAccount[],
): Promise<void> {
  await db.query({
    name: 'fees-record-accounts',
    text: `
      insert into fee_accounts as f (chain, address, role, minor, alarm)
      select $1, * from unnest($2::text[], $3::text[], $4::numeric[], $5::text[])
      on conflict (chain, address) do update set role = excluded.role, minor = excluded.minor, alarm = excluded.alarm, seen_at = now()`,
    values: [
      chain,
      accounts.map(({ address }) => address),
      accounts.map(({ role }) => role),
      accounts.map(({ balanceMinor }) => balanceMinor.toString()),
      accounts.map(({ alarm }) => alarm ?? null),
    ],
  });
}

/** Of one chain, those seen in the last hour. */
export async function readFeeAccounts(db: Db, chain: string): Promise<RelayAccount[]> {
  const { rows } = await db.query<{
    address: string;
    role: string;
    minor: string | null;
    alarm: string | null;
  }>({
    name: 'fees-accounts',
    text: `
      select address, role, minor, alarm from fee_accounts where chain = $1 and seen_at > now() - interval '1 hour'
      order by role, address limit ${accountsMax}`,
    values: [chain],
  });
  return rows.map(({ address, role, minor, alarm }) => ({
    address,
    role,
    ...(minor === null ? {} : { balanceMinor: BigInt(minor) }),
    ...(alarm === null ? {} : { alarm }),
  }));
}
