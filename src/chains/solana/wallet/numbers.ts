import type { Db } from '../../../store/types.ts';

/**
 * SQL of `solana_numbers`: each operation that P-256 keys approve has numbers that no other of its
 * signer has.
 */

export interface NumberInput {
  readonly wallet: string;
  /** Locator of the delegate; empty: the admin, whichever of its methods approves. */
  readonly signer: string;
  /** The highest that the chain has seen. */
  readonly above: bigint;
  readonly count: number;
}

/** The first of so many. */
export async function claimNumbers(
  db: Db,
  { wallet, signer, above, count }: NumberInput,
): Promise<bigint> {
  const { rows } = await db.query<{ first: string }>({
    name: 'solana-numbers-take',
    text: `
      insert into solana_numbers as n (wallet, signer, next) values ($1, $2, $3::numeric + 1 + $4)
      on conflict (wallet, signer) do update set next = greatest(n.next, $3::numeric + 1) + $4
      returning next - $4 as first`,
    values: [wallet, signer, above.toString(), count],
  });
  return BigInt(rows[0]!.first);
}
