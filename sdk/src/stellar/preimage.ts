import { hexOfBytes } from '../bytes.ts';
import { encodeAddress } from './strkey.ts';

/**
 * HashIdPreimage of an authorization (CAP-46-11, CAP-71), out of its XDR: of which network, whose,
 * until when, and the calls.
 */

export interface Preimage {
  readonly networkId: Uint8Array;
  /** The last ledger in which it holds. */
  readonly lastLedger: number;
  /** Absent in the older form, which does not say whose it is. */
  readonly address?: string;
  readonly root: Invocation;
}

/** A call, and what it may make in the same name. */
export interface Invocation {
  readonly contract: string;
  readonly method: string;
  readonly args: readonly Value[];
  readonly within: readonly Invocation[];
}

/**
 * A value of a contract. Addresses are as they are written; of an account with a customer's number,
 * `number` is that.
 */
export type Value =
  | { readonly type: 'address'; readonly address: string; readonly number?: bigint }
  | { readonly type: 'integer'; readonly value: bigint }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'void' }
  | { readonly type: 'list'; readonly items: readonly Value[] }
  | { readonly type: 'map'; readonly entries: readonly (readonly [Value, Value])[] };

const bytesMax = 20_000;
const depthMax = 16;

/** @throws TypeError for anything but one authorization that calls contracts */
export function readPreimage(bytes: Uint8Array): Preimage {
  if (bytes.length > bytesMax) throw new TypeError('it is longer than an authorization');
  const read = createReader(bytes);
  const form = read.u32();
  if (form !== 9 && form !== 10) throw new TypeError('it is no authorization');
  const networkId = read.take(32);
  read.take(8);
  const lastLedger = read.u32();
  const address = form === 10 ? addressOf(read).address : undefined;
  const root = invocationOf(read, 0);
  if (!read.isAtEnd()) throw new TypeError('there are bytes behind it');
  return { networkId, lastLedger, ...(address === undefined ? {} : { address }), root };
}

type Reader = ReturnType<typeof createReader>;

function createReader(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new TypeError('it ends too early');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const u32 = () => {
    take(4);
    return view.getUint32(at - 4);
  };
  return {
    take,
    u32,
    isAtEnd: () => at === bytes.length,
    integer(words: number, isSigned: boolean): bigint {
      let value = 0n;
      for (let word = 0; word < words; word++) value = (value << 32n) | BigInt(u32());
      return isSigned ? BigInt.asIntN(32 * words, value) : value;
    },
    /** Of a length that stands before it; filled up with zeros to four bytes. */
    bytes(): Uint8Array {
      const length = u32();
      const found = take(length);
      if (take((4 - (length % 4)) % 4).some((byte) => byte !== 0))
        throw new TypeError('it is not filled up with zeros');
      return found;
    },
    list<T>(one: () => T): T[] {
      const length = u32();
      // Everything takes four bytes at least.
      if (length > (bytes.length - at) / 4) throw new TypeError('a list is too long');
      return Array.from({ length }, one);
    },
  };
}

function invocationOf(read: Reader, depth: number): Invocation {
  if (depth > depthMax) throw new TypeError('it is nested too deeply');
  if (read.u32() !== 0) throw new TypeError('it creates a contract in the name of the wallet');
  const contract = addressOf(read).address;
  const method = textOf(read);
  const args = read.list(() => valueOf(read, 0));
  return { contract, method, args, within: read.list(() => invocationOf(read, depth + 1)) };
}

const textOf = (read: Reader) => new TextDecoder('utf-8', { fatal: true }).decode(read.bytes());

function addressOf(read: Reader): { readonly address: string; readonly number?: bigint } {
  switch (read.u32()) {
    case 0:
      if (read.u32() !== 0) break;
      return { address: encodeAddress('account', read.take(32)) };
    case 1:
      return { address: encodeAddress('contract', read.take(32)) };
    case 2: {
      const number = read.integer(2, false);
      return { address: encodeAddress('account', read.take(32)), number };
    }
    case 3:
      if (read.u32() !== 0) break;
      return { address: encodeAddress('claimableBalance', Uint8Array.of(0, ...read.take(32))) };
    case 4:
      return { address: encodeAddress('liquidityPool', read.take(32)) };
  }
  throw new TypeError('an address is of an unknown kind');
}

/** SCVal, by its number. */
function valueOf(read: Reader, depth: number): Value {
  if (depth > depthMax) throw new TypeError('a value is nested too deeply');
  const type = read.u32();
  switch (type) {
    case 0: {
      const value = read.u32();
      if (value > 1) throw new TypeError('a value is neither true nor false');
      return { type: 'bool', value: value === 1 };
    }
    case 1:
      return { type: 'void' };
    case 3:
    case 4:
      return { type: 'integer', value: read.integer(1, type === 4) };
    case 5:
    case 6:
    case 7:
    case 8:
      return { type: 'integer', value: read.integer(2, type === 6) };
    case 9:
    case 10:
      return { type: 'integer', value: read.integer(4, type === 10) };
    case 11:
    case 12:
      return { type: 'integer', value: read.integer(8, type === 12) };
    case 13:
      return { type: 'bytes', bytes: read.bytes() };
    case 14:
    case 15:
      return { type: 'text', text: textOf(read) };
    case 16:
      return {
        type: 'list',
        items: optional(read, () => read.list(() => valueOf(read, depth + 1))),
      };
    case 17:
      return {
        type: 'map',
        entries: optional(read, () =>
          read.list(() => [valueOf(read, depth + 1), valueOf(read, depth + 1)] as const),
        ),
      };
    case 18:
      return { type: 'address', ...addressOf(read) };
    default:
      throw new TypeError('a value is of a kind that is not read here');
  }
}

function optional<T>(read: Reader, one: () => T): T {
  if (read.u32() !== 1) throw new TypeError('a list is missing');
  return one();
}

/** A value as people read it. */
export function sayValue(value: Value): string {
  switch (value.type) {
    case 'address':
      return value.number === undefined ? value.address : `${value.address} number ${value.number}`;
    case 'integer':
    case 'bool':
      return String(value.value);
    case 'bytes':
      return hexOfBytes(value.bytes);
    case 'text':
      return JSON.stringify(value.text);
    case 'void':
      return 'nothing';
    case 'list':
      return `[${value.items.map(sayValue).join(', ')}]`;
    case 'map':
      return `{${value.entries.map(([key, one]) => `${sayValue(key)}: ${sayValue(one)}`).join(', ')}}`;
  }
}
