import type { Db } from '../../../store/types.ts';
import type { Hex } from '../abi/words.ts';

/** SQL of `evm_accounts`: who writes for an account, and its next nonce. */

export type AccountRole = 'executor' | 'treasury';

/**
 * A lease of one account on one chain. `fence` is in every statement that uses up a nonce or adds
 * an attempt.
 */
export interface Lease {
  readonly chain: string;
  readonly address: Hex;
  readonly role: AccountRole;
  readonly fence: string;
  /** Null: to be read from the chain once. */
  readonly nextNonce: bigint | null;
}

/**
 * The lease was lost: somebody else writes for the account now. What was about to be stored is not.
 */
export class LeaseLostError extends Error {
  constructor(lease: Pick<Lease, 'chain' | 'address'>) {
    super(`The lease of ${lease.address} on ${lease.chain} was lost.`);
    this.name = 'LeaseLostError';
  }
}

/** Makes the rows of a chain's accounts; present ones keep what they hold. */
export async function ensureAccounts(
  db: Db,
  chain: string,
  accounts: readonly { address: Hex; role: AccountRole }[],
): Promise<void> {
  await db.query({
    name: 'evm-relay-ensure-accounts',
    text: `
      insert into evm_accounts (chain, address, role) select $1, * from unnest($2::text[], $3::text[])
      on conflict (chain, address) do update set role = excluded.role where evm_accounts.role <> excluded.role`,
    values: [
      chain,
      accounts.map((account) => account.address),
      accounts.map((account) => account.role),
    ],
  });
}

interface LeaseRow {
  address: Hex;
  role: AccountRole;
  fence: string;
  next_nonce: string | null;
}

/**
 * Takes free accounts of a chain: all with open transactions and, for an executor, up to `extraMax`
 * others. Leases end by time, whoever holds them.
 */
export async function acquireAccounts(
  db: Db,
  input: {
    chain: string;
    addresses: readonly Hex[];
    owner: string;
    leaseMs: number;
    extraMax: number;
  },
): Promise<Lease[]> {
  const { rows } = await db.query<LeaseRow>({
    name: 'evm-relay-acquire',
    text: `
      with free as (
        select a.address, a.role,
          exists (select 1 from evm_sends s where s.chain = a.chain and s.account = a.address and s.status in ('pending', 'included'))
          or (a.role = 'treasury' and exists (select 1 from evm_treasury_calls t where t.chain = a.chain and t.status = 'queued')) as needed
        from evm_accounts a
        where a.chain = $1 and a.address = any($2::text[]) and a.lease_until < now()
        for update of a skip locked
      ), taken as (
        select address from free where needed
        union all
        (select address from free where not needed and role = 'executor' order by random() limit $3)
      )
      update evm_accounts a set lease_owner = $4, lease_until = now() + $5 * interval '1 millisecond', fence = fence + 1
      from taken where a.chain = $1 and a.address = taken.address and a.lease_until < now()
      returning a.address, a.role, a.fence, a.next_nonce`,
    values: [input.chain, input.addresses, input.extraMax, input.owner, input.leaseMs],
  });
  return rows.map((row) => ({
    chain: input.chain,
    address: row.address,
    role: row.role,
    fence: row.fence,
    nextNonce: row.next_nonce === null ? null : BigInt(row.next_nonce),
  }));
}

/** Prolongs leases; answers the addresses that are still ours. */
export async function renewLeases(
  db: Db,
  chain: string,
  leases: readonly Lease[],
  leaseMs: number,
): Promise<Set<string>> {
  const { rows } = await db.query<{ address: string }>({
    name: 'evm-relay-renew',
    text: `
      update evm_accounts a set lease_until = now() + $4 * interval '1 millisecond'
      from unnest($2::text[], $3::bigint[]) as l (address, fence)
      where a.chain = $1 and a.address = l.address and a.fence = l.fence
      returning a.address`,
    values: [
      chain,
      leases.map((lease) => lease.address),
      leases.map((lease) => lease.fence),
      leaseMs,
    ],
  });
  return new Set(rows.map((row) => row.address));
}

/** Gives a lease back at once, so that another worker need not wait for its end. */
export async function releaseLease(db: Db, lease: Lease): Promise<void> {
  await db.query({
    name: 'evm-relay-release-lease',
    text: `update evm_accounts set lease_until = '1970-01-01Z', lease_owner = null where chain = $1 and address = $2 and fence = $3`,
    values: [lease.chain, lease.address, lease.fence],
  });
}

/**
 * Sets the first nonce from the chain, or raises it to what the chain has counted (the key was used
 * elsewhere).
 * @throws LeaseLostError
 */
export async function raiseNextNonce(db: Db, lease: Lease, chainNonce: bigint): Promise<bigint> {
  const { rows } = await db.query<{ next_nonce: string }>({
    name: 'evm-relay-raise-nonce',
    text: `
      update evm_accounts set next_nonce = greatest(coalesce(next_nonce, $4), $4)
      where chain = $1 and address = $2 and fence = $3 and lease_until > now() returning next_nonce`,
    values: [lease.chain, lease.address, lease.fence, chainNonce.toString()],
  });
  if (!rows[0]) throw new LeaseLostError(lease);
  return BigInt(rows[0].next_nonce);
}

/**
 * Takes nonces back that were never signed for. Answers false when one was, or the lease or the
 * nonce is another by now.
 */
export async function lowerNextNonce(
  db: Db,
  lease: Lease,
  { from, to }: { from: bigint; to: bigint },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'evm-relay-lower-nonce',
    text: `
      update evm_accounts a set next_nonce = $5
      where a.chain = $1 and a.address = $2 and a.fence = $3 and a.lease_until > now() and a.next_nonce = $4
        and not exists (select 1 from evm_sends s where s.chain = a.chain and s.account = a.address and s.nonce >= $5)`,
    values: [lease.chain, lease.address, lease.fence, from.toString(), to.toString()],
  });
  return rowCount > 0;
}

/**
 * Lets an account begin with what the chain counts, for a key that was used elsewhere: whoever
 * writes for it loses its lease. Answers false when there is no such account, or transactions of it
 * are open.
 */
export async function forgetNextNonce(db: Db, chain: string, address: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'evm-relay-forget-nonce',
    text: `
      update evm_accounts a set next_nonce = null, fence = fence + 1, lease_until = '1970-01-01Z', lease_owner = null, alarm = null
      where a.chain = $1 and a.address = lower($2)
        and not exists (select 1 from evm_sends s where s.chain = a.chain and s.account = a.address and s.status = 'pending')`,
    values: [chain, address],
  });
  return rowCount > 0;
}

/** Remembers balance and alarm of an account for status and metrics. */
export async function recordBalances(
  db: Db,
  chain: string,
  accounts: readonly { address: Hex; balanceWei: bigint; alarm: string | null }[],
): Promise<void> {
  await db.query({
    name: 'evm-relay-record-balances',
    text: `
      update evm_accounts a set balance_wei = b.balance, balance_at = now(), alarm = b.alarm
      from unnest($2::text[], $3::numeric[], $4::text[]) as b (address, balance, alarm)
      where a.chain = $1 and a.address = b.address`,
    values: [
      chain,
      accounts.map((account) => account.address),
      accounts.map((account) => account.balanceWei.toString()),
      accounts.map((account) => account.alarm),
    ],
  });
}
