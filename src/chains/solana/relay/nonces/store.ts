import type { Db } from '../../../../store/types.ts';
import type { LeaseInput } from '../../../family/lease-one.ts';
import { relayLimits } from '../limits.ts';

/** SQL of `solana_nonces`: which nonces there are, and who may use them. */

/** NOTIFY channel that wakes idle relays; the payload is `nonce` or `operation`, and the chain. */
export const relayChannel = 'purser_solana_relay';

export interface NonceRow {
  readonly address: string;
  readonly feePayer: string;
  readonly seed: string;
  readonly value: string | null;
}

interface Row {
  address: string;
  fee_payer: string;
  seed: string;
  value: string | null;
}

const read = ({ address, fee_payer, seed, value }: Row): NonceRow => ({
  address,
  feePayer: fee_payer,
  seed,
  value,
});

/**
 * Takes a free nonce for an operation that is being prepared; undefined when there is none, or the
 * wallet has its share.
 * @param anyPayer else of a fee payer that is not nearly empty, where there is one; always of one
 * that a worker has seen in the last hour, where it has seen any
 */
export async function leaseNonce(
  db: Db,
  input: LeaseInput,
  { anyPayer = false } = {},
): Promise<NonceRow | undefined> {
  const { rows } = await db.query<Row>({
    name: 'solana-nonces-lease',
    text: `
      with payers as (select address, minor from fee_accounts where chain = $1 and role = 'fee-payer'
        and seen_at > now() - interval '1 hour')
      update solana_nonces n set status = 'leased', lease = $3, wallet = $2, project_id = $6, lease_until = $4, run_at = $4
      where n.address = (
          select f.address from solana_nonces f
          where f.chain = $1 and f.status = 'free' and (not exists (select 1 from payers) or f.fee_payer in (
            select address from payers where $8 or minor >= $7 or not exists (select 1 from payers where minor >= $7)))
          order by random() limit 1 for update of f skip locked)
        and n.status = 'free'
        and (select count(*) from solana_nonces o where o.chain = $1 and o.wallet = $2 and o.status = 'leased') < $5
      returning address, fee_payer, seed, value`,
    values: [
      input.chain,
      input.wallet,
      input.lease,
      input.until,
      input.perWalletMax,
      input.projectId,
      relayLimits.payerLeastLamports.toString(),
      anyPayer,
    ],
  });
  return rows[0] && read(rows[0]);
}

/** Whether fee payers that are nearly empty have all nonces that may be made. */
export async function areHeldByPoor(
  db: Db,
  { chain, noncesMax }: { readonly chain: string; readonly noncesMax: number },
): Promise<boolean> {
  if (!Number.isFinite(noncesMax)) return false;
  const { rows } = await db.query<{ are: boolean }>({
    name: 'solana-nonces-held-by-poor',
    text: `
      select count(*) >= $2 and not coalesce(bool_or(f.minor >= $3), false) as are
      from solana_nonces n join fee_accounts f on f.chain = n.chain and f.address = n.fee_payer
      where n.chain = $1 and f.role = 'fee-payer' and f.seen_at > now() - interval '1 hour'`,
    values: [chain, noncesMax, relayLimits.payerLeastLamports.toString()],
  });
  return rows[0]!.are;
}

/**
 * Takes the oldest nonce of the wallet that has the most: of the project that has the most, when it
 * would still have no fewer than the project that asks, or else of the same project, when that
 * wallet would have no fewer than the one that asks. What it was for has not been handed to the
 * relay, and ends when it is.
 */
export async function takeOverNonce(db: Db, input: LeaseInput): Promise<NonceRow | undefined> {
  const { rows } = await db.query<Row>({
    name: 'solana-nonces-take-over',
    text: `
      with leased as (
        select address, lease, lease_until, wallet, project_id,
          count(*) over (partition by project_id) as of_project, count(*) over (partition by project_id, wallet) as of_wallet
        from solana_nonces where chain = $1 and status = 'leased'
      ), own as (
        select count(*) as of_project, count(*) filter (where wallet = $2) as of_wallet from leased where project_id is not distinct from $5
      ), candidates as (
        select l.address, l.of_project, l.of_wallet, l.lease_until, l.project_id is not distinct from $5::uuid as is_own
        from leased l, own
        where case when l.project_id is not distinct from $5 then l.of_wallet > 1 + own.of_wallet else l.of_project > 1 + own.of_project end
          and not exists (select 1 from solana_operations s where s.lease = l.lease and s.status <> 'settled')
      )
      update solana_nonces n set lease = $3, wallet = $2, project_id = $5, lease_until = $4, run_at = $4
      where n.status = 'leased' and n.address = (
        select o.address from solana_nonces o join candidates c on c.address = o.address
        where o.status = 'leased'
        order by c.is_own, c.of_project desc, c.of_wallet desc, c.lease_until limit 1 for update of o skip locked)
      returning address, fee_payer, seed, value`,
    values: [input.chain, input.wallet, input.lease, input.until, input.projectId],
  });
  return rows[0] && read(rows[0]);
}

/** Tells the keepers that somebody waits for a nonce. */
export async function askForNonces(db: Db, chain: string): Promise<void> {
  await db.query({
    name: 'solana-nonces-ask',
    text: `select pg_notify('${relayChannel}', 'nonce ' || $1)`,
    values: [chain],
  });
}

export async function countLeases(db: Db, chain: string, wallet: string): Promise<number> {
  const { rows } = await db.query<{ count: string }>({
    name: 'solana-nonces-count-leases',
    text: `select count(*) from solana_nonces where chain = $1 and wallet = $2 and status = 'leased'`,
    values: [chain, wallet],
  });
  return Number(rows[0]!.count);
}

/**
 * From here on the fee payer may sign with it for this operation alone. False: it is not the
 * operation's any more.
 */
export async function useNonce(
  db: Db,
  input: {
    readonly lease: string;
    readonly operationId: string;
    readonly address: string;
    readonly value: string;
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'solana-nonces-use',
    text: `
      update solana_nonces set status = 'used', operation_id = $2
      where lease = $1 and address = $3 and value = $4 and (status = 'leased' or (status = 'used' and operation_id = $2))`,
    values: [input.lease, input.operationId, input.address, input.value],
  });
  return rowCount > 0;
}

/** Of operations that ended: nobody gets their nonces before their values were read once more. */
export async function endUses(
  db: Db,
  ended: readonly { readonly operationId: string; readonly lease: string }[],
): Promise<void> {
  await db.query({
    name: 'solana-nonces-end-uses',
    text: `
      update solana_nonces set status = 'moving', operation_id = null, lease = null, wallet = null, project_id = null, lease_until = null, run_at = now()
      where operation_id = any($1::uuid[]) or (lease = any($2::uuid[]) and status = 'leased')`,
    values: [ended.map(({ operationId }) => operationId), ended.map(({ lease }) => lease)],
  });
}

/** Of an operation that came to nothing before it was submitted. */
export async function freeLease(db: Db, lease: string): Promise<void> {
  await db.query({
    name: 'solana-nonces-free-lease',
    text: `
      update solana_nonces set status = 'free', lease = null, wallet = null, project_id = null, lease_until = null
      where lease = $1 and status = 'leased'`,
    values: [lease],
  });
}

/** Leases whose time is over, and whose operation was never handed to the relay. */
export async function freeOverdue(db: Db, chain: string): Promise<number> {
  const { rowCount } = await db.query({
    name: 'solana-nonces-free-overdue',
    text: `
      update solana_nonces n set status = 'free', lease = null, wallet = null, project_id = null, lease_until = null
      where chain = $1 and status = 'leased' and lease_until < now()
        and not exists (select 1 from solana_operations o where o.lease = n.lease and o.status <> 'settled')`,
    values: [chain],
  });
  return rowCount;
}

export interface PoolCounts {
  readonly free: number;
  /** On their way to be free: being made, or with a value that is to be read. */
  readonly coming: number;
  readonly total: number;
}

export async function countNonces(
  db: Db,
  chain: string,
  { all, able }: { readonly all: readonly string[]; readonly able: readonly string[] },
): Promise<PoolCounts> {
  const { rows } = await db.query<{ free: string; coming: string; total: string }>({
    name: 'solana-nonces-count',
    text: `
      select count(*) filter (where status = 'free' and fee_payer = any($3::text[])) as free,
        count(*) filter (where status in ('made', 'moving') and fee_payer = any($3::text[])) as coming, count(*) as total
      from solana_nonces where chain = $1 and fee_payer = any($2::text[])`,
    values: [chain, all, able],
  });
  const [row] = rows;
  return { free: Number(row!.free), coming: Number(row!.coming), total: Number(row!.total) };
}

/** Remembers nonces before they are made on the chain. */
export async function addNonces(
  db: Db,
  chain: string,
  nonces: readonly Omit<NonceRow, 'value'>[],
): Promise<void> {
  await db.query({
    name: 'solana-nonces-add',
    text: `
      insert into solana_nonces (chain, address, fee_payer, seed) select $1, * from unnest($2::text[], $3::text[], $4::text[])
      on conflict do nothing`,
    values: [
      chain,
      nonces.map(({ address }) => address),
      nonces.map(({ feePayer }) => feePayer),
      nonces.map(({ seed }) => seed),
    ],
  });
}

/** Nonces whose account is to be looked at; the same ones not again before the pause is over. */
export async function claimDue(
  db: Db,
  input: {
    readonly chain: string;
    readonly feePayers: readonly string[];
    readonly pauseMs: number;
    readonly limit: number;
  },
): Promise<(NonceRow & { readonly status: 'made' | 'moving'; readonly ageMs: number })[]> {
  const { rows } = await db.query<Row & { status: 'made' | 'moving'; age_ms: string }>({
    name: 'solana-nonces-due',
    text: `
      update solana_nonces n set run_at = now() + $3 * interval '1 millisecond'
      from (select address from solana_nonces where chain = $1 and fee_payer = any($2::text[]) and status in ('made', 'moving') and run_at <= now()
        order by run_at limit $4 for update skip locked) as due
      where n.address = due.address
      returning n.address, fee_payer, seed, value, status, extract(epoch from now() - created_at) * 1000 as age_ms`,
    values: [input.chain, input.feePayers, input.pauseMs, input.limit],
  });
  return rows.map((row) => ({ ...read(row), status: row.status, ageMs: Number(row.age_ms) }));
}

/**
 * Sets what the chain has, and lets others use them.
 * @returns the addresses of those that were set
 */
export async function setValues(
  db: Db,
  values: readonly { readonly address: string; readonly value: string }[],
): Promise<string[]> {
  const { rows } = await db.query<{ address: string }>({
    name: 'solana-nonces-set',
    text: `
      update solana_nonces n set value = v.value, status = 'free' from unnest($1::text[], $2::text[]) as v (address, value)
      where n.address = v.address and n.status in ('made', 'moving') returning n.address`,
    values: [values.map(({ address }) => address), values.map(({ value }) => value)],
  });
  return rows.map(({ address }) => address);
}

/** Free nonces, to see whether the chain agrees. */
export async function readFree(db: Db, chain: string, limit: number): Promise<NonceRow[]> {
  const { rows } = await db.query<Row>({
    name: 'solana-nonces-read-free',
    text: `select address, fee_payer, seed, value from solana_nonces where chain = $1 and status = 'free' order by random() limit $2`,
    values: [chain, limit],
  });
  return rows.map(read);
}

/** Their values are not what was thought: read them again before anybody gets them. */
export async function doubt(db: Db, addresses: readonly string[]): Promise<void> {
  await db.query({
    name: 'solana-nonces-doubt',
    text: `update solana_nonces set status = 'moving', run_at = now() where address = any($1::text[]) and status = 'free'`,
    values: [addresses],
  });
}

/** The highest number of a fee payer's seeds. */
export async function lastSeed(db: Db, chain: string, feePayer: string): Promise<number> {
  const { rows } = await db.query<{ last: string | null }>({
    name: 'solana-nonces-last-seed',
    text: `select max(substring(seed from '[0-9]+$')::bigint) as last from solana_nonces where chain = $1 and fee_payer = $2`,
    values: [chain, feePayer],
  });
  return Number(rows[0]?.last ?? 0);
}

/** One process at a time looks after a chain's nonces and accounts. */
export async function holdKeeper(
  db: Db,
  chain: string,
  token: string,
  forMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'solana-keeper-hold',
    text: `
      insert into solana_keepers as k (chain, token, held_until) values ($1, $2, now() + $3 * interval '1 millisecond')
      on conflict (chain) do update set token = excluded.token, held_until = excluded.held_until
      where k.token = excluded.token or k.held_until < now()`,
    values: [chain, token, forMs],
  });
  return rowCount > 0;
}

export async function releaseKeeper(db: Db, chain: string, token: string): Promise<void> {
  await db.query({
    text: `update solana_keepers set held_until = '1970-01-01Z' where chain = $1 and token = $2`,
    values: [chain, token],
  });
}
