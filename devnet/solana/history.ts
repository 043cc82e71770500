import type { InnerInstruction } from './machine.ts';
import type { UiAmount } from './token-accounts.ts';
import type { TransactionError } from './transaction-error.ts';

export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly uiTokenAmount: UiAmount;
}

/**
 * A transaction that is part of the chain, failed ones too. Amounts are decimal strings, so that a
 * journal can hold it.
 */
export interface Landed {
  readonly signature: string;
  readonly slot: number;
  readonly height: number;
  readonly timeMs: number;
  readonly version: 'legacy' | 0;
  /** Base64 of its bytes. */
  readonly wire: string;
  readonly error: TransactionError | null;
  readonly fee: string;
  readonly unitPrice: string;
  readonly keys: readonly string[];
  readonly writableKeys: readonly string[];
  readonly loaded: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
  readonly preBalances: readonly string[];
  readonly postBalances: readonly string[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
  readonly logs: readonly string[];
  readonly inner: readonly (readonly InnerInstruction[])[];
  readonly units: string;
  readonly returnData: { readonly program: string; readonly data: string } | null;
  readonly memo: string | null;
}

/** The newest transactions of the chain; older ones are forgotten, as nodes do. */
export class History {
  readonly #max: number;
  readonly #bySignature = new Map<string, Landed>();
  readonly #byAddress = new Map<string, Landed[]>();
  readonly #bySlot = new Map<number, Landed[]>();
  /** The slot up to which transactions were forgotten. */
  #forgottenUpTo = -1;

  constructor(max: number) {
    this.#max = max;
  }

  add(landed: Landed): void {
    this.#bySignature.set(landed.signature, landed);
    push(this.#bySlot, landed.slot, landed);
    for (const key of new Set(landed.keys)) push(this.#byAddress, key, landed);
    if (this.#bySignature.size > this.#max) this.#forgetFirst();
  }

  get(signature: string): Landed | undefined {
    return this.#bySignature.get(signature);
  }

  /** In the order in which they ran. */
  atSlot(slot: number): readonly Landed[] {
    return this.#bySlot.get(slot) ?? [];
  }

  /** Oldest first. */
  ofAddress(address: string): readonly Landed[] {
    return this.#byAddress.get(address) ?? [];
  }

  all(): IterableIterator<Landed> {
    return this.#bySignature.values();
  }

  get forgottenUpTo(): number {
    return this.#forgottenUpTo;
  }

  get size(): number {
    return this.#bySignature.size;
  }

  #forgetFirst(): void {
    const first = this.#bySignature.values().next().value;
    if (!first) return;
    this.#bySignature.delete(first.signature);
    shift(this.#bySlot, first.slot);
    this.#forgottenUpTo = first.slot;
    for (const key of new Set(first.keys)) shift(this.#byAddress, key);
  }
}

function push<Key>(lists: Map<Key, Landed[]>, key: Key, landed: Landed): void {
  const list = lists.get(key);
  if (list) list.push(landed);
  else lists.set(key, [landed]);
}

function shift<Key>(lists: Map<Key, Landed[]>, key: Key): void {
  const list = lists.get(key);
  if (list && list.length > 1) list.shift();
  else lists.delete(key);
}
