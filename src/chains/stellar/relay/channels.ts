import type { Db } from '../../../store/types.ts';

/** SQL of `stellar_channels`: which account sends the transactions of which operation. */

/** Makes the accounts of this process known. */
export async function recordChannels(
  db: Db,
  chain: string,
  addresses: readonly string[],
): Promise<void> {
  await db.query({
    name: 'stellar-channels-record',
    text: 'insert into stellar_channels (chain, address) select $1, unnest($2::text[]) on conflict do nothing',
    values: [chain, addresses],
  });
}

export interface LeaseInput {
  readonly chain: string;
  /** Those whose keys this process has. */
  readonly addresses: readonly string[];
  readonly operationId: string;
  readonly wallet: string;
}

/**
 * The account of an operation: the one that it has, or a free one. Undefined: all are taken, or its
 * key is another process's.
 */
export async function leaseChannel(
  db: Db,
  { chain, addresses, operationId, wallet }: LeaseInput,
): Promise<string | undefined> {
  const { rows } = await db.query<{ address: string }>({
    name: 'stellar-channels-lease',
    text: `
      with own as (select address from stellar_channels where chain = $1 and operation_id = $3),
      free as (
        select address from stellar_channels
        where chain = $1 and address = any($2::text[]) and operation_id is null and not exists (select from own)
        order by leased_at nulls first limit 1 for update skip locked),
      leased as (
        update stellar_channels c set operation_id = $3, wallet = $4, leased_at = now()
        from free where c.chain = $1 and c.address = free.address returning c.address)
      select address from leased union all select address from own where address = any($2::text[])`,
    values: [chain, addresses, operationId, wallet],
  });
  return rows[0]?.address;
}

/**
 * Says that the operation's transaction makes its wallet. False: another operation's does already.
 */
export async function markDeploying(
  db: Db,
  { chain, operationId, wallet }: Omit<LeaseInput, 'addresses'>,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'stellar-channels-deploys',
    text: `
      update stellar_channels set deploys = true where chain = $1 and operation_id = $2
      and not exists (select from stellar_channels where chain = $1 and wallet = $3 and deploys and operation_id <> $2)`,
    values: [chain, operationId, wallet],
  });
  return rowCount > 0;
}

/** Gives accounts back: no transaction of these operations is under way any more. */
export async function freeChannels(
  db: Db,
  chain: string,
  operationIds: readonly string[],
): Promise<void> {
  await db.query({
    name: 'stellar-channels-free',
    text: `
      update stellar_channels set operation_id = null, wallet = null, deploys = false
      where chain = $1 and operation_id = any($2::uuid[])`,
    values: [chain, operationIds],
  });
}

/**
 * Gives the account of a transaction back that a ledger has: its number is used, whatever becomes
 * of its operation.
 */
export async function freeChannelOf(db: Db, chain: string, txId: string): Promise<void> {
  await db.query({
    name: 'stellar-channels-free-of',
    text: `
      update stellar_channels c set operation_id = null, wallet = null, deploys = false
      from operation_intents o where o.chain = $1 and o.tx_id = $2 and c.chain = $1 and c.operation_id = o.operation_id`,
    values: [chain, txId],
  });
}
