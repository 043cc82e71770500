import { ServiceError } from '../../../lib/errors.ts';
import { foreignNames, resolveSymbol, type TokenQuery } from '../../family/names/listed-tokens.ts';
import type { ResolvedToken, TokenBalance } from '../../family.ts';
import { type SuiNetwork, suiCoinType } from '../config/networks.ts';
import { readCoinType } from '../operation/transfer-program.ts';
import type { SuiConnection, SuiConnections } from '../rpc/connections.ts';
import { type CoinFacts, readBalance, readCoinFacts } from '../rpc/objects.ts';

export interface SuiTokens {
  /** As `Tokens.resolveToken`: a token is a type of coins. */
  resolve(chain: string, query: TokenQuery): Promise<ResolvedToken>;
}

const factsMax = 10_000;
const balancesAtOnce = 8;

/** The type of a token's coins. */
export const coinTypeOf = ({ address }: Pick<ResolvedToken, 'address'>): string =>
  address ?? suiCoinType;

/** How a type of coins is asked for: what is listed has its symbol as its name. */
export function queryOf(
  { native, tokens }: Pick<SuiNetwork, 'native' | 'tokens'>,
  coinType: string,
): TokenQuery {
  if (coinType === suiCoinType) return { symbol: native.symbol };
  const listed = tokens.find(({ address }) => address === coinType);
  return listed ? { symbol: listed.symbol } : { address: coinType };
}

export function createSuiTokens(connections: SuiConnections): SuiTokens {
  const facts = new Map<string, CoinFacts>();

  /** What a type says of itself is of the first look. */
  async function describe(chain: string, coinType: string): Promise<CoinFacts> {
    const known = facts.get(coinType);
    if (known) return known;
    const found = await readCoinFacts(await connections.connect(chain), coinType);
    if (!found)
      throw new ServiceError('token-not-supported', {
        message: `There are no coins of the type ${coinType} on "${chain}".`,
      });
    facts.set(coinType, found);
    if (facts.size > factsMax) facts.delete(facts.keys().next().value!);
    return found;
  }

  return {
    async resolve(chain, query) {
      const network = connections.requireNetwork(chain);
      if ('symbol' in query) return resolveSymbol(network, query.symbol, 'type');
      const coinType = readCoinType(query.address);
      if (coinType === undefined || query.tokenId !== undefined)
        throw new ServiceError('token-not-supported', {
          message: `A token on "${network.name}" is named by the type of its coins alone, e.g. ${network.name}:0x2::sui::SUI, or by a symbol.`,
        });
      if (coinType === suiCoinType) return resolveSymbol(network, network.native.symbol, 'type');
      const locator = `${network.name}:${coinType}`;
      const listed = network.tokens.find(({ address }) => address === coinType);
      if (listed) return { chain: network.name, locator, ...listed, address: coinType };
      const told = await describe(chain, coinType);
      return {
        chain: network.name,
        locator,
        address: coinType,
        decimals: told.decimals,
        ...foreignNames(network, told),
      };
    },
  };
}

/** As `Tokens.readBalances`. */
export async function readSuiBalances(
  connection: SuiConnection,
  owner: string,
  tokens: readonly ResolvedToken[],
): Promise<TokenBalance[]> {
  const balances: TokenBalance[] = [];
  for (let at = 0; at < tokens.length; at += balancesAtOnce) {
    const some = tokens.slice(at, at + balancesAtOnce);
    const read = async (token: ResolvedToken) => ({
      token,
      amountMinor: await readBalance(connection, { owner, coinType: coinTypeOf(token) }),
    });
    balances.push(...(await Promise.all(some.map(read))));
  }
  return balances;
}
