import { xdr } from '@stellar/stellar-sdk/base';
import { fault } from '../fault.ts';
import type { Machine } from '../machine.ts';
import { fromU32, integerOf, tagOf, tags, toU32, type Val } from '../values/values.ts';
import type { Frame } from '../vm/frame.ts';

/**
 * What host functions take, by the names of the network's table. Each value has the form that its
 * name says, or the call fails.
 */
export interface Taken {
  Val: xdr.ScVal;
  raw: Val;
  U32Val: number;
  StorageType: 'temporary' | 'persistent' | 'instance';
  Scope: number;
  u64: bigint;
  i64: bigint;
  U64Object: bigint;
  I64Object: bigint;
  TimepointObject: bigint;
  DurationObject: bigint;
  U128Object: bigint;
  I128Object: bigint;
  U256Object: bigint;
  I256Object: bigint;
  U256Val: bigint;
  I256Val: bigint;
  BytesObject: Uint8Array;
  StringObject: Uint8Array;
  SymbolObject: Uint8Array;
  Symbol: string;
  VecObject: readonly xdr.ScVal[];
  MapObject: readonly xdr.ScMapEntry[];
  AddressObject: xdr.ScValAddress;
  MuxedAddressObject: xdr.ScValAddress;
}

/** What they give back. */
export interface Given {
  Val: xdr.ScVal;
  U32Val: number;
  u64: bigint;
  i64: bigint;
  Void: void;
  Bool: boolean;
  Bytes: Uint8Array;
  Vec: readonly xdr.ScVal[];
  Map: readonly xdr.ScMapEntry[];
}

export interface Call {
  readonly machine: Machine;
  readonly frame: Frame;
}

export type HostFunction = (machine: Machine, frame: Frame, values: readonly Val[]) => Val;
export type HostTable = readonly (readonly [name: string, fn: HostFunction])[];

const storageTypes = ['temporary', 'persistent', 'instance'] as const;

/**
 * One line of the table: name of the module and the function, what it takes, what it gives back.
 */
export function define<const Takes extends readonly (keyof Taken)[], Gives extends keyof Given>(
  name: string,
  takes: Takes,
  gives: Gives,
  run: (call: Call, ...values: { [Index in keyof Takes]: Taken[Takes[Index]] }) => Given[Gives],
): readonly [string, HostFunction] {
  const serve: HostFunction = (machine, frame, values) => {
    const taken = takes.map((kind, index) => takers[kind](values[index]!, frame));
    const given = run(
      { machine, frame },
      ...(taken as unknown as { [Index in keyof Takes]: Taken[Takes[Index]] }),
    );
    const give: (value: Given[Gives], frame: Frame) => Val = givers[gives];
    return give(given, frame);
  };
  return [name, serve];
}

const takers: { [Kind in keyof Taken]: (val: Val, frame: Frame) => Taken[Kind] } = {
  Val: (val, frame) => frame.toScVal(val),
  raw: (val) => val,
  U32Val: (val) => (tagOf(val) === tags.u32 ? toU32(val) : refuse(val)),
  StorageType: (val) => storageTypes[Number(val)] ?? refuse(val),
  Scope: (val) => (val <= 2n ? Number(val) : refuse(val)),
  u64: (val) => val,
  i64: (val) => BigInt.asIntN(64, val),
  U64Object: (val, frame) => object(val, frame, 'scvU64', tags.u64).u64,
  I64Object: (val, frame) => object(val, frame, 'scvI64', tags.i64).i64,
  TimepointObject: (val, frame) => object(val, frame, 'scvTimepoint', tags.timepoint).timepoint,
  DurationObject: (val, frame) => object(val, frame, 'scvDuration', tags.duration).duration,
  U128Object: (val, frame) => integerOf(object(val, frame, 'scvU128', tags.u128)),
  I128Object: (val, frame) => integerOf(object(val, frame, 'scvI128', tags.i128)),
  U256Object: (val, frame) => integerOf(object(val, frame, 'scvU256', tags.u256)),
  I256Object: (val, frame) => integerOf(object(val, frame, 'scvI256', tags.i256)),
  U256Val: (val, frame) => integerOf(ofType(frame.toScVal(val), 'scvU256')),
  I256Val: (val, frame) => integerOf(ofType(frame.toScVal(val), 'scvI256')),
  BytesObject: (val, frame) => object(val, frame, 'scvBytes', tags.bytes).bytes.value,
  StringObject: (val, frame) => object(val, frame, 'scvString', tags.string).str.bytes,
  SymbolObject: (val, frame) => object(val, frame, 'scvSymbol', tags.symbol).sym.bytes,
  Symbol: (val, frame) => ofType(frame.toScVal(val), 'scvSymbol').sym.toString(),
  VecObject: (val, frame) => object(val, frame, 'scvVec', tags.vec).vec ?? [],
  MapObject: (val, frame) => object(val, frame, 'scvMap', tags.map).map ?? [],
  AddressObject: (val, frame) => object(val, frame, 'scvAddress', tags.address),
  MuxedAddressObject: (val, frame) => object(val, frame, 'scvAddress', tags.muxedAddress),
};

const givers: { [Kind in keyof Given]: (value: Given[Kind], frame: Frame) => Val } = {
  Val: (value, frame) => frame.toVal(value),
  U32Val: (value) => fromU32(value),
  u64: (value) => value,
  i64: (value) => BigInt.asUintN(64, value),
  Void: () => BigInt(tags.void),
  Bool: (value) => BigInt(value ? tags.true : tags.false),
  Bytes: (value, frame) => frame.toVal(xdr.ScVal.scvBytes(value)),
  Vec: (value, frame) => frame.toVal(xdr.ScVal.scvVec([...value])),
  Map: (value, frame) => frame.toVal(xdr.ScVal.scvMap([...value])),
};

function refuse(val: Val): never {
  throw fault(
    'value',
    'UnexpectedType',
    `the host function takes no value with the tag ${tagOf(val)} here`,
  );
}

/**
 * An object, and not the small form of the same kind of value: the network makes that difference
 * too.
 */
function object<Type extends xdr.ScVal['type']>(
  val: Val,
  frame: Frame,
  type: Type,
  tag: number,
): Extract<xdr.ScVal, { readonly type: Type }> {
  if (tagOf(val) !== tag) refuse(val);
  return ofType(frame.toScVal(val), type);
}

function ofType<Type extends xdr.ScVal['type']>(
  value: xdr.ScVal,
  type: Type,
): Extract<xdr.ScVal, { readonly type: Type }> {
  if (!isOfType(value, type))
    throw fault('value', 'UnexpectedType', `the host function takes ${type}, not ${value.type}`);
  return value;
}

function isOfType<Type extends xdr.ScVal['type']>(
  value: xdr.ScVal,
  type: Type,
): value is Extract<xdr.ScVal, { readonly type: Type }> {
  return value.type === type;
}

/** The item of a list. @throws HostFault outside of it */
export function at<Item>(list: ArrayLike<Item>, index: number): Item {
  const item = list[index];
  if (item === undefined) throw fault('object', 'IndexBounds', `${index} of ${list.length}`);
  return item;
}

/** @throws HostFault for a range outside the list */
export function checkRange(start: number, end: number, length: number): void {
  if (start > end || end > length)
    throw fault('object', 'IndexBounds', `${start} to ${end} of ${length}`);
}

/** A part of the contract's memory, not copied. @throws HostFault outside of it */
export function memoryOf({ machine, frame }: Call, position: number, length: number): Buffer {
  if (!frame.memory) throw fault('wasmVm', 'MissingValue', 'the contract exports no memory');
  machine.budget.charge(Math.ceil(length / 4));
  if (position + length > frame.memory.buffer.byteLength)
    throw fault('wasmVm', 'IndexBounds', 'outside the memory of the contract');
  return Buffer.from(frame.memory.buffer, position, length);
}

/** Slices of memory that contracts name by pairs of position and length. */
export function slicesOf(call: Call, position: number, count: number): Buffer[] {
  const pairs = memoryOf(call, position, count * 8);
  return Array.from({ length: count }, (_, index) => {
    const offset = index * 8;
    return memoryOf(call, pairs.readUInt32LE(offset), pairs.readUInt32LE(offset + 4));
  });
}

export function valuesIn(call: Call, position: number, count: number): xdr.ScVal[] {
  const memory = memoryOf(call, position, count * 8);
  return Array.from({ length: count }, (_, index) =>
    call.frame.toScVal(memory.readBigUInt64LE(index * 8)),
  );
}

export function writeValues(call: Call, position: number, values: readonly xdr.ScVal[]): void {
  const memory = memoryOf(call, position, values.length * 8);
  values.forEach((value, index) => memory.writeBigUInt64LE(call.frame.toVal(value), index * 8));
}
