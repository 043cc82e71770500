import { xdr } from '@stellar/stellar-sdk/base';
import { fault } from '../fault.ts';
import { i128, i256, u128, u256 } from '../values/values.ts';
import { define, type HostTable } from './define.ts';

const u64 = (value: bigint) => BigInt.asUintN(64, value);
const i64 = (value: bigint) => BigInt.asIntN(64, value);
const high = (value: bigint, words: number) => value >> BigInt(words * 64);

const moves: HostTable = [
  define('i._', ['u64'], 'Val', (_, value) => xdr.ScVal.scvU64(value)),
  define('i.0', ['U64Object'], 'u64', (_, value) => value),
  define('i.1', ['i64'], 'Val', (_, value) => xdr.ScVal.scvI64(value)),
  define('i.2', ['I64Object'], 'i64', (_, value) => value),
  define('i.3', ['u64', 'u64'], 'Val', (_, hi, lo) => u128((hi << 64n) | lo)),
  define('i.4', ['U128Object'], 'u64', (_, value) => u64(value)),
  define('i.5', ['U128Object'], 'u64', (_, value) => u64(high(value, 1))),
  define('i.6', ['i64', 'u64'], 'Val', (_, hi, lo) => i128((hi << 64n) | lo)),
  define('i.7', ['I128Object'], 'u64', (_, value) => u64(value)),
  define('i.8', ['I128Object'], 'i64', (_, value) => i64(high(value, 1))),
  define('i.9', ['u64', 'u64', 'u64', 'u64'], 'Val', (_, a, b, c, d) =>
    u256((a << 192n) | (b << 128n) | (c << 64n) | d),
  ),
  define('i.a', ['BytesObject'], 'Val', (_, bytes) => u256(fromBytes(bytes))),
  define('i.b', ['U256Val'], 'Bytes', (_, value) => toBytes(value)),
  define('i.c', ['U256Object'], 'u64', (_, value) => u64(high(value, 3))),
  define('i.d', ['U256Object'], 'u64', (_, value) => u64(high(value, 2))),
  define('i.e', ['U256Object'], 'u64', (_, value) => u64(high(value, 1))),
  define('i.f', ['U256Object'], 'u64', (_, value) => u64(value)),
  define('i.g', ['i64', 'u64', 'u64', 'u64'], 'Val', (_, a, b, c, d) =>
    i256((a << 192n) | (b << 128n) | (c << 64n) | d),
  ),
  define('i.h', ['BytesObject'], 'Val', (_, bytes) => i256(BigInt.asIntN(256, fromBytes(bytes)))),
  define('i.i', ['I256Val'], 'Bytes', (_, value) => toBytes(BigInt.asUintN(256, value))),
  define('i.j', ['I256Object'], 'i64', (_, value) => i64(high(value, 3))),
  define('i.k', ['I256Object'], 'u64', (_, value) => u64(high(value, 2))),
  define('i.l', ['I256Object'], 'u64', (_, value) => u64(high(value, 1))),
  define('i.m', ['I256Object'], 'u64', (_, value) => u64(value)),
  define('i.D', ['u64'], 'Val', (_, value) => xdr.ScVal.scvTimepoint(value)),
  define('i.E', ['TimepointObject'], 'u64', (_, value) => value),
  define('i.F', ['u64'], 'Val', (_, value) => xdr.ScVal.scvDuration(value)),
  define('i.G', ['DurationObject'], 'u64', (_, value) => value),
];

function fromBytes(bytes: Uint8Array): bigint {
  if (bytes.length !== 32) throw fault('value', 'UnexpectedSize', '32 bytes are needed');
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

const toBytes = (value: bigint) =>
  Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));

type Sum = (a: bigint, b: bigint) => bigint | undefined;
const remainder: Sum = (a, b) => (b === 0n ? undefined : ((a % b) + (b < 0n ? -b : b)) % b);
const powerMax = 256n;

/** @returns undefined where the result is certain not to fit */
const power: Sum = (base, exponent) => {
  if (base >= -1n && base <= 1n)
    return exponent === 0n ? 1n : base === -1n && exponent % 2n === 0n ? 1n : base;
  return exponent > powerMax ? undefined : base ** exponent;
};

const sums: Readonly<Record<string, Sum>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => (b === 0n ? undefined : a / b),
  rem: remainder,
  pow: power,
};

const fitsU256 = (value: bigint) => value >= 0n && value < 1n << 256n;
const fitsI256 = (value: bigint) => BigInt.asIntN(256, value) === value;
const overflow = () => fault('object', 'ArithDomain', 'the result does not fit');

function unsignedSum(name: string, sum: Sum, isChecked = false) {
  const second = sum === power ? 'U32Val' : 'U256Val';
  return define(name, ['U256Val', second], 'Val', (_, a, b) => {
    const result = sum(a, BigInt(b));
    if (result !== undefined && fitsU256(result)) return u256(result);
    if (isChecked) return xdr.ScVal.scvVoid();
    throw overflow();
  });
}

function signedSum(name: string, sum: Sum, isChecked = false) {
  const second = sum === power ? 'U32Val' : 'I256Val';
  return define(name, ['I256Val', second], 'Val', (_, a, b) => {
    const result = sum(a, BigInt(b));
    if (result !== undefined && fitsI256(result)) return i256(result);
    if (isChecked) return xdr.ScVal.scvVoid();
    throw overflow();
  });
}

function shiftBy(bits: number): bigint {
  if (bits >= 256) throw overflow();
  return BigInt(bits);
}

const names = ['add', 'sub', 'mul', 'div', 'rem', 'pow'];
const checked = ['add', 'sub', 'mul', 'pow'];

export const numberFunctions: HostTable = [
  ...moves,
  ...names.map((name, index) => unsignedSum(`i.${'nopqrs'[index]}`, sums[name]!)),
  define('i.t', ['U256Val', 'U32Val'], 'Val', (_, value, bits) =>
    u256(BigInt.asUintN(256, value << shiftBy(bits))),
  ),
  define('i.u', ['U256Val', 'U32Val'], 'Val', (_, value, bits) => u256(value >> shiftBy(bits))),
  ...names.map((name, index) => signedSum(`i.${'vwxyzA'[index]}`, sums[name]!)),
  define('i.B', ['I256Val', 'U32Val'], 'Val', (_, value, bits) =>
    i256(BigInt.asIntN(256, value << shiftBy(bits))),
  ),
  define('i.C', ['I256Val', 'U32Val'], 'Val', (_, value, bits) => i256(value >> shiftBy(bits))),
  ...checked.map((name, index) => unsignedSum(`i.${'HIJK'[index]}`, sums[name]!, true)),
  ...checked.map((name, index) => signedSum(`i.${'LMNO'[index]}`, sums[name]!, true)),
];
