// SPDX-License-Identifier: Apache-2.0
//
// The host functions that the contracts use (module and name as in the environment's interface),
// and values.

@external("x", "0") declare function objectCompare(a: u64, b: u64): i64;
@external("x", "1") declare function publishEvent(topics: u64, data: u64): u64;
@external("x", "4") export declare function ledgerTime(): u64;
@external("x", "5") declare function failWith(error: u64): u64;
@external("x", "7") export declare function self(): u64;
@external("i", "0") declare function u64FromObject(value: u64): u64;
@external("i", "_") declare function u64ToObject(value: u64): u64;
@external("i", "6") declare function i128ToObject(high: i64, low: u64): u64;
@external("i", "7") declare function i128Low(value: u64): u64;
@external("i", "8") declare function i128High(value: u64): i64;
@external("m", "1") export declare function mapGet(map: u64, key: u64): u64;
@external("v", "0") declare function vecPut(vec: u64, index: u64, value: u64): u64;
@external("v", "1") declare function vecGet(vec: u64, index: u64): u64;
@external("v", "3") declare function vecLength(vec: u64): u64;
@external("v", "6") export declare function vecPush(vec: u64, value: u64): u64;
@external("v", "_") export declare function vecNew(): u64;
@external("b", "1") declare function bytesCopy(bytes: u64, from: u64, to: u64, length: u64): u64;
@external("b", "3") declare function bytesFrom(from: u64, length: u64): u64;
@external("b", "8") declare function bytesLength(bytes: u64): u64;
@external("b", "e") export declare function append(bytes: u64, more: u64): u64;
@external("b", "f") declare function bytesSlice(bytes: u64, start: u64, end: u64): u64;
@external("b", "_") export declare function serialize(value: u64): u64;
@external("c", "_") export declare function sha256(bytes: u64): u64;
@external("c", "0") export declare function verifyEd25519(
  key: u64, message: u64, signature: u64,
): u64;
@external("c", "3") export declare function verifyP256(key: u64, digest: u64, signature: u64): u64;
@external("l", "_") declare function dataPut(key: u64, value: u64, type: u64): u64;
@external("l", "0") declare function dataHas(key: u64, type: u64): u64;
@external("l", "1") declare function dataGet(key: u64, type: u64): u64;
@external("l", "6") export declare function updateCode(hash: u64): u64;
@external("l", "7") declare function dataExtend(key: u64, type: u64, below: u64, to: u64): u64;
@external("l", "8") declare function instanceExtend(below: u64, to: u64): u64;
@external("l", "a") export declare function contractId(deployer: u64, salt: u64): u64;
@external("l", "e") export declare function createContract(
  deployer: u64, code: u64, salt: u64, args: u64,
): u64;
@external("a", "0") export declare function requireAuth(address: u64): u64;
@external("a", "6") export declare function executableOf(address: u64): u64;
@external("d", "_") export declare function call(contract: u64, name: u64, args: u64): u64;

// A value is 64 bits, its lowest eight say what it is; objects are handles of the host.
export const FALSE: u64 = 0;
export const TRUE: u64 = 1;
export const VOID: u64 = 2;
/// Nought, as an amount and as a time.
export const NO_AMOUNT: u64 = 11;
export const NO_TIME: u64 = 6;
const ERROR: u64 = 3;
const U32: u64 = 4;
const U64_SMALL: u64 = 6;
const I128_SMALL: u64 = 11;
const OBJECTS: u64 = 64;
const U64_OBJECT: u64 = 64;
const I128_OBJECT: u64 = 69;
const ADDRESS: u64 = 77;

/// Kinds of storage: an entry of its own, or in the one that is loaded with the contract.
const PERSISTENT: u64 = 1;
const INSTANCE: u64 = 2;

/// Ledgers of about five seconds: with less than a week to live an entry is given thirty days.
const EXTEND_BELOW: u32 = 120960;
const EXTEND_TO: u32 = 518400;

const BYTES = memory.data(96, 8);

@inline function tagOf(value: u64): u64 { return value & 255; }
@inline export function ofU32(value: u32): u64 { return (<u64>value << 32) | U32; }
@inline export function isU32(value: u64): bool { return tagOf(value) == U32; }
@inline export function isAddress(value: u64): bool { return tagOf(value) == ADDRESS; }

export function fail(code: u32): void {
  failWith((<u64>code << 32) | ERROR);
  unreachable();
}

export function require(condition: bool, code: u32): void {
  if (!condition) fail(code);
}

export function toU32(value: u64, code: u32): u32 {
  require(isU32(value), code);
  return <u32>(value >> 32);
}

export function toU64(value: u64, code: u32): u64 {
  if (tagOf(value) == U64_SMALL) return value >> 8;
  require(tagOf(value) == U64_OBJECT, code);
  return u64FromObject(value);
}

@inline export function ofU64(value: u64): u64 {
  return value >> 56 == 0 ? (value << 8) | U64_SMALL : u64ToObject(value);
}

/// Only of values that `isAmount`.
export function lowOf(value: u64): u64 {
  return tagOf(value) == I128_SMALL ? <u64>(<i64>value >> 8) : i128Low(value);
}

export function highOf(value: u64): i64 {
  return tagOf(value) == I128_SMALL ? <i64>value >> 63 : i128High(value);
}

/// An i128, not negative.
export function isAmount(value: u64): bool {
  const tag = tagOf(value);
  return (tag == I128_SMALL || tag == I128_OBJECT) && highOf(value) >= 0;
}

@inline export function isNought(amount: u64): bool {
  return lowOf(amount) == 0 && highOf(amount) == 0;
}

export function greatestAmount(): u64 {
  return i128ToObject(i64.MAX_VALUE, u64.MAX_VALUE);
}

/// Of two amounts; 0 when that is over `limit`, or over what an i128 holds.
export function sumWithin(a: u64, b: u64, limit: u64): u64 {
  const low = lowOf(a) + lowOf(b);
  const high = <u64>highOf(a) + <u64>highOf(b) + (low < lowOf(a) ? 1 : 0);
  const highMax = <u64>highOf(limit);
  if (high > highMax || (high == highMax && low > lowOf(limit))) return 0;
  return i128ToObject(<i64>high, low);
}

/// The host compares only where one is an object.
export function isSame(a: u64, b: u64): bool {
  if (a == b) return true;
  if (tagOf(a) < OBJECTS && tagOf(b) < OBJECTS) return false;
  return objectCompare(a, b) == 0;
}

@inline export function isBefore(a: u64, b: u64): bool { return objectCompare(a, b) < 0; }

@inline export function lengthOf(vec: u64): u32 { return <u32>(vecLength(vec) >> 32); }
@inline export function at(vec: u64, index: u32): u64 { return vecGet(vec, ofU32(index)); }
@inline export function replaceAt(vec: u64, index: u32, value: u64): u64 {
  return vecPut(vec, ofU32(index), value);
}

@inline export function sizeOf(bytes: u64): u32 { return <u32>(bytesLength(bytes) >> 32); }
@inline export function slice(bytes: u64, start: u32, end: u32): u64 {
  return bytesSlice(bytes, ofU32(start), ofU32(end));
}
@inline export function bytesAt(pointer: usize, length: u32): u64 {
  return bytesFrom(ofU32(<u32>pointer), ofU32(length));
}

/// Copies at most 96 bytes, from the start, to where they can be read. Too few are refused by
/// the host.
export function read(bytes: u64, length: u32): usize {
  bytesCopy(bytes, ofU32(0), ofU32(<u32>BYTES), ofU32(length));
  return BYTES;
}

@inline export function put(key: u64, value: u64): void { dataPut(key, value, INSTANCE); }
@inline export function has(key: u64): bool { return dataHas(key, INSTANCE) == TRUE; }
@inline export function get(key: u64): u64 { return dataGet(key, INSTANCE); }
@inline export function putEntry(key: u64, value: u64): void { dataPut(key, value, PERSISTENT); }
@inline export function hasEntry(key: u64): bool { return dataHas(key, PERSISTENT) == TRUE; }
@inline export function getEntry(key: u64): u64 { return dataGet(key, PERSISTENT); }
@inline export function extendEntry(key: u64): void {
  dataExtend(key, PERSISTENT, ofU32(EXTEND_BELOW), ofU32(EXTEND_TO));
}
@inline export function extendInstance(): void {
  instanceExtend(ofU32(EXTEND_BELOW), ofU32(EXTEND_TO));
}

export function announce(name: u64, data: u64): void {
  publishEvent(vecPush(vecNew(), name), data);
}
