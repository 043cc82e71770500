import { type bcs } from '@mysten/sui/bcs';
import { newObjectId } from '../ledger/hashes.ts';
import { amountOf, coinType, contentsOf, currencyOf, type SuiObject } from '../ledger/objects.ts';
import { callFunction } from './calls.ts';
import {
  Failure,
  insufficientBalance,
  lacks,
  overflow,
  unusedValue,
  wrongArgument,
} from './refusals.ts';
import { readAddress, readU64 } from './values.ts';

export type Argument = typeof bcs.Argument.$inferType;
export type Command = typeof bcs.Command.$inferType;

/** An object while a transaction runs. */
export interface Draft {
  readonly id: string;
  readonly type: string;
  contents: Uint8Array;
  /** Absent for what was made and given to nobody yet. */
  owner: string | undefined;
}

export type Value =
  | { readonly kind: 'object'; readonly draft: Draft }
  | { readonly kind: 'objects'; readonly type: string; readonly drafts: readonly Draft[] }
  /** Bytes of an input, of whatever type they are used as. */
  | { readonly kind: 'pure'; readonly bytes: Uint8Array }
  /** What a function gave back and anybody may drop. */
  | { readonly kind: 'data'; readonly type: string; readonly bytes: Uint8Array };

interface Slot {
  value: Value | undefined;
  readonly origin: 'gas' | 'input' | 'result';
}

export interface MachineInput {
  readonly digest: Uint8Array;
  readonly sender: string;
  readonly gas: SuiObject;
  readonly inputs: readonly (SuiObject | Uint8Array)[];
}

const u64Max = 2n ** 64n - 1n;

/**
 * Runs the commands of one transaction over its objects; what it made and moved is read afterwards.
 */
export class Machine {
  readonly sender: string;
  readonly #digest: Uint8Array;
  readonly #gas: Slot;
  readonly #inputs: readonly Slot[];
  readonly #results: Slot[][] = [];
  readonly #created: Draft[] = [];
  readonly #deleted = new Set<string>();
  /** The gas coin and the input objects, as they are now. */
  readonly touched: readonly Draft[];
  #count = 0n;

  constructor({ digest, sender, gas, inputs }: MachineInput) {
    this.sender = sender;
    this.#digest = digest;
    this.#gas = slotOf(gas, 'gas');
    this.#inputs = inputs.map((input) =>
      input instanceof Uint8Array
        ? { value: { kind: 'pure', bytes: input }, origin: 'input' }
        : slotOf(input, 'input'),
    );
    this.touched = [this.#gas, ...this.#inputs].flatMap(({ value }) =>
      value?.kind === 'object' ? [value.draft] : [],
    );
  }

  /** @throws Failure with the command that failed */
  run(commands: readonly Command[]): void {
    commands.forEach((command, index) => {
      try {
        this.#results.push(this.#runOne(command).map((value) => ({ value, origin: 'result' })));
      } catch (error) {
        if (error instanceof Failure) error.command ??= index;
        throw error;
      }
    });
    this.#results.forEach((slots, result) => {
      slots.forEach(({ value }, subresult) => {
        if (value?.kind === 'object' || (value?.kind === 'objects' && value.drafts.length > 0))
          throw unusedValue(result, subresult);
      });
    });
  }

  /** Values of the results, as a simulation shows them. */
  results(): readonly (readonly (Value | undefined)[])[] {
    return this.#results.map((slots) => slots.map(({ value }) => value));
  }

  created(): readonly Draft[] {
    return this.#created.filter(({ id }) => !this.#deleted.has(id));
  }

  isDeleted(id: string): boolean {
    return this.#deleted.has(id);
  }

  #runOne(command: Command): Value[] {
    if (command.SplitCoins) {
      const { coin, amounts } = command.SplitCoins;
      const source = this.borrow(coin, 0);
      return amounts.map((amount, index) =>
        this.split(source, readU64(this.#read(amount, index + 1), index + 1)),
      );
    }
    if (command.MergeCoins) {
      const { destination, sources } = command.MergeCoins;
      const target = this.borrow(destination, 0);
      sources.forEach((source, index) =>
        this.join(target, this.take(source, index + 1), index + 1),
      );
      return [];
    }
    if (command.TransferObjects) {
      const { objects, address } = command.TransferObjects;
      const to = readAddress(this.#read(address, objects.length), objects.length);
      const drafts = objects.map((object, index) => this.take(object, index, { mayBeGas: true }));
      for (const draft of drafts) this.transfer(draft, to);
      return [];
    }
    if (command.MakeMoveVec) return [this.#makeVector(command.MakeMoveVec)];
    if (command.MoveCall) return callFunction(this, command.MoveCall);
    return lacks('it publishes and upgrades no packages');
  }

  #makeVector({ type, elements }: NonNullable<Command['MakeMoveVec']>): Value {
    const drafts = elements.map((element, index) => this.take(element, index));
    const first = drafts[0]?.type ?? type;
    if (first === null || first === undefined) throw wrongArgument(0, 'TypeMismatch');
    const other = drafts.findIndex((draft) => draft.type !== first);
    if (other > 0) throw wrongArgument(other, 'TypeMismatch');
    return { kind: 'objects', type: first, drafts };
  }

  #slot(argument: Argument, index: number): Slot {
    if (argument.GasCoin) return this.#gas;
    const slot =
      argument.Input !== undefined
        ? this.#inputs[argument.Input]
        : argument.NestedResult
          ? this.#results[argument.NestedResult[0]]?.[argument.NestedResult[1]]
          : this.#onlyResult(argument.Result ?? -1);
    if (!slot) throw wrongArgument(index, 'InvalidValueUsage');
    return slot;
  }

  #onlyResult(result: number): Slot | undefined {
    const slots = this.#results[result];
    return slots?.length === 1 ? slots[0] : undefined;
  }

  #read(argument: Argument, index: number): Value {
    const { value } = this.#slot(argument, index);
    if (!value) throw wrongArgument(index, 'InvalidValueUsage');
    return value;
  }

  /** What may be copied: bytes and values, no objects. */
  value(argument: Argument, index: number): Value {
    const value = this.#read(argument, index);
    if (value.kind === 'object' || value.kind === 'objects')
      throw wrongArgument(index, 'TypeMismatch');
    return value;
  }

  /** An object by mutable reference. */
  borrow(argument: Argument, index: number): Draft {
    const slot = this.#slot(argument, index);
    if (slot.value?.kind !== 'object')
      throw wrongArgument(index, slot.value ? 'TypeMismatch' : 'InvalidValueUsage');
    return slot.value.draft;
  }

  /** An object by value: whoever gave it has it no more. */
  take(argument: Argument, index: number, { mayBeGas = false } = {}): Draft {
    const slot = this.#slot(argument, index);
    if (slot.value?.kind !== 'object')
      throw wrongArgument(index, slot.value ? 'TypeMismatch' : 'InvalidValueUsage');
    if (slot.origin === 'gas' && !mayBeGas) throw wrongArgument(index, 'InvalidGasCoinUsage');
    const { draft } = slot.value;
    slot.value = undefined;
    return draft;
  }

  takeAll(argument: Argument, index: number): readonly Draft[] {
    const slot = this.#slot(argument, index);
    if (slot.value?.kind !== 'objects')
      throw wrongArgument(index, slot.value ? 'TypeMismatch' : 'InvalidValueUsage');
    const { drafts } = slot.value;
    slot.value = undefined;
    return drafts;
  }

  split(source: Draft, amount: bigint): Value {
    const currency = currencyOf(source.type);
    if (currency === undefined) throw wrongArgument(0, 'TypeMismatch');
    const left = amountOf(source) - amount;
    if (left < 0n) throw insufficientBalance();
    source.contents = contentsOf(source.id, left);
    return this.createCoin(currency, amount);
  }

  createCoin(currency: string, amount: bigint): Value {
    const id = newObjectId(this.#digest, this.#count++);
    const draft: Draft = {
      id,
      type: coinType(currency),
      contents: contentsOf(id, amount),
      owner: undefined,
    };
    this.#created.push(draft);
    return { kind: 'object', draft };
  }

  join(target: Draft, source: Draft, index: number): void {
    if (currencyOf(target.type) === undefined) throw wrongArgument(0, 'TypeMismatch');
    if (source.type !== target.type) throw wrongArgument(index, 'TypeMismatch');
    if (source.id === target.id) throw wrongArgument(index, 'InvalidReferenceArgument');
    const sum = amountOf(target) + amountOf(source);
    if (sum > u64Max) throw overflow();
    target.contents = contentsOf(target.id, sum);
    this.delete(source);
  }

  transfer(draft: Draft, address: string): void {
    draft.owner = address;
  }

  delete({ id }: Draft): void {
    this.#deleted.add(id);
  }
}

function slotOf({ id, type, contents, owner }: SuiObject, origin: 'gas' | 'input'): Slot {
  return { value: { kind: 'object', draft: { id, type, contents, owner } }, origin };
}
