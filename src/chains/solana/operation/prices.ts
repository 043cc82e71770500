import { readPriorityFees } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';

/** The first signature pays so much; each further one too. */
export const lamportsPerSignature = 5_000n;

/**
 * What to pay for a unit of computation, in millionths of a lamport: what three of four recent
 * blocks took for these accounts.
 */
export async function readUnitPrice(
  connection: SolanaConnection,
  accounts: readonly string[],
  ceiling: bigint,
): Promise<bigint> {
  const prices = (await readPriorityFees(connection, accounts)).toSorted((a, b) =>
    a < b ? -1 : a > b ? 1 : 0,
  );
  const usual = prices[Math.floor(prices.length * 0.75)] ?? 0n;
  return usual < ceiling ? usual : ceiling;
}

export interface Fee {
  readonly signatures: number;
  readonly units: bigint;
  readonly price: bigint;
}

/** What the cluster takes for a transaction, whether it succeeds or not. */
export function feeOf({ signatures, units, price }: Fee): bigint {
  return BigInt(signatures) * lamportsPerSignature + (units * price + 999_999n) / 1_000_000n;
}
