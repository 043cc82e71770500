import { decodeAbiParameters } from 'viem';
import { walletModuleAbi } from '../../../../contracts/index.ts';
import { hashOperation } from '../operation.ts';

/**
 * Native money leaves a wallet without an event: the Safe logs nothing and the module logs the operation's hash only. The
 * calls of the operation are in the input of the transaction, nested or not, since the module needs them to run. The hash
 * in the log proves that what was found there is what ran.
 */

export interface PayingCall {
  readonly to: string;
  readonly valueWei: bigint;
}

const operationParameter = walletModuleAbi.find((entry) => entry.type === 'function' && entry.name === 'operationHash')!.inputs;

/** Places in one input that are tried for one wallet; an honest batch has one for each of the wallet's operations. */
const placesMax = 512;
const wordDigits = 64;
/** Bytes from the start of an operation to its calls: six words of head. */
const callsOffsetWord = 'c0'.padStart(wordDigits, '0');
/** In front of a decoded slice: the offset of a dynamic tuple. */
const tupleOffsetWord = '20'.padStart(wordDigits, '0');

/**
 * Finds executed operations of one wallet in a transaction's input: their calls with value, by operation hash. An
 * operation that is missing in the answer was encoded in an odd way: its signature allows that, nobody honest does it.
 * @param input lower-case hex with `0x`
 */
export function findPayingCalls(input: string, query: { chainId: number; wallet: string; operationHashes: ReadonlySet<string> }): Map<string, PayingCall[]> {
  const found = new Map<string, PayingCall[]>();
  // The wallet is the operation's first word, and the offset of the calls, always the same, is the second.
  const needle = query.wallet.toLowerCase().slice(2).padStart(wordDigits, '0') + callsOffsetWord;
  let at = input.indexOf(needle, 2);
  for (let tries = 0; at !== -1 && tries < placesMax && found.size < query.operationHashes.size; tries++, at = input.indexOf(needle, at + 2)) {
    const operation = at % 2 === 0 ? decodeOperation(input.slice(at)) : undefined;
    const hash = operation && hashOperation(query.chainId, operation);
    if (!operation || !hash || !query.operationHashes.has(hash)) continue;
    const paying = operation.calls.filter((call) => call.value > 0n);
    found.set(hash, paying.map((call) => ({ to: call.to.toLowerCase(), valueWei: call.value })));
  }
  return found;
}

function decodeOperation(digits: string) {
  try {
    return decodeAbiParameters(operationParameter, `0x${tupleOffsetWord}${digits}`)[0];
  } catch {
    // The wallet's address stood there by chance.
    return undefined;
  }
}
