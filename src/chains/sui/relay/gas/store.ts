import type { Db } from '../../../../store/types.ts';
import type { LeaseInput } from '../../../family/lease-one.ts';
import type { ObjectRef } from '../../operation/program.ts';

/** SQL of `sui_gas_coins`: which coins of sponsors there are, and whose they are. */

/** NOTIFY channel that wakes the upkeep; the payload is the chain. */
export const gasChannel = 'purser_sui_gas';

export interface GasCoin extends ObjectRef {
  readonly sponsor: string;
  readonly mist: bigint;
}

interface Row {
  object_id: string;
  sponsor: string;
  version: string;
  digest: string;
  mist: string;
}

const columns = 'object_id, sponsor, version, digest, mist';
const read = ({ object_id: objectId, sponsor, version, digest, mist }: Row): GasCoin => ({
  objectId,
  sponsor,
  version,
  digest,
  mist: BigInt(mist),
});

/**
 * Takes a free coin for an operation that is being prepared; undefined when there is none, or the
 * wallet has its share.
 */
export async function leaseCoin(db: Db, input: LeaseInput): Promise<GasCoin | undefined> {
  const { rows } = await db.query<Row>({
    name: 'sui-gas-lease',
    text: `
      update sui_gas_coins n set status = 'leased', lease = $3, wallet = $2, project_id = $6, lease_until = $4
      where n.chain = $1 and n.status = 'free' and n.object_id = (
          select object_id from sui_gas_coins where chain = $1 and status = 'free' order by random() limit 1 for update skip locked)
        and (select count(*) from sui_gas_coins o where o.chain = $1 and o.wallet = $2 and o.status = 'leased') < $5
      returning ${columns}`,
    values: [
      input.chain,
      input.wallet,
      input.lease,
      input.until,
      input.perWalletMax,
      input.projectId ?? null,
    ],
  });
  return rows[0] && read(rows[0]);
}

/**
 * Takes the oldest coin of the wallet that has the most: of the project that has the most, when it
 * would still have no fewer than the project that asks, or else of the same project, when that
 * wallet would have no fewer than the one that asks. What it was for has not been handed to the
 * relay, and ends when it is.
 */
export async function takeOverCoin(db: Db, input: LeaseInput): Promise<GasCoin | undefined> {
  const { rows } = await db.query<Row>({
    name: 'sui-gas-take-over',
    text: `
      with leased as (
        select object_id, lease, lease_until, wallet, project_id,
          count(*) over (partition by project_id) as of_project, count(*) over (partition by project_id, wallet) as of_wallet
        from sui_gas_coins where chain = $1 and status = 'leased'
      ), own as (
        select count(*) as of_project, count(*) filter (where wallet = $2) as of_wallet from leased where project_id is not distinct from $5
      ), candidates as (
        select l.object_id, l.of_project, l.of_wallet, l.lease_until, l.project_id is not distinct from $5::uuid as is_own
        from leased l, own
        where case when l.project_id is not distinct from $5 then l.of_wallet > 1 + own.of_wallet else l.of_project > 1 + own.of_project end
          and not exists (select 1 from operation_intents i where i.chain = $1 and i.status <> 'settled' and i.operation ->> 'lease' = l.lease::text)
      )
      update sui_gas_coins n set lease = $3, wallet = $2, project_id = $5, lease_until = $4
      where n.chain = $1 and n.status = 'leased' and n.object_id = (
        select o.object_id from sui_gas_coins o join candidates c on c.object_id = o.object_id
        where o.chain = $1 and o.status = 'leased'
        order by c.is_own, c.of_project desc, c.of_wallet desc, c.lease_until limit 1 for update of o skip locked)
      returning ${columns}`,
    values: [input.chain, input.wallet, input.lease, input.until, input.projectId ?? null],
  });
  return rows[0] && read(rows[0]);
}

/** Tells the workers that somebody waits for a coin. */
export async function askForCoins(db: Db, chain: string): Promise<void> {
  await db.query({
    name: 'sui-gas-ask',
    text: `select pg_notify('${gasChannel}', $1)`,
    values: [chain],
  });
}

export async function countLeases(db: Db, chain: string, wallet: string): Promise<number> {
  const { rows } = await db.query<{ count: string }>({
    name: 'sui-gas-count-leases',
    text: `select count(*) from sui_gas_coins where chain = $1 and wallet = $2 and status = 'leased'`,
    values: [chain, wallet],
  });
  return Number(rows[0]!.count);
}

/** Of an operation that came to nothing before it was handed to the relay. */
export async function freeLease(db: Db, lease: string): Promise<void> {
  await db.query({
    name: 'sui-gas-free-lease',
    text: `
      update sui_gas_coins set status = 'free', lease = null, wallet = null, project_id = null, lease_until = null
      where lease = $1 and status = 'leased'`,
    values: [lease],
  });
}

export interface CoinUse {
  readonly chain: string;
  readonly lease: string;
  readonly operationId: string;
  readonly coin: ObjectRef;
}

/**
 * From here on its sponsor may sign with it for this operation alone. False: it is not the
 * operation's any more.
 */
export async function useCoin(
  db: Db,
  { chain, lease, operationId, coin }: CoinUse,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'sui-gas-use',
    text: `
      update sui_gas_coins set status = 'used', operation_id = $3
      where chain = $1 and lease = $2 and object_id = $4 and version = $5
        and (status = 'leased' or (status = 'used' and operation_id = $3))`,
    values: [chain, lease, operationId, coin.objectId, coin.version],
  });
  return rowCount > 0;
}

/** Of operations that ended: nobody gets their coins before their versions were read once more. */
export async function endUses(db: Db, operationIds: readonly string[]): Promise<void> {
  await db.query({
    name: 'sui-gas-end-uses',
    text: `
      update sui_gas_coins set status = 'moving', run_at = now(),
        operation_id = null, lease = null, wallet = null, project_id = null, lease_until = null
      where operation_id = any($1::uuid[]) or (status = 'leased' and lease in (
        select (operation ->> 'lease')::uuid from operation_intents where operation_id = any($1::uuid[])))`,
    values: [operationIds],
  });
}

/** Leases whose time is over, and whose operation was never handed to the relay. */
export async function freeOverdue(db: Db, chain: string): Promise<void> {
  await db.query({
    name: 'sui-gas-free-overdue',
    text: `
      update sui_gas_coins n set status = 'free', lease = null, wallet = null, project_id = null, lease_until = null
      where chain = $1 and status = 'leased' and lease_until < now() and not exists (
        select 1 from operation_intents i where i.chain = $1 and i.status <> 'settled' and i.operation ->> 'lease' = n.lease::text)`,
    values: [chain],
  });
}

/** New coins of the pool. */
export async function addCoins(db: Db, chain: string, coins: readonly GasCoin[]): Promise<void> {
  await db.query({
    name: 'sui-gas-add',
    text: `
      insert into sui_gas_coins (chain, ${columns})
      select $1, * from unnest($2::text[], $3::text[], $4::numeric[], $5::text[], $6::numeric[]) on conflict do nothing`,
    values: [chain, ...valuesOf(coins)],
  });
}

const valuesOf = (coins: readonly GasCoin[]) => [
  coins.map(({ objectId }) => objectId),
  coins.map(({ sponsor }) => sponsor),
  coins.map(({ version }) => version),
  coins.map(({ digest }) => digest),
  coins.map(({ mist }) => mist.toString()),
];

/**
 * Coins to look at: those of the pool that are of nobody, with how long their version is in doubt.
 */
export async function selectMoving(
  db: Db,
  chain: string,
  limit: number,
): Promise<(GasCoin & { readonly sinceMs: number })[]> {
  const { rows } = await db.query<Row & { since_ms: string }>({
    name: 'sui-gas-moving',
    text: `
      select ${columns}, extract(epoch from now() - run_at) * 1000 as since_ms from sui_gas_coins
      where chain = $1 and status = 'moving' order by run_at limit $2`,
    values: [chain, limit],
  });
  return rows.map((row) => ({ ...read(row), sinceMs: Number(row.since_ms) }));
}

/** What the chain has of them now; others may use them. */
export async function setCoins(db: Db, chain: string, coins: readonly GasCoin[]): Promise<void> {
  await db.query({
    name: 'sui-gas-set',
    text: `
      update sui_gas_coins n set version = v.version, digest = v.digest, mist = v.mist, status = 'free'
      from unnest($2::text[], $3::text[], $4::numeric[], $5::text[], $6::numeric[]) as v (object_id, sponsor, version, digest, mist)
      where n.chain = $1 and n.object_id = v.object_id and n.status = 'moving' and n.version <= v.version`,
    values: [chain, ...valuesOf(coins)],
  });
}

/** They are no coins to pay with any more. */
export async function dropCoins(
  db: Db,
  chain: string,
  objectIds: readonly string[],
): Promise<void> {
  await db.query({
    name: 'sui-gas-drop',
    text: `delete from sui_gas_coins where chain = $1 and object_id = any($2::text[]) and status = 'moving'`,
    values: [chain, objectIds],
  });
}

/** Every coin of the pool of these sponsors, whoever has it. */
export async function selectPool(
  db: Db,
  chain: string,
  sponsors: readonly string[],
): Promise<(GasCoin & { readonly status: 'free' | 'leased' | 'used' | 'moving' })[]> {
  const { rows } = await db.query<Row & { status: 'free' | 'leased' | 'used' | 'moving' }>({
    name: 'sui-gas-pool',
    text: `select ${columns}, status from sui_gas_coins where chain = $1 and sponsor = any($2::text[]) limit 2000`,
    values: [chain, sponsors],
  });
  return rows.map((row) => ({ ...read(row), status: row.status }));
}

/** Whether one of these is a coin of the pool by now. */
export async function isAnyPooled(
  db: Db,
  chain: string,
  objectIds: readonly string[],
): Promise<boolean> {
  const { rows } = await db.query({
    name: 'sui-gas-is-pooled',
    text: 'select 1 from sui_gas_coins where chain = $1 and object_id = any($2::text[]) limit 1',
    values: [chain, objectIds],
  });
  return rows.length > 0;
}

/** Coins of accounts whose keys are not configured any more pay for nothing. */
export async function dropForeign(
  db: Db,
  chain: string,
  sponsors: readonly string[],
): Promise<void> {
  await db.query({
    name: 'sui-gas-drop-foreign',
    text: `delete from sui_gas_coins where chain = $1 and sponsor <> all($2::text[]) and status in ('free', 'moving')`,
    values: [chain, sponsors],
  });
}

/** Their versions are not what was thought: read them again before anybody gets them. */
export async function doubt(db: Db, chain: string, objectIds: readonly string[]): Promise<void> {
  await db.query({
    name: 'sui-gas-doubt',
    text: `update sui_gas_coins set status = 'moving', run_at = now() where chain = $1 and object_id = any($2::text[]) and status = 'free'`,
    values: [chain, objectIds],
  });
}
