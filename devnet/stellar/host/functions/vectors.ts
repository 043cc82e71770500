import { xdr } from '@stellar/stellar-sdk/base';
import { fault } from '../fault.ts';
import { compareValues } from '../values/compare.ts';
import {
  at,
  type Call,
  checkRange,
  define,
  type HostTable,
  valuesIn,
  writeValues,
} from './define.ts';

const indexOf = (index: number) => (index < 0 ? xdr.ScVal.scvVoid() : xdr.ScVal.scvU32(index));

/** A list is copied with each change, as the network does: what it costs grows with it. */
function copied({ machine }: Call, list: readonly xdr.ScVal[]): xdr.ScVal[] {
  machine.budget.charge(list.length * 2);
  return [...list];
}

export const vectorFunctions: HostTable = [
  define('v._', [], 'Vec', () => []),
  define('v.0', ['VecObject', 'U32Val', 'Val'], 'Vec', (call, list, index, value) => {
    at(list, index);
    return copied(call, list).with(index, value);
  }),
  define('v.1', ['VecObject', 'U32Val'], 'Val', (_, list, index) => at(list, index)),
  define('v.2', ['VecObject', 'U32Val'], 'Vec', (call, list, index) => {
    at(list, index);
    return copied(call, list).toSpliced(index, 1);
  }),
  define('v.3', ['VecObject'], 'U32Val', (_, list) => list.length),
  define('v.4', ['VecObject', 'Val'], 'Vec', (call, list, value) => [value, ...copied(call, list)]),
  define('v.5', ['VecObject'], 'Vec', (call, list) => {
    at(list, 0);
    return copied(call, list).slice(1);
  }),
  define('v.6', ['VecObject', 'Val'], 'Vec', (call, list, value) => [...copied(call, list), value]),
  define('v.7', ['VecObject'], 'Vec', (call, list) => {
    at(list, 0);
    return copied(call, list).slice(0, -1);
  }),
  define('v.8', ['VecObject'], 'Val', (_, list) => at(list, 0)),
  define('v.9', ['VecObject'], 'Val', (_, list) => at(list, list.length - 1)),
  define('v.a', ['VecObject', 'U32Val', 'Val'], 'Vec', (call, list, index, value) => {
    checkRange(index, index, list.length);
    return copied(call, list).toSpliced(index, 0, value);
  }),
  define('v.b', ['VecObject', 'VecObject'], 'Vec', (call, first, second) => [
    ...copied(call, first),
    ...copied(call, second),
  ]),
  define('v.c', ['VecObject', 'U32Val', 'U32Val'], 'Vec', (call, list, start, end) => {
    checkRange(start, end, list.length);
    return copied(call, list).slice(start, end);
  }),
  define('v.d', ['VecObject', 'Val'], 'Val', (call, list, value) =>
    indexOf(copied(call, list).findIndex((item) => compareValues(item, value) === 0)),
  ),
  define('v.e', ['VecObject', 'Val'], 'Val', (call, list, value) =>
    indexOf(copied(call, list).findLastIndex((item) => compareValues(item, value) === 0)),
  ),
  define('v.f', ['VecObject', 'Val'], 'u64', (_, list, value) => search(list, value)),
  define('v.g', ['U32Val', 'U32Val'], 'Vec', (call, position, count) =>
    valuesIn(call, position, count),
  ),
  define('v.h', ['VecObject', 'U32Val', 'U32Val'], 'Void', (call, list, position, count) => {
    if (list.length !== count)
      throw fault('object', 'UnexpectedSize', `the list has ${list.length} items, not ${count}`);
    writeValues(call, position, list);
  }),
];

/** High half: whether it is there; low half: where it is, or belongs. */
function search(list: readonly xdr.ScVal[], value: xdr.ScVal): bigint {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareValues(list[middle]!, value);
    if (order === 0) return (1n << 32n) | BigInt(middle);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return BigInt(low);
}
