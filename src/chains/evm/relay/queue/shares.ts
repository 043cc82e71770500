import type { SentOperation } from '../sending/sent.ts';
import { batchFrameGas } from './batch.ts';
import { costOf, type ReceiptReading, splitByWeight } from './outcomes.ts';

/** What an operation took of a landed transaction. */
export interface Share {
  readonly operation: SentOperation;
  readonly gas: bigint;
  readonly wei: bigint;
  /**
   * Refused in the block; `burner`: with more than half of its cap gone. Absent: executed, or the
   * whole transaction was undone.
   */
  readonly refused?: 'early' | 'burner';
}

/**
 * Splits what a transaction cost between the operations that were in it. A receipt does not say
 * what a refused one took: what is left when those that ran have what they took in simulation, by
 * their caps.
 */
export function sharesOf(
  { receipt, executed }: ReceiptReading,
  operations: readonly SentOperation[],
): Share[] {
  const isUndone = receipt.status === 0n;
  const ran = operations.filter(({ operationHash }) => executed.has(operationHash));
  const refused = isUndone ? [] : operations.filter((operation) => !ran.includes(operation));
  const known = operations.reduce(
    (sum, { batchGas, gasLimit }) => sum + batchGas - gasLimit,
    batchFrameGas,
  );
  const left = receipt.gasUsed - known - ran.reduce((sum, { gasWeight }) => sum + gasWeight, 0n);
  const burned = left > 0n ? left : 0n;
  const caps = refused.reduce((sum, { gasLimit }) => sum + gasLimit, 0n);
  const weightOf = (operation: SentOperation): bigint => {
    if (isUndone) return operation.batchGas;
    return refused.includes(operation) ? (burned * operation.gasLimit) / caps : operation.gasWeight;
  };
  const weights = operations.map((operation) => maxOf(weightOf(operation), 1n));
  const gas = splitByWeight(receipt.gasUsed, weights);
  const wei = splitByWeight(costOf(receipt), weights);
  return operations.map((operation, index) => ({
    operation,
    gas: gas[index]!,
    wei: wei[index]!,
    ...(refused.includes(operation) && {
      refused: burned * 2n > caps ? ('burner' as const) : ('early' as const),
    }),
  }));
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
