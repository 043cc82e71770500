import type { Db } from '../../../store/types.ts';

/**
 * What the tables of deposits and transfers say, beside what the ledger has posted to treasuries
 * for them.
 */

/** Sums of what is posted to treasuries, by account and asset. */
export type PostedLegs = readonly (readonly [
  account: string,
  asset: string,
  postedMinor: string,
])[];

export interface DepositFact {
  readonly id: string;
  /** Null, like all that follow, where there is no such deposit. */
  readonly chain: string | null;
  readonly tokenAddress: string | null;
  readonly tokenDecimals: number | null;
  readonly tokenSymbol: string | null;
  readonly amountMinor: string | null;
  readonly status: 'seen' | 'final' | 'retracted' | null;
  readonly isToItself: boolean | null;
  readonly txId: string | null;
  readonly legs: PostedLegs;
}

const treasuryLegs = (references: string, also = '') => `
  coalesce((select json_agg(json_build_array(s.account, s.asset, s.posted::text)) from (
    select p.account, p.asset, sum(p.posted_minor) as posted
    from ledger_entries e join ledger_postings p on p.entry_id = e.id
    where e.project_id = $1 and e.hold_id is null and e.reference = any((${references})::text[]) ${also}
      and p.account like 'chain:%:treasury' group by p.account, p.asset) s), '[]'::json)`;

/** In no order; one row for each id. */
export async function selectDepositFacts(
  db: Db,
  input: { projectId: string; ids: readonly string[] },
): Promise<DepositFact[]> {
  const { rows } = await db.query<DepositFact>({
    name: 'reconciliation-deposits',
    text: `select t.id, d.chain, d.token_address as "tokenAddress", d.token_decimals as "tokenDecimals", d.token_symbol as "tokenSymbol",
        d.amount_minor::text as "amountMinor", d.status, d.sender = d.recipient as "isToItself", d.tx_id as "txId",
        ${treasuryLegs(`(select array_agg('deposit:' || t.id || ':' || step || ':' || n)
          from generate_series(1, coalesce(o.posted, 0) + 1) n, unnest(array['final', 'retracted']) step)`)} as legs
      from unnest($2::uuid[]) as t (id) left join deposits d on d.id = t.id and d.project_id = $1
      left join order_deposits o on o.deposit_id = t.id`,
    values: [input.projectId, input.ids],
  });
  return rows;
}

export interface TransferFact {
  readonly id: string;
  readonly subject: string | null;
  readonly chain: string | null;
  readonly tokenAddress: string | null;
  readonly tokenSymbol: string | null;
  readonly amountMinor: string | null;
  readonly status: 'pending' | 'success' | 'final' | 'failed' | null;
  readonly height: string | null;
  /** The order that sent it is about to post it. */
  readonly isBeingPosted: boolean;
  /** No block that was read has it, and no relay is about to send it. */
  readonly isLost: boolean;
  /** An item of a collection is no money: nothing is posted for it. */
  readonly collectible: boolean;
  readonly legs: PostedLegs;
}

/** What families send stands in these until some days after its end, which a block shows soon. */
const relayQueues = ['evm_operations', 'operation_intents', 'solana_operations'];

/** In no order; one row for each id. */
export async function selectTransferFacts(
  db: Db,
  input: { projectId: string; ids: readonly string[] },
): Promise<TransferFact[]> {
  const { rows } = await db.query<TransferFact>({
    name: 'reconciliation-transfers',
    text: `select i.id, t.subject, t.chain, t.token_address as "tokenAddress", t.token_symbol as "tokenSymbol",
        t.amount_minor::text as "amountMinor", t.status, t.height::text as height, coalesce(t.collectible, false) as collectible, coalesce(o.state = 'delivering', false) as "isBeingPosted",
        coalesce(t.status in ('pending', 'success') and t.height is null, false) and ${relayQueues
          .map(
            (table) =>
              `not exists (select from ${table} q where q.operation_id = t.id and (q.status <> 'settled' or q.settled_at > now() - interval '1 hour'))`,
          )
          .join(' and ')} as "isLost",
        ${treasuryLegs(
          `array['withdrawal:' || i.id, 'order-delivery:' || coalesce(o.id::text, '')]
            || array(select 'order-delivery:' || o.id || '/' || item
              from generate_series(0, jsonb_array_length(coalesce(o.facts->'deliveries', '[]')) - 1) item)
            || coalesce((select array_agg('refund:' || r.id || ':' || step || ':' || n)
              from generate_series(1, r.finals + 1) n, unnest(array['final', 'retracted']) step), '{}')`,
          `and (e.reference not like 'order-delivery:%' or e.data->>'transferId' = i.id::text)`,
        )} as legs
      from unnest($2::uuid[]) as i (id) left join treasury_transfers t on t.id = i.id and t.project_id = $1
      left join orders o on o.id = case when t.subject ~ '^order:[0-9a-f-]{36}$' then substr(t.subject, 7)::uuid end
      left join order_refunds r on r.transfer_id = i.id`,
    values: [input.projectId, input.ids],
  });
  return rows;
}

/** More at once are more than a chain can make between two final heights. */
const countedMax = 10_000;

/**
 * Ids of what is final in our tables and stands above a height of its chain: the state of the chain
 * at that height lacks it.
 */
export async function selectAbove(
  db: Db,
  input: { projectId: string; chain: string; height: bigint },
): Promise<{ readonly deposits: readonly string[]; readonly transfers: readonly string[] }> {
  const values = [input.projectId, input.chain, input.height.toString()];
  const of = (table: string, also = '') =>
    `select id from ${table} where project_id = $1 and chain = $2 and status = 'final' and height > $3 ${also} limit ${countedMax}`;
  const deposits = await db.query<{ id: string }>({
    name: 'reconciliation-deposits-above',
    text: of('deposits'),
    values,
  });
  const transfers = await db.query<{ id: string }>({
    name: 'reconciliation-transfers-above',
    text: of('treasury_transfers', 'and not collectible'),
    values,
  });
  return {
    deposits: deposits.rows.map(({ id }) => id),
    transfers: transfers.rows.map(({ id }) => id),
  };
}

/** Transfers that are final at this height or below, and whose order is about to post them. */
export async function selectUnposted(
  db: Db,
  input: { projectId: string; chain: string; height: bigint },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'reconciliation-unposted',
    text: `select t.id from orders o
      cross join lateral (select (o.facts->>'deliveryTransferId')::uuid as id
        union all select (item->>'transferId')::uuid from jsonb_array_elements(coalesce(o.facts->'deliveries', '[]')) as item
          where item->>'status' is null) as open
      join treasury_transfers t on t.id = open.id
      where o.project_id = $1 and o.state = 'delivering' and t.chain = $2 and t.status = 'final' and t.height <= $3 and not t.collectible limit ${countedMax}`,
    values: [input.projectId, input.chain, input.height.toString()],
  });
  return rows.map(({ id }) => id);
}

/** What of the legs is posted to a treasury in an asset. */
export function sumLegs(
  legs: PostedLegs,
  of: { readonly chain: string; readonly asset: string },
): bigint {
  const account = `chain:${of.chain}:treasury`;
  return legs
    .filter(([to, asset]) => to === account && asset === of.asset)
    .reduce((sum, [, , posted]) => sum + BigInt(posted), 0n);
}

/** Legs that are posted somewhere else, or in another asset. */
export function strayLegs(
  legs: PostedLegs,
  of: { readonly chain: string; readonly asset: string },
): PostedLegs {
  return legs.filter(
    ([to, asset, posted]) =>
      BigInt(posted) !== 0n && !(to === `chain:${of.chain}:treasury` && asset === of.asset),
  );
}
