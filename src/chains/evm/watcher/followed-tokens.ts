import type { Db } from '../../../store/types.ts';
import type { EvmNetwork } from '../config/networks.ts';
import { selectWatchedTokens } from './store.ts';
import type { WatchedToken } from './watched-token.ts';

/**
 * Tokens whose transfers are followed, by contract in lower case. A contract that somebody named
 * calls itself what it likes: a symbol of the network's own tokens is not believed.
 */
export async function readFollowedTokens(
  db: Db,
  network: EvmNetwork,
): Promise<Map<string, WatchedToken>> {
  const own = network.tokens.flatMap((token) =>
    token.address === undefined ? [] : [{ ...token, address: token.address }],
  );
  const symbols = new Set(
    [network.native.symbol, ...own.map((token) => token.symbol)].map((symbol) =>
      symbol.toLowerCase(),
    ),
  );
  const named = (await selectWatchedTokens(db, network.name)).map((token): WatchedToken => {
    const isTaken = token.symbol !== undefined && symbols.has(token.symbol.toLowerCase());
    return isTaken ? { address: token.address, decimals: token.decimals } : token;
  });
  return new Map([...named, ...own].map((token) => [token.address.toLowerCase(), token]));
}
