import type { Db } from '../../store/types.ts';

/**
 * Transactions that are looked at: a chain that came later counts from the first token that moved
 * on it (area activity).
 */
const transactionsMax = 200;

/** Chains of a wallet's first transactions, each with the time of the first one. */
export async function selectTransactionChains(
  db: Db,
  walletId: string,
): Promise<{ chain: string; firstAt: Date }[]> {
  const { rows } = await db.query<{ chain: string; first_at: Date }>({
    name: 'transactions-chains',
    text: `select chain, min(created_at) as first_at
      from (select chain, created_at from transactions where wallet_id = $1 order by created_at, id limit $2) as earliest
      group by chain`,
    values: [walletId, transactionsMax],
  });
  return rows.map((row) => ({ chain: row.chain, firstAt: row.first_at }));
}
