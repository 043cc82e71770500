import type { xdr } from '@stellar/stellar-sdk/base';
import { integerOf } from './values.ts';

/** The order of all values that maps keep their keys in: by kind, then by content. */
export function compareValues(a: xdr.ScVal, b: xdr.ScVal): -1 | 0 | 1 {
  if (a.type !== b.type) return sign(kinds.indexOf(a.type), kinds.indexOf(b.type));
  switch (a.type) {
    case 'scvBool':
      return sign(Number(a.b), Number(same(a, b).b));
    case 'scvU32':
      return sign(a.u32, same(a, b).u32);
    case 'scvI32':
      return sign(a.i32, same(a, b).i32);
    case 'scvU64':
      return sign(a.u64, same(a, b).u64);
    case 'scvI64':
      return sign(a.i64, same(a, b).i64);
    case 'scvTimepoint':
      return sign(a.timepoint, same(a, b).timepoint);
    case 'scvDuration':
      return sign(a.duration, same(a, b).duration);
    case 'scvU128':
      return sign(integerOf(a), integerOf(same(a, b)));
    case 'scvI128':
      return sign(integerOf(a), integerOf(same(a, b)));
    case 'scvU256':
      return sign(integerOf(a), integerOf(same(a, b)));
    case 'scvI256':
      return sign(integerOf(a), integerOf(same(a, b)));
    case 'scvBytes':
      return compareBytes(a.bytes.value, same(a, b).bytes.value);
    case 'scvString':
      return compareBytes(a.str.bytes, same(a, b).str.bytes);
    case 'scvSymbol':
      return compareBytes(a.sym.bytes, same(a, b).sym.bytes);
    case 'scvVec':
      return compareLists(a.vec ?? [], same(a, b).vec ?? [], compareValues);
    case 'scvMap':
      return compareLists(
        a.map ?? [],
        same(a, b).map ?? [],
        (x, y) => compareValues(x.key, y.key) || compareValues(x.val, y.val),
      );
    default:
      return compareBytes(a.toXdr(), b.toXdr());
  }
}

const kinds: readonly xdr.ScVal['type'][] = [
  'scvBool',
  'scvVoid',
  'scvError',
  'scvU32',
  'scvI32',
  'scvU64',
  'scvI64',
  'scvTimepoint',
  'scvDuration',
  'scvU128',
  'scvI128',
  'scvU256',
  'scvI256',
  'scvBytes',
  'scvString',
  'scvSymbol',
  'scvVec',
  'scvMap',
  'scvAddress',
  'scvContractInstance',
  'scvLedgerKeyContractInstance',
  'scvLedgerKeyNonce',
  'scvExecutableTag',
];

/** Both are of one kind here. */
function same<Kind extends xdr.ScVal>(_a: Kind, b: xdr.ScVal): Kind {
  return b as Kind;
}

function sign<Value extends number | bigint>(a: Value, b: Value): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function compareBytes(a: Uint8Array, b: Uint8Array): -1 | 0 | 1 {
  return sign(Buffer.compare(a, b), 0);
}

function compareLists<Item>(
  a: readonly Item[],
  b: readonly Item[],
  compare: (x: Item, y: Item) => -1 | 0 | 1,
): -1 | 0 | 1 {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = compare(a[index]!, b[index]!);
    if (order !== 0) return order;
  }
  return sign(a.length, b.length);
}
