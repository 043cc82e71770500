import { ServiceError } from '../../../lib/errors.ts';
import type { Db } from '../../../store/types.ts';

/** SQL of `stellar_numbers`: each operation of a wallet has a nonce that no other has. */

const numbersMax = 2n ** 32n;

/**
 * @param stamp the upper half of the nonce, in words
 * @throws provider-unavailable after 2 ** 32 of them: the epoch has to be raised
 */
export async function claimNumber(
  db: Db,
  { wallet, stamp }: { readonly wallet: string; readonly stamp: string },
): Promise<number> {
  const { rows } = await db.query<{ number: string }>({
    name: 'stellar-numbers-take',
    text: `
      insert into stellar_numbers as n (wallet, stamp, next) values ($1, $2, 1)
      on conflict (wallet, stamp) do update set next = n.next + 1
      returning next - 1 as number`,
    values: [wallet, stamp],
  });
  const number = BigInt(rows[0]!.number);
  if (number < numbersMax) return Number(number);
  throw new ServiceError('provider-unavailable', {
    message: `The wallet ${wallet} has used up its nonces: raise its epoch.`,
  });
}

/**
 * The next sequence number of an account for a classic operation: above the chain's, and above all
 * that were given out.
 */
export async function claimSequence(
  db: Db,
  { wallet, above }: { readonly wallet: string; readonly above: bigint },
): Promise<bigint> {
  const { rows } = await db.query<{ sequence: string }>({
    name: 'stellar-sequence-take',
    text: `
      insert into stellar_numbers as n (wallet, stamp, next) values ($1, 'sequence', $2::bigint + 2)
      on conflict (wallet, stamp) do update set next = greatest(n.next, $2::bigint + 1) + 1
      returning next - 1 as sequence`,
    values: [wallet, above.toString()],
  });
  return BigInt(rows[0]!.sequence);
}
