import { xdr } from '@stellar/stellar-sdk/base';
import { fault } from '../fault.ts';
import { compareBytes } from '../values/compare.ts';
import { at, type Call, checkRange, define, type HostTable, memoryOf, slicesOf } from './define.ts';

const string = (bytes: Uint8Array) => xdr.ScVal.scvString(bytes);
const own = (bytes: Uint8Array) => Uint8Array.from(bytes);
const symbolMax = 32;

interface Copy {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

function copyOut(call: Call, { bytes, from, to, length }: Copy): void {
  checkRange(from, from + length, bytes.length);
  memoryOf(call, to, length).set(bytes.subarray(from, from + length));
}

function joined({ machine }: Call, ...parts: Uint8Array[]): Uint8Array {
  const bytes = own(Buffer.concat(parts));
  machine.budget.charge(bytes.length);
  return bytes;
}

function byteOf(value: number): number {
  if (value > 255) throw fault('value', 'InvalidInput', 'a byte is at most 255');
  return value;
}

function symbolOf(bytes: Uint8Array): xdr.ScVal {
  const text = Buffer.from(bytes).toString('latin1');
  if (text.length > symbolMax || !/^\w*$/.test(text))
    throw fault('value', 'InvalidInput', 'no symbol');
  return xdr.ScVal.scvSymbol(text);
}

export const bufferFunctions: HostTable = [
  define('b._', ['Val'], 'Bytes', (call, value) => joined(call, value.toXdr())),
  define('b.0', ['BytesObject'], 'Val', (_, bytes) => {
    try {
      return xdr.ScVal.fromXdr(bytes);
    } catch (error) {
      throw fault(
        'value',
        'InvalidInput',
        `no value: ${error instanceof Error ? error.message : error}`,
      );
    }
  }),
  define(
    'b.1',
    ['BytesObject', 'U32Val', 'U32Val', 'U32Val'],
    'Void',
    (call, bytes, from, to, length) => copyOut(call, { bytes, from, to, length }),
  ),
  define(
    'b.2',
    ['BytesObject', 'U32Val', 'U32Val', 'U32Val'],
    'Bytes',
    (call, bytes, position, from, length) => {
      checkRange(position, position, bytes.length);
      const copy = joined(
        call,
        bytes,
        new Uint8Array(Math.max(0, position + length - bytes.length)),
      );
      copy.set(memoryOf(call, from, length), position);
      return copy;
    },
  ),
  define('b.3', ['U32Val', 'U32Val'], 'Bytes', (call, position, length) =>
    own(memoryOf(call, position, length)),
  ),
  define('b.4', [], 'Bytes', () => new Uint8Array()),
  define('b.5', ['BytesObject', 'U32Val', 'U32Val'], 'Bytes', (call, bytes, index, value) => {
    at(bytes, index);
    const copy = joined(call, bytes);
    copy[index] = byteOf(value);
    return copy;
  }),
  define('b.6', ['BytesObject', 'U32Val'], 'U32Val', (_, bytes, index) => at(bytes, index)),
  define('b.7', ['BytesObject', 'U32Val'], 'Bytes', (call, bytes, index) => {
    at(bytes, index);
    return joined(call, bytes.subarray(0, index), bytes.subarray(index + 1));
  }),
  define('b.8', ['BytesObject'], 'U32Val', (_, bytes) => bytes.length),
  define('b.9', ['BytesObject', 'U32Val'], 'Bytes', (call, bytes, value) =>
    joined(call, bytes, Uint8Array.of(byteOf(value))),
  ),
  define('b.a', ['BytesObject'], 'Bytes', (call, bytes) => {
    at(bytes, 0);
    return joined(call, bytes.subarray(0, -1));
  }),
  define('b.b', ['BytesObject'], 'U32Val', (_, bytes) => at(bytes, 0)),
  define('b.c', ['BytesObject'], 'U32Val', (_, bytes) => at(bytes, bytes.length - 1)),
  define('b.d', ['BytesObject', 'U32Val', 'U32Val'], 'Bytes', (call, bytes, index, value) => {
    checkRange(index, index, bytes.length);
    return joined(
      call,
      bytes.subarray(0, index),
      Uint8Array.of(byteOf(value)),
      bytes.subarray(index),
    );
  }),
  define('b.e', ['BytesObject', 'BytesObject'], 'Bytes', (call, first, second) =>
    joined(call, first, second),
  ),
  define('b.f', ['BytesObject', 'U32Val', 'U32Val'], 'Bytes', (call, bytes, start, end) => {
    checkRange(start, end, bytes.length);
    return joined(call, bytes.subarray(start, end));
  }),
  define(
    'b.g',
    ['StringObject', 'U32Val', 'U32Val', 'U32Val'],
    'Void',
    (call, bytes, from, to, length) => copyOut(call, { bytes, from, to, length }),
  ),
  define(
    'b.h',
    ['SymbolObject', 'U32Val', 'U32Val', 'U32Val'],
    'Void',
    (call, bytes, from, to, length) => copyOut(call, { bytes, from, to, length }),
  ),
  define('b.i', ['U32Val', 'U32Val'], 'Val', (call, position, length) =>
    string(own(memoryOf(call, position, length))),
  ),
  define('b.j', ['U32Val', 'U32Val'], 'Val', (call, position, length) =>
    symbolOf(memoryOf(call, position, length)),
  ),
  define('b.k', ['StringObject'], 'U32Val', (_, bytes) => bytes.length),
  define('b.l', ['SymbolObject'], 'U32Val', (_, bytes) => bytes.length),
  define('b.m', ['Symbol', 'U32Val', 'U32Val'], 'U32Val', (call, symbol, position, count) => {
    const index = slicesOf(call, position, count).findIndex(
      (slice) => compareBytes(slice, Buffer.from(symbol)) === 0,
    );
    if (index < 0) throw fault('value', 'MissingValue', `${symbol} is none of the symbols there`);
    return index;
  }),
  define('b.n', ['StringObject'], 'Bytes', (_, bytes) => bytes),
  define('b.o', ['BytesObject'], 'Val', (_, bytes) => string(bytes)),
];
