import type { Instruction } from '@solana/kit';
import { secp256r1Program } from '../../../../programs/solana-wallet/index.ts';
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

/**
 * Programs whose instructions hold signatures that the cluster checks, and takes a fee for: the
 * first byte says how many.
 */
const signaturePrograms = new Set<string>([
  secp256r1Program,
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
]);

/** Signatures within instructions that the cluster takes a fee for, beside those of signers. */
export function countChecked(
  instructions: readonly Pick<Instruction, 'programAddress' | 'data'>[],
): number {
  return instructions
    .filter(({ programAddress }) => signaturePrograms.has(programAddress))
    .reduce((sum, { data }) => sum + (data?.[0] ?? 0), 0);
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
