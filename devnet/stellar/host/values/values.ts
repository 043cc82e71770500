import { xdr } from '@stellar/stellar-sdk/base';
import { fault } from '../fault.ts';

/** A value as contracts see it: 64 bits, of which the lowest eight say what it is. */
export type Val = bigint;

export const tags = {
  false: 0,
  true: 1,
  void: 2,
  error: 3,
  u32: 4,
  i32: 5,
  u64Small: 6,
  i64Small: 7,
  timepointSmall: 8,
  durationSmall: 9,
  u128Small: 10,
  i128Small: 11,
  u256Small: 12,
  i256Small: 13,
  symbolSmall: 14,
  u64: 64,
  i64: 65,
  timepoint: 66,
  duration: 67,
  u128: 68,
  i128: 69,
  u256: 70,
  i256: 71,
  bytes: 72,
  string: 73,
  symbol: 74,
  vec: 75,
  map: 76,
  address: 77,
  muxedAddress: 78,
} as const;

export const voidVal = 2n;
const symbolLetters = '_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const smallSymbolMax = 9;
const two55 = 1n << 55n;
const two56 = 1n << 56n;
/** ScError types and codes have the numbers of XDR. */
const errorTypes = [
  xdr.ScError.sceWasmVm,
  xdr.ScError.sceContext,
  xdr.ScError.sceStorage,
  xdr.ScError.sceObject,
  xdr.ScError.sceCrypto,
  xdr.ScError.sceEvents,
  xdr.ScError.sceBudget,
  xdr.ScError.sceValue,
  xdr.ScError.sceAuth,
];

export const tagOf = (val: Val): number => Number(val & 255n);
export const toU32 = (val: Val): number => Number(BigInt.asUintN(32, val >> 32n));
export const fromU32 = (value: number): Val => (BigInt(value) << 32n) | 4n;
export const isObject = (val: Val): boolean => tagOf(val) >= 64;
const small = (body: bigint, tag: number): Val => (BigInt.asUintN(56, body) << 8n) | BigInt(tag);

/** The value in 64 bits, or undefined where it needs an object. */
export function toSmall(value: xdr.ScVal): Val | undefined {
  switch (value.type) {
    case 'scvBool':
      return value.b ? 1n : 0n;
    case 'scvVoid':
      return voidVal;
    case 'scvError':
      return errorToVal(value.error);
    case 'scvU32':
      return fromU32(value.u32);
    case 'scvI32':
      return (BigInt(value.i32 >>> 0) << 32n) | BigInt(tags.i32);
    case 'scvU64':
      return unsigned(value.u64, tags.u64Small);
    case 'scvI64':
      return signed(value.i64, tags.i64Small);
    case 'scvTimepoint':
      return unsigned(value.timepoint, tags.timepointSmall);
    case 'scvDuration':
      return unsigned(value.duration, tags.durationSmall);
    case 'scvU128':
      return unsigned(integerOf(value), tags.u128Small);
    case 'scvI128':
      return signed(integerOf(value), tags.i128Small);
    case 'scvU256':
      return unsigned(integerOf(value), tags.u256Small);
    case 'scvI256':
      return signed(integerOf(value), tags.i256Small);
    case 'scvSymbol':
      return smallSymbol(value.sym.bytes);
    default:
      return undefined;
  }
}

const unsigned = (value: bigint, tag: number) => (value < two56 ? small(value, tag) : undefined);
const signed = (value: bigint, tag: number) =>
  value >= -two55 && value < two55 ? small(value, tag) : undefined;

function smallSymbol(bytes: Uint8Array): Val | undefined {
  if (bytes.length > smallSymbolMax) return undefined;
  let body = 0n;
  for (const byte of bytes)
    body = (body << 6n) | BigInt(symbolLetters.indexOf(String.fromCharCode(byte)) + 1);
  return small(body, tags.symbolSmall);
}

export function errorToVal(error: xdr.ScError): Val {
  const type =
    error.type === 'sceContract'
      ? 0
      : errorTypes.findIndex(
          (make) => make(xdr.ScErrorCode.scecInternalError).type === error.type,
        ) + 1;
  const code = error.type === 'sceContract' ? error.contractCode : error.code.value;
  return (BigInt(code) << 32n) | (BigInt(type) << 8n) | BigInt(tags.error);
}

/** @throws HostFault for an error that there is not */
export function errorOf(val: Val): xdr.ScError {
  const type = Number((val >> 8n) & 0xffffffn);
  const code = toU32(val);
  if (type === 0) return xdr.ScError.sceContract(code);
  const make = errorTypes[type - 1];
  if (make === undefined || code > 9)
    throw fault('value', 'InvalidInput', 'there is no such error');
  return make(xdr.ScErrorCode.fromValue(code));
}

/** A value without an object. @throws HostFault for bits that are none */
export function fromSmall(val: Val): xdr.ScVal {
  const body = val >> 8n;
  switch (tagOf(val)) {
    case tags.false:
      return xdr.ScVal.scvBool(false);
    case tags.true:
      return xdr.ScVal.scvBool(true);
    case tags.void:
      return xdr.ScVal.scvVoid();
    case tags.error:
      return xdr.ScVal.scvError(errorOf(val));
    case tags.u32:
      return xdr.ScVal.scvU32(toU32(val));
    case tags.i32:
      return xdr.ScVal.scvI32(toU32(val) | 0);
    case tags.u64Small:
      return xdr.ScVal.scvU64(body);
    case tags.i64Small:
      return xdr.ScVal.scvI64(BigInt.asIntN(56, body));
    case tags.timepointSmall:
      return xdr.ScVal.scvTimepoint(body);
    case tags.durationSmall:
      return xdr.ScVal.scvDuration(body);
    case tags.u128Small:
      return u128(body);
    case tags.i128Small:
      return i128(BigInt.asIntN(56, body));
    case tags.u256Small:
      return u256(body);
    case tags.i256Small:
      return i256(BigInt.asIntN(56, body));
    case tags.symbolSmall:
      return xdr.ScVal.scvSymbol(symbolText(body));
    default:
      throw fault('value', 'InvalidInput', `no value has the tag ${tagOf(val)}`);
  }
}

function symbolText(body: bigint): string {
  let text = '';
  for (let rest = body; rest > 0n; rest >>= 6n) {
    const digit = Number(rest & 63n);
    if (digit === 0) throw fault('value', 'InvalidInput', 'a symbol with a gap');
    text = symbolLetters[digit - 1] + text;
  }
  return text;
}

/** Tag of the object that holds the value. @throws HostFault for what contracts never see */
export function objectTag(value: xdr.ScVal): number {
  if (value.type === 'scvAddress')
    return value.address.type === 'scAddressTypeMuxedAccount' ? tags.muxedAddress : tags.address;
  const tag = objectTags[value.type];
  if (tag === undefined)
    throw fault('value', 'UnexpectedType', `contracts have no value of the kind ${value.type}`);
  return tag;
}

const objectTags: Partial<Record<xdr.ScVal['type'], number>> = {
  scvU64: tags.u64,
  scvI64: tags.i64,
  scvTimepoint: tags.timepoint,
  scvDuration: tags.duration,
  scvU128: tags.u128,
  scvI128: tags.i128,
  scvU256: tags.u256,
  scvI256: tags.i256,
  scvBytes: tags.bytes,
  scvString: tags.string,
  scvSymbol: tags.symbol,
  scvVec: tags.vec,
  scvMap: tags.map,
};

const low64 = (value: bigint) => BigInt.asUintN(64, value);
const high64 = (value: bigint) => BigInt.asIntN(64, value);

export const u128 = (value: bigint): xdr.ScVal =>
  xdr.ScVal.scvU128(new xdr.Uint128Parts({ hi: low64(value >> 64n), lo: low64(value) }));
export const i128 = (value: bigint): xdr.ScVal =>
  xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: high64(value >> 64n), lo: low64(value) }));
export const u256 = (value: bigint): xdr.ScVal =>
  xdr.ScVal.scvU256(
    new xdr.Uint256Parts({
      hiHi: low64(value >> 192n),
      hiLo: low64(value >> 128n),
      loHi: low64(value >> 64n),
      loLo: low64(value),
    }),
  );
export const i256 = (value: bigint): xdr.ScVal =>
  xdr.ScVal.scvI256(
    new xdr.Int256Parts({
      hiHi: high64(value >> 192n),
      hiLo: low64(value >> 128n),
      loHi: low64(value >> 64n),
      loLo: low64(value),
    }),
  );

/** Integer of a value with 128 or 256 bits. */
export function integerOf(
  value: xdr.ScValU128 | xdr.ScValI128 | xdr.ScValU256 | xdr.ScValI256,
): bigint {
  switch (value.type) {
    case 'scvU128':
      return (value.u128.hi << 64n) | value.u128.lo;
    case 'scvI128':
      return (value.i128.hi << 64n) | value.i128.lo;
    case 'scvU256':
      return (
        (value.u256.hiHi << 192n) |
        (value.u256.hiLo << 128n) |
        (value.u256.loHi << 64n) |
        value.u256.loLo
      );
    case 'scvI256':
      return (
        (value.i256.hiHi << 192n) |
        (value.i256.hiLo << 128n) |
        (value.i256.loHi << 64n) |
        value.i256.loLo
      );
  }
}

export const symbol = (text: string): xdr.ScVal => xdr.ScVal.scvSymbol(text);
export const bytes = (value: Uint8Array): xdr.ScVal => xdr.ScVal.scvBytes(value);
