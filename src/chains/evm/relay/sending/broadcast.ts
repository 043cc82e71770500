import { RpcError, RpcTransportError } from '../../rpc/rpc.ts';

/**
 * What a node's answer to `eth_sendRawTransaction` means for the stored transaction.
 * - `accepted`: it, or another transaction of its nonce, is known to the node or in the chain
 * - `unknown`: it may have been taken; assume so and ask for receipts
 * - `later`: the node refused it for the moment (full pool, rate limit); the same bytes may pass
 *   later
 * - `underpriced`: this fee does not get in; a higher one does
 * - `unfunded`: the account cannot pay it
 * - `refused`: the same bytes can never pass; the nonce has to be used by another transaction
 */
export type BroadcastResult =
  | 'accepted'
  | 'unknown'
  | 'later'
  | 'underpriced'
  | 'unfunded'
  | 'refused';

/**
 * The first row that fits decides. Texts of geth, erigon, nethermind, besu, reth, anvil, Arbitrum,
 * zkSync and hosted nodes.
 */
const table: readonly (readonly [RegExp, BroadcastResult])[] = [
  [
    /already known|already imported|already in (the )?(mem)?pool|known transaction|alreadyknown|already exists|transaction with the same hash/i,
    'accepted',
  ],
  [
    /nonce too low|nonce is too low|oldnonce|old nonce|nonce already used|invalid nonce.*expected.*greater|nonce has already been used/i,
    'accepted',
  ],
  [
    /replacement transaction underpriced|underpriced|fee too low|feetoolow|gas price too low|gas price below|below (the )?(base|minimum)|less than (the )?block base fee|lower than (the )?(base|block)|max fee per gas less|tip (is )?too low|could not replace existing/i,
    'underpriced',
  ],
  [
    /insufficient (funds|balance)|doesn'?t have enough funds|not enough (funds|balance)|upfront cost exceeds|lacks? funds|overshot|insufficientfunds/i,
    'unfunded',
  ],
  [
    /pool (is )?full|txpool.*(full|limit)|pool limit|too many (pending|requests|transactions)|rate limit|limit exceeded|account limit|future transaction|nonce too high|nonce gap|noncegap|temporarily|busy|try again|overloaded|in-flight transaction limit|authority already reserved/i,
    'later',
  ],
  [
    /exceeds? (the )?block gas limit|gas limit (is )?too high|gas limit reached|intrinsic gas|gas too low|oversized data|exceeds.*(max|size|limit)|transaction type not supported|unsupported transaction type|invalid (sender|signature|chain|rlp|transaction|raw)|chain ?id|rlp|decode|initcode|cap exceeded|tx fee .* exceeds/i,
    'refused',
  ],
];

/** Codes that mean the request itself was not acted upon, whatever the text. */
const laterCodes = new Set([-32005, -32097, 429]);

/**
 * Sorts what {@link RpcClient.request} threw for a broadcast. Whatever is not in the table is
 * `unknown`.
 */
export function sortBroadcastError(error: unknown): BroadcastResult {
  if (error instanceof RpcTransportError)
    return error.kind === 'http' && error.status === 429 ? 'later' : 'unknown';
  if (!(error instanceof RpcError)) return 'unknown';
  const text = `${error.message} ${typeof error.data === 'string' ? error.data : ''}`;
  for (const [pattern, result] of table) if (pattern.test(text)) return result;
  return laterCodes.has(error.code) ? 'later' : 'unknown';
}
