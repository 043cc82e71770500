import { wordOf, wordOfAddress } from '../abi/words.ts';

/**
 * On EVM a payer writes a memo by appending 32 bytes to the calldata of the transfer, which tokens
 * ignore. The call may stand anywhere in a transaction's input: in a Safe's, a module's, a
 * multisend's or an unknown account's own encoding. So it is searched as bytes. What was paid, and
 * whether at all, only the log says.
 */

/** One place where the input has the call of a transfer. */
export interface TransferCall {
  /** 32 bytes as lower-case hex with `0x`; absent when nothing that can be one follows. */
  readonly memo?: string;
}

const memoBytes = 32;
/** Behind 68 or 100 bytes ABI encoding pads with 28 zeros. No random memo begins so. */
const padding = Buffer.alloc(28);
/** More than anybody makes in one transaction. */
const placesMax = 4_096;

/** Selector, and how many bytes stand between it and the recipient. */
const functions = [
  { selector: 'a9059cbb', skipped: 0 },
  { selector: '23b872dd', skipped: 32 },
] as const;

/**
 * Calls of `transfer` and `transferFrom` with this recipient and amount, in the order of the input.
 */
export function findTransferCalls(
  input: Buffer,
  transfer: { readonly recipient: string; readonly amountMinor: bigint },
): TransferCall[] {
  const needle = Buffer.from(
    wordOfAddress(transfer.recipient) + wordOf(transfer.amountMinor),
    'hex',
  );
  const found: TransferCall[] = [];
  let at = input.indexOf(needle);
  for (let tries = 0; at !== -1 && tries < placesMax; tries++, at = input.indexOf(needle, at + 1)) {
    const call = functions
      .map(({ selector, skipped }) => ({ selector, start: at - skipped - 4 }))
      .find(
        ({ selector, start }) => start >= 0 && input.toString('hex', start, start + 4) === selector,
      );
    if (call) found.push(readMemo(input, call.start, at + needle.length));
  }
  return found;
}

function readMemo(input: Buffer, start: number, end: number): TransferCall {
  const memo = input.subarray(end, end + memoBytes);
  if (memo.length < memoBytes || memo.subarray(0, padding.length).equals(padding)) return {};
  const length = lengthBefore(input, start);
  // An encoding that tells the length of the call ends it before what follows.
  if (length !== undefined && length >= end - start && length < end - start + memoBytes) return {};
  return { memo: `0x${memo.toString('hex')}` };
}

/** The length of the call, when a word in front of it tells one; packed encodings may have none. */
function lengthBefore(input: Buffer, start: number): number | undefined {
  if (start < 32 || !input.subarray(start - 32, start - 4).equals(padding)) return undefined;
  return input.readUInt32BE(start - 4);
}

/** The memo of a payment of native money: calldata of 32 bytes and nothing else. */
export function nativeMemo(callData: string | undefined): string | undefined {
  return callData !== undefined && /^0x[0-9a-f]{64}$/i.test(callData)
    ? callData.toLowerCase()
    : undefined;
}

/**
 * The memos of transfers of one recipient and amount, in the order of their logs. As many calls as
 * logs: one belongs to the other. Otherwise some calls did not run, or stand in the input twice,
 * and only a memo that they all have is believed.
 */
export function pairMemos(calls: readonly TransferCall[], count: number): (string | undefined)[] {
  if (calls.length === count) return calls.map(({ memo }) => memo);
  const memos = new Set(calls.map(({ memo }) => memo));
  const only = memos.size === 1 ? calls[0]!.memo : undefined;
  return Array.from({ length: count }, () => only);
}
