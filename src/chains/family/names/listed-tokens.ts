import { ServiceError } from '../../../lib/errors.ts';
import { storableText } from '../../../lib/json/storable-text.ts';
import type { Network } from '../capabilities/networks.ts';
import type { ResolvedToken, Tokens } from '../capabilities/tokens.ts';

/**
 * Tokens by symbol: those that the network lists, and nobody who calls himself like one of them.
 */

/** How `Tokens.resolveToken` is asked. */
export type TokenQuery = Parameters<Tokens['resolveToken']>[1];

/**
 * The native token or a listed one, in any case; the native one where both have the symbol.
 * @param named what any other token is named by, e.g. `mint` @throws token-not-supported
 */
export function resolveSymbol(network: Network, asked: string, named: string): ResolvedToken {
  const symbol = asked.toLowerCase();
  const locator = `${network.name}:${symbol}`;
  if (symbol === network.native.symbol)
    return { chain: network.name, locator, symbol, decimals: network.native.decimals };
  const token = network.tokens.find((candidate) => candidate.symbol === symbol);
  if (token) return { chain: network.name, locator, ...token };
  throw new ServiceError('token-not-supported', {
    message:
      `The token "${asked.slice(0, 40)}" is not known on "${network.name}". Known: ${symbolsOf(network).join(', ')}. ` +
      `Name any other token by its ${named}: ${network.name}:<${named}>.`,
  });
}

/**
 * What a foreign token calls itself, without what nobody could see or the database would not take:
 * like a listed one it goes without symbol, so that nobody takes it for that one.
 */
export function foreignNames(
  network: Network,
  told: Pick<ResolvedToken, 'symbol' | 'name'>,
): Pick<ResolvedToken, 'symbol' | 'name'> {
  const [symbol, name] = [cleanName(told.symbol), cleanName(told.name)];
  const isTaken =
    symbol === undefined || symbolsOf(network).includes(symbol.normalize('NFKC').toLowerCase());
  return { ...(!isTaken && { symbol }), ...(name !== undefined && { name }) };
}

/** Undefined: nothing is left of it. */
function cleanName(text = ''): string | undefined {
  const seen = storableText(text)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return seen === '' ? undefined : seen;
}

function symbolsOf({ native, tokens }: Network): string[] {
  return [native.symbol, ...tokens.map((token) => token.symbol)];
}
