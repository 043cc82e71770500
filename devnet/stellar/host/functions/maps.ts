import { xdr } from '@stellar/stellar-sdk/base';
import { fault } from '../fault.ts';
import { compareBytes, compareValues } from '../values/compare.ts';
import {
  at,
  type Call,
  define,
  type HostTable,
  slicesOf,
  valuesIn,
  writeValues,
} from './define.ts';

type Entries = readonly xdr.ScMapEntry[];

/** Index of a key, or of the place where it belongs. */
export function find(
  entries: Entries,
  key: xdr.ScVal,
): { readonly index: number; readonly isThere: boolean } {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareValues(entries[middle]!.key, key);
    if (order === 0) return { index: middle, isThere: true };
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { index: low, isThere: false };
}

export function lookUp(entries: Entries, key: xdr.ScVal): xdr.ScVal | undefined {
  const { index, isThere } = find(entries, key);
  return isThere ? entries[index]!.val : undefined;
}

export function withEntry(entries: Entries, key: xdr.ScVal, val: xdr.ScVal): Entries {
  const { index, isThere } = find(entries, key);
  return entries.toSpliced(index, isThere ? 1 : 0, new xdr.ScMapEntry({ key, val }));
}

export function withoutEntry(entries: Entries, key: xdr.ScVal): Entries | undefined {
  const { index, isThere } = find(entries, key);
  return isThere ? entries.toSpliced(index, 1) : undefined;
}

function copied({ machine }: Call, entries: Entries): Entries {
  machine.budget.charge(entries.length * 4);
  return entries;
}

const missing = () => fault('object', 'MissingValue', 'the map has no such key');

export const mapFunctions: HostTable = [
  define('m._', [], 'Map', () => []),
  define('m.0', ['MapObject', 'Val', 'Val'], 'Map', (call, map, key, value) =>
    withEntry(copied(call, map), key, value),
  ),
  define('m.1', ['MapObject', 'Val'], 'Val', (_, map, key) => {
    const value = lookUp(map, key);
    if (!value) throw missing();
    return value;
  }),
  define('m.2', ['MapObject', 'Val'], 'Map', (call, map, key) => {
    const rest = withoutEntry(copied(call, map), key);
    if (!rest) throw missing();
    return rest;
  }),
  define('m.3', ['MapObject'], 'U32Val', (_, map) => map.length),
  define('m.4', ['MapObject', 'Val'], 'Bool', (_, map, key) => find(map, key).isThere),
  define('m.5', ['MapObject', 'U32Val'], 'Val', (_, map, index) => at(map, index).key),
  define('m.6', ['MapObject', 'U32Val'], 'Val', (_, map, index) => at(map, index).val),
  define('m.7', ['MapObject'], 'Vec', (call, map) => copied(call, map).map(({ key }) => key)),
  define('m.8', ['MapObject'], 'Vec', (call, map) => copied(call, map).map(({ val }) => val)),
  define('m.9', ['U32Val', 'U32Val', 'U32Val'], 'Map', (call, keysAt, valuesAt, count) => {
    const values = valuesIn(call, valuesAt, count);
    const keys = slicesOf(call, keysAt, count).map((slice) =>
      xdr.ScVal.scvSymbol(Uint8Array.from(slice)),
    );
    let map: Entries = [];
    keys.forEach((key, index) => {
      if (find(map, key).isThere) throw fault('object', 'InvalidInput', 'a key twice');
      map = withEntry(map, key, values[index]!);
    });
    return map;
  }),
  define(
    'm.a',
    ['MapObject', 'U32Val', 'U32Val', 'U32Val'],
    'Void',
    (call, map, keysAt, valuesAt, count) => {
      if (map.length !== count)
        throw fault('object', 'UnexpectedSize', `the map has ${map.length} keys, not ${count}`);
      slicesOf(call, keysAt, count).forEach((slice, index) => {
        const { key } = map[index]!;
        if (key.type !== 'scvSymbol' || compareBytes(key.sym.bytes, slice) !== 0) throw missing();
      });
      writeValues(
        call,
        valuesAt,
        map.map(({ val }) => val),
      );
    },
  ),
];
