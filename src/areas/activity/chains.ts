import type { Db } from '../../store/types.ts';

const chainsMax = 100;

/**
 * Chains on which tokens moved into or out of a wallet, or should have, each with the time of the
 * first movement. Jumps from chain to chain in the index: a wallet with a million transfers costs
 * as little as one with ten.
 */
export async function selectTransferChains(
  db: Db,
  walletId: string,
): Promise<{ chain: string; firstAt: Date }[]> {
  const firstOf = (status: string) =>
    `(select min(t.completed_at) from wallet_transfers t where t.wallet_id = $1 and t.chain = used.chain and t.status = '${status}' and not t.retracted)`;
  const { rows } = await db.query<{ chain: string; first_at: Date }>({
    name: 'activity-chains',
    text: `with recursive used (chain) as (
        (select chain from wallet_transfers where wallet_id = $1 and not retracted order by chain limit 1)
        union all
        select (select t.chain from wallet_transfers t where t.wallet_id = $1 and t.chain > used.chain and not t.retracted order by t.chain limit 1)
        from used where used.chain is not null
      )
      select used.chain, least(${firstOf('succeeded')}, ${firstOf('failed')}) as first_at from used where used.chain is not null limit $2`,
    values: [walletId, chainsMax],
  });
  return rows.map((row) => ({ chain: row.chain, firstAt: row.first_at }));
}
