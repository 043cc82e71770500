import type { Address } from '@solana/kit';
import { readComputeBudget } from '../operation/instructions.ts';
import { readMessage } from '../operation/message.ts';
import type { LandedTransaction } from '../operation/node.ts';
import { countChecked, feeOf } from '../operation/prices.ts';
import { programAccountRentMax, tokenAccountRentMax } from '../operation/sponsor.ts';
import { programs } from '../operation/wrapping/programs.ts';
import { relayLimits } from './limits.ts';

export interface CostBounds {
  /**
   * Fee of the signatures and of the computation that was asked for: it is taken whatever happens.
   */
  readonly fee: bigint;
  /** With the rent of every account that the fee payer may have been made to pay for. */
  readonly most: bigint;
}

/**
 * What a transaction can have cost its fee payer, from its bytes alone: who pays and what is called
 * stands in no lookup table.
 */
function costBoundsOf(messageBytes: Uint8Array): CostBounds {
  const message = readMessage(messageBytes);
  const written = 'instructions' in message ? message.instructions : [];
  const instructions = written.map(({ programAddressIndex, accountIndices = [], data }) => ({
    programAddress: message.staticAccounts[programAddressIndex] as Address,
    accountIndices,
    data: data === undefined ? new Uint8Array() : new Uint8Array(data),
  }));
  const signatures = message.header.numSignerAccounts + countChecked(instructions);
  const { units = relayLimits.unitsMax, price = 0n } = readComputeBudget(
    instructions.map((one) => ({ ...one, accounts: [] })),
  );
  const fee = feeOf({ signatures, units, price });
  const paying = instructions.filter(
    ({ accountIndices }, index) => index > 0 && accountIndices.includes(0),
  );
  const rent = paying.reduce(
    (sum, { programAddress }) =>
      sum +
      (programAddress === programs.associatedToken ? tokenAccountRentMax : programAccountRentMax),
    0n,
  );
  return { fee, most: fee + rent };
}

/** What it cost: what the node says, within what the bytes allow. */
export function costOf(
  messageBytes: Uint8Array,
  { err, feePayerPaid }: Pick<LandedTransaction, 'err' | 'feePayerPaid'>,
): bigint {
  const { fee, most } = costBoundsOf(messageBytes);
  if (err !== null || feePayerPaid < fee) return fee;
  return feePayerPaid < most ? feePayerPaid : most;
}
