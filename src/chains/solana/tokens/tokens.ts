import { ServiceError } from '../../../lib/errors.ts';
import { foreignNames, resolveSymbol, type TokenQuery } from '../../family/names/listed-tokens.ts';
import type { ResolvedToken } from '../../family.ts';
import { decodeSolanaAddress } from '../addresses.ts';
import { readAccounts } from '../rpc/calls.ts';
import type { SolanaConnection, SolanaConnections } from '../rpc/connections.ts';
import { metadataAddress } from './derived-addresses.ts';
import { type MintFacts, readMintFacts } from './mint-facts.ts';

export interface SolanaTokens {
  /** As {@link ChainFamily.resolveToken}. */
  resolve(chain: string, query: TokenQuery): Promise<ResolvedToken>;
  /**
   * What mints tell of themselves, in few calls; what is no mint is left out. Facts that may change
   * are of the first look.
   */
  describe(
    connection: SolanaConnection,
    mints: readonly string[],
  ): Promise<ReadonlyMap<string, MintFacts>>;
  /** As {@link ChainFamily.readMetadataUris}. */
  readMetadataUris(tokens: readonly ResolvedToken[]): Promise<(string | undefined)[]>;
}

/**
 * A token of which there is one: its mint says what it is, and the interface wants an id beside it.
 */
export const onlyTokenId = '0';

const factsMax = 10_000;

export function createSolanaTokens(connections: SolanaConnections): SolanaTokens {
  const facts = new Map<string, MintFacts>();

  async function describe(
    connection: SolanaConnection,
    mints: readonly string[],
  ): Promise<ReadonlyMap<string, MintFacts>> {
    const unknown = [...new Set(mints)].filter((mint) => !facts.has(mint));
    const read = await readAccounts(
      connection,
      unknown.flatMap((mint) => [mint, metadataAddress(mint)]),
      { commitment: 'confirmed' },
    );
    const found = new Map(
      mints.flatMap((mint) => (facts.has(mint) ? [[mint, facts.get(mint)!] as const] : [])),
    );
    for (const [index, mint] of unknown.entries()) {
      const one = readMintFacts(read.accounts[index * 2], read.accounts[index * 2 + 1]);
      if (!one) continue;
      found.set(mint, one);
      facts.set(mint, one);
      if (facts.size > factsMax) facts.delete(facts.keys().next().value!);
    }
    return found;
  }

  return {
    describe,
    async resolve(chain, query) {
      const network = connections.requireNetwork(chain);
      if ('symbol' in query) return resolveSymbol(network, query.symbol, 'mint');
      const { address, tokenId } = query;
      if (!decodeSolanaAddress(address))
        throw new ServiceError('token-not-supported', {
          message: `"${address.slice(0, 80)}" is not the address of a mint on "${network.name}": send 32 bytes as base58, or a symbol.`,
        });
      const locator = `${network.name}:${address}${tokenId === undefined ? '' : `:${tokenId}`}`;
      const listed =
        tokenId === undefined
          ? network.tokens.find((token) => token.address === address)
          : undefined;
      if (listed) return { chain: network.name, locator, ...listed, address };
      const told = (await describe(await connections.connect(chain), [address])).get(address);
      if (!told)
        throw new ServiceError('token-not-supported', {
          message: `No mint of a token program stands at ${address} on "${network.name}".`,
        });
      if (tokenId !== undefined && (tokenId !== onlyTokenId || !isUnique(told)))
        throw new ServiceError('token-not-supported', {
          message: `A token on "${network.name}" is named by its mint alone: send "${network.name}:${address}".`,
        });
      return {
        ...foreignNames(network, told),
        chain: network.name,
        locator,
        address,
        decimals: told.decimals,
        ...(tokenId !== undefined && { tokenId }),
      };
    },
    async readMetadataUris(asked) {
      const { name } = connections.network;
      const mints = asked.flatMap(({ address }) => address ?? []);
      if (mints.length === 0) return asked.map(() => undefined);
      const told = await describe(await connections.connect(name), mints);
      return asked.map(({ address }) =>
        address === undefined ? undefined : told.get(address)?.uri,
      );
    },
  };
}

/** One of a collection: there is no other, and it has no parts. */
export function isUnique({ decimals, supply }: MintFacts): boolean {
  return decimals === 0 && supply <= 1n;
}
