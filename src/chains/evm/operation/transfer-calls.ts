import type { OperationCall } from '../../../../contracts/index.ts';
import { keccakOfText } from '../abi/keccak.ts';

/** Calls that move money, read from their calldata. Addresses are in lower case. */

export interface PlainTransfer {
  /** Contract of the token; undefined for native money. */
  readonly token: string | undefined;
  readonly recipient: string;
  readonly amountMinor: bigint;
}

const transferSelector = '0xa9059cbb';
/** Selector and two words, as hex text. */
const transferLength = 2 + 2 * 68;

/**
 * A call that is a transfer and nothing else, as scopes of the module allow them; undefined for
 * every other.
 */
export function readTransfer({ to, value, data }: OperationCall): PlainTransfer | undefined {
  if (data === '0x') return { token: undefined, recipient: to.toLowerCase(), amountMinor: value };
  if (value !== 0n || data.length !== transferLength || !data.startsWith(transferSelector))
    return undefined;
  const recipient = addressOfWord(data, 0);
  return recipient === undefined
    ? undefined
    : { token: to.toLowerCase(), recipient, amountMinor: BigInt(`0x${data.slice(74)}`) };
}

/**
 * Functions by which a wallet gives money away, or power over it, and which argument says to whom.
 */
const recipientArguments: ReadonlyMap<string, number> = new Map(
  Object.entries({
    'transfer(address,uint256)': 0,
    'transferFrom(address,address,uint256)': 1,
    'approve(address,uint256)': 0,
    'increaseAllowance(address,uint256)': 0,
    'safeTransferFrom(address,address,uint256)': 1,
    'safeTransferFrom(address,address,uint256,bytes)': 1,
    'safeTransferFrom(address,address,uint256,uint256,bytes)': 1,
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)': 1,
    'setApprovalForAll(address,bool)': 0,
    'send(address,uint256,bytes)': 0,
  }).map(([signature, argument]) => [`0x${keccakOfText(signature).slice(0, 8)}`, argument]),
);

/** Every address that these calls call, or give money to by a well-known function; each once. */
export function counterpartiesOf(calls: readonly OperationCall[]): string[] {
  const found = new Set<string>();
  for (const { to, data } of calls) {
    found.add(to.toLowerCase());
    const argument = recipientArguments.get(data.slice(0, 10));
    const recipient = argument === undefined ? undefined : addressOfWord(data, argument);
    if (recipient !== undefined) found.add(recipient);
  }
  return [...found];
}

/** The address in a word behind the selector; undefined where there is none. */
function addressOfWord(data: string, index: number): string | undefined {
  const word = data.slice(10 + 64 * index, 74 + 64 * index);
  return word.length === 64 && word.startsWith('0'.repeat(24)) ? `0x${word.slice(24)}` : undefined;
}
