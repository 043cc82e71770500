import { xdr } from '@stellar/stellar-sdk/base';
import { instanceEntry, readInstance } from '../deploy.ts';
import { fault } from '../fault.ts';
import { instanceKey, type Storage } from '../storage.ts';
import {
  fromSmall,
  isObject,
  objectTag,
  tagOf,
  toSmall,
  toU32,
  type Val,
} from '../values/values.ts';

const objectsMax = 200_000;

interface FrameInput {
  readonly contract: xdr.ScAddress;
  readonly id: string;
  readonly fn: string;
  readonly args: readonly xdr.ScVal[];
  readonly instance: xdr.ScContractInstance;
}

/** A call of a contract while it runs: the objects that it holds, and its instance's storage. */
export class Frame {
  readonly contract: xdr.ScAddress;
  readonly id: string;
  readonly fn: string;
  readonly args: readonly xdr.ScVal[];
  /** Memory of the contract; a contract of the network has none. */
  memory: WebAssembly.Memory | undefined;
  readonly #objects: xdr.ScVal[] = [];
  #instance: readonly xdr.ScMapEntry[];
  #isChanged = false;
  /** How many numbers were drawn, of which each is another. */
  draws = 0;
  seed: Uint8Array | undefined;

  constructor({ contract, id, fn, args, instance }: FrameInput) {
    this.contract = contract;
    this.id = id;
    this.fn = fn;
    this.args = args;
    this.#instance = instance.storage ?? [];
  }

  toVal(value: xdr.ScVal): Val {
    const small = toSmall(value);
    if (small !== undefined) return small;
    const tag = objectTag(value);
    if (this.#objects.length >= objectsMax)
      throw fault('budget', 'ExceededLimit', `a call holds at most ${objectsMax} objects`);
    this.#objects.push(value);
    return (BigInt(this.#objects.length - 1) << 32n) | BigInt(tag);
  }

  /** @throws HostFault for a handle of no object of this call */
  toScVal(val: Val): xdr.ScVal {
    if (!isObject(val)) return fromSmall(val);
    const value = this.#objects[toU32(val)];
    if (value === undefined || objectTag(value) !== tagOf(val) || ((val >> 8n) & 0xffffffn) !== 0n)
      throw fault('object', 'InvalidInput', 'this handle is of no object');
    return value;
  }

  get instance(): readonly xdr.ScMapEntry[] {
    return this.#instance;
  }

  setInstance(entries: readonly xdr.ScMapEntry[]): void {
    this.#instance = entries;
    this.#isChanged = true;
  }

  reload({ storage }: xdr.ScContractInstance): void {
    this.#instance = storage ?? [];
    this.#isChanged = false;
  }

  /** Writes the instance's storage where it changed. @returns whether it did */
  persist(storage: Storage): boolean {
    if (!this.#isChanged) return false;
    const { executable } = readInstance(storage, this.contract);
    const entries = this.#instance.length === 0 ? null : [...this.#instance];
    const instance = new xdr.ScContractInstance({ executable, storage: entries });
    storage.put(instanceKey(this.contract), instanceEntry(this.contract, instance));
    this.#isChanged = false;
    return true;
  }
}
