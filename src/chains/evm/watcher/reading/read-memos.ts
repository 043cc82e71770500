import { bytesOf, type Hex } from '../../abi/words.ts';
import { findTransferCalls, nativeMemo, pairMemos } from '../memos.ts';
import type { Movement } from './movements.ts';

export interface MemoSources {
  /** Input of a transaction by its hash. */
  readonly inputs: ReadonlyMap<string, string>;
  /** What this service itself knows of operations, as ABI-encoded hex by hash. */
  readonly operationItems: (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/**
 * Memos of fungible and native movements; a movement without one is absent. The movements are in
 * the order of their logs.
 */
export async function readMemos(
  sources: MemoSources,
  movements: readonly Movement[],
): Promise<ReadonlyMap<Movement, string>> {
  const memos = new Map<Movement, string>();
  for (const movement of movements) {
    const memo = movement.kind === 'native' ? nativeMemo(movement.callData) : undefined;
    if (memo !== undefined) memos.set(movement, memo);
  }
  const fungible = movements.filter(({ kind }) => kind === 'fungible');
  const items = await sources.operationItems([
    ...new Set(fungible.flatMap(({ operationHash }) => operationHash ?? [])),
  ]);
  for (const same of groupBy(
    fungible,
    ({ txHash, recipient, amountMinor }) => `${txHash}|${recipient}|${amountMinor}`,
  )) {
    const own = ({ operationHash }: Movement) =>
      operationHash === undefined ? undefined : items.get(operationHash);
    // An operation of this service is told apart from what else the transaction carries.
    for (const ofOperation of groupBy(same.filter(own), ({ operationHash }) => operationHash!))
      keep(
        memos,
        ofOperation,
        pairMemos(
          findTransferCalls(bytesOf(own(ofOperation[0]!) as Hex), ofOperation[0]!),
          ofOperation.length,
        ),
      );
    if (same.every(own)) continue;
    const input = bytesOf((sources.inputs.get(same[0]!.txHash) ?? '0x') as Hex);
    const paired = pairMemos(findTransferCalls(input, same[0]!), same.length);
    keep(memos, same, paired, (movement) => own(movement) === undefined);
  }
  return memos;
}

function keep(
  memos: Map<Movement, string>,
  movements: readonly Movement[],
  found: readonly (string | undefined)[],
  isMeant: (movement: Movement) => boolean = () => true,
): void {
  for (const [index, movement] of movements.entries()) {
    const memo = found[index];
    if (memo !== undefined && isMeant(movement)) memos.set(movement, memo);
  }
}

/** Items with the same key, in their order. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
