import type { Operation, OperationCall } from '../../../../contracts/index.ts';
import { type Hex, wordOf } from '../abi/words.ts';
import { hashOperation } from '../operation/operation.ts';

/**
 * Native money leaves a wallet without an event: the Safe logs nothing and the module logs the
 * operation's hash only. The calls of the operation are in the input of the transaction, nested or
 * not, since the module needs them to run. The hash in the log proves that what was found there is
 * what ran.
 */

export interface PayingCall {
  readonly to: string;
  readonly valueWei: bigint;
  readonly data: string;
}

/**
 * Places in one input that are tried for one wallet; an honest batch has one for each of the
 * wallet's operations.
 */
const placesMax = 512;
const wordDigits = 64;
const addressPadding = '0'.repeat(24);
/**
 * Words in front of an operation's calls: wallet, offset of the calls, nonce, epoch, validAfter,
 * validUntil, callGas.
 */
const headWords = 7;
const callsOffsetWord = wordOf(headWords * 32);
/** More than fit into any transaction that a block takes. */
const callsMax = 4_096;

/**
 * A transaction's input in the two forms that it is searched and read in: searching bytes is many
 * times faster.
 */
export interface CallInput {
  /** Lower-case hex with `0x`. */
  readonly text: string;
  readonly bytes: Buffer;
}

export function readInput(text: string): CallInput {
  return { text, bytes: Buffer.from(text.slice(2), 'hex') };
}

interface Query {
  readonly chainId: number;
  readonly wallet: string;
  readonly operationHashes: ReadonlySet<string>;
}

/** Of operations of one wallet that are found in an input, their calls with value. */
export function findPayingCalls(input: CallInput, query: Query): Map<string, PayingCall[]> {
  const found = [...findOperations(input, query)];
  return new Map(
    found.map(([hash, { calls }]) => [
      hash,
      calls.flatMap((call) =>
        call.value > 0n ? [{ to: call.to, valueWei: call.value, data: call.data }] : [],
      ),
    ]),
  );
}

/**
 * Finds executed operations of one wallet in a transaction's input, by their hash. An operation that
 * is missing in the answer was encoded in an odd way: its signature allows that, nobody honest does
 * it.
 */
export function findOperations({ text, bytes }: CallInput, query: Query): Map<string, Operation> {
  const found = new Map<string, Operation>();
  // The wallet is the operation's first word, and the offset of the calls, always the same, is the
  // second. What is searched begins behind the zeros of the first: an input is full of zeros, and a
  // search for them stops everywhere.
  const needle = Buffer.from(query.wallet.slice(2) + callsOffsetWord, 'hex');
  let place = bytes.indexOf(needle);
  for (
    let tries = 0;
    place !== -1 && tries < placesMax && found.size < query.operationHashes.size;
    tries++, place = bytes.indexOf(needle, place + 1)
  ) {
    const at = 2 + place * 2 - addressPadding.length;
    const operation = text.startsWith(addressPadding, at) ? readOperationAt(text, at) : undefined;
    const hash = operation && hashOperation(query.chainId, operation);
    if (!operation || !hash || !query.operationHashes.has(hash)) continue;
    found.set(hash, operation);
  }
  return found;
}

/**
 * Undefined when the wallet's address stood there by chance. By hand: a generic decoder copies the
 * whole input each time.
 */
function readOperationAt(input: string, at: number): Operation | undefined {
  const word = (index: number) => readWord(input, at, index);
  const [nonce, epoch, validAfter, validUntil, callGas, callCount] = [
    word(2),
    word(3),
    word(4),
    word(5),
    word(6),
    word(headWords),
  ];
  if (
    nonce === undefined ||
    epoch === undefined ||
    validAfter === undefined ||
    validUntil === undefined
  )
    return undefined;
  if (callGas === undefined || callCount === undefined) return undefined;
  if (callCount > BigInt(callsMax) || epoch >> 64n || validAfter >> 48n || validUntil >> 48n)
    return undefined;
  const callsAt = at + (headWords + 1) * wordDigits;
  const calls: OperationCall[] = [];
  for (let index = 0; index < Number(callCount); index++) {
    const call = readCall(input, callsAt, readWord(input, callsAt, index));
    if (!call) return undefined;
    calls.push(call);
  }
  return {
    wallet: `0x${input.slice(at + 24, at + wordDigits)}`,
    calls,
    nonce,
    epoch,
    validAfter: Number(validAfter),
    validUntil: Number(validUntil),
    callGas,
  };
}

function readCall(
  input: string,
  callsAt: number,
  offset: bigint | undefined,
): OperationCall | undefined {
  const callAt = placeAt(input, callsAt, offset);
  if (callAt === undefined) return undefined;
  const [to, value] = [readWord(input, callAt, 0), readWord(input, callAt, 1)];
  const dataAt = placeAt(input, callAt, readWord(input, callAt, 2));
  const length = dataAt === undefined ? undefined : readWord(input, dataAt, 0);
  if (
    to === undefined ||
    to >> 160n ||
    value === undefined ||
    dataAt === undefined ||
    length === undefined ||
    length > BigInt(input.length)
  )
    return undefined;
  const data = input.slice(dataAt + wordDigits, dataAt + wordDigits + Number(length) * 2);
  if (data.length !== Number(length) * 2) return undefined;
  return { to: `0x${to.toString(16).padStart(40, '0')}` as Hex, value, data: `0x${data}` };
}

/** Index into the text of what stands `offset` bytes behind `start`; undefined beyond its end. */
function placeAt(input: string, start: number, offset: bigint | undefined): number | undefined {
  return offset === undefined || offset > BigInt(input.length)
    ? undefined
    : start + Number(offset) * 2;
}

function readWord(input: string, start: number, index: number): bigint | undefined {
  const digits = input.slice(start + index * wordDigits, start + (index + 1) * wordDigits);
  return digits.length === wordDigits ? BigInt(`0x${digits}`) : undefined;
}
