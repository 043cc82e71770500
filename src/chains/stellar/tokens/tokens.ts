import { ServiceError } from '../../../lib/errors.ts';
import { foreignNames, resolveSymbol, type TokenQuery } from '../../family/names/listed-tokens.ts';
import type { ResolvedToken } from '../../family.ts';
import type { StellarNetwork } from '../config/networks.ts';
import type { StellarConnection, StellarConnections } from '../rpc/connections.ts';
import { readStellarAddress } from '../strkey.ts';
import { parseAsset } from './assets.ts';
import { readTokenFacts, type TokenFacts } from './token-facts.ts';

export interface StellarTokens {
  /**
   * As `Tokens.resolveToken`: by its contract, or an asset as `CODE:G…`, which is the contract that
   * the network has for it.
   */
  resolve(chain: string, query: TokenQuery): Promise<ResolvedToken>;
  /**
   * What contracts tell of themselves, in few calls; what is no token is left out. Facts that may
   * change are of the first look.
   */
  describe(
    connection: StellarConnection,
    contracts: readonly string[],
  ): Promise<ReadonlyMap<string, TokenFacts>>;
}

const factsMax = 10_000;
const named = 'contract or asset';

export function createStellarTokens(connections: StellarConnections): StellarTokens {
  const facts = new Map<string, TokenFacts>();

  async function describe(
    connection: StellarConnection,
    contracts: readonly string[],
  ): Promise<ReadonlyMap<string, TokenFacts>> {
    const unknown = [...new Set(contracts)].filter((contract) => !facts.has(contract));
    const found = new Map(
      contracts.flatMap((contract) =>
        facts.has(contract) ? [[contract, facts.get(contract)!] as const] : [],
      ),
    );
    for (const [contract, one] of await readTokenFacts(connection, unknown)) {
      found.set(contract, one);
      facts.set(contract, one);
      if (facts.size > factsMax) facts.delete(facts.keys().next().value!);
    }
    return found;
  }

  return {
    describe,
    async resolve(chain, query) {
      const network = connections.requireNetwork(chain);
      if ('symbol' in query) return resolveSymbol(network, query.symbol, named);
      const address = readContract(network, query);
      if (address === network.nativeContract)
        return resolveSymbol(network, network.native.symbol, named);
      const common = { chain: network.name, locator: `${network.name}:${query.address}`, address };
      const listed = network.tokens.find((token) => token.address === address);
      if (listed) return { ...common, ...listed, address };
      const told = (await describe(await connections.connect(chain), [address])).get(address);
      if (!told)
        throw new ServiceError('token-not-supported', {
          message:
            address === query.address
              ? `No contract of a token stands at ${address} on "${network.name}".`
              : `The asset ${query.address} has no contract on "${network.name}" yet: anybody can deploy it, as ${address}.`,
        });
      return { ...common, ...foreignNames(network, told), decimals: told.decimals };
    },
  };
}

/** @throws token-not-supported */
function readContract(
  network: StellarNetwork,
  { address, tokenId }: { readonly address: string; readonly tokenId?: string },
): string {
  const contract =
    readStellarAddress(address)?.kind === 'C'
      ? address
      : parseAsset(address)?.contractId(network.passphrase);
  if (contract !== undefined && tokenId === undefined) return contract;
  throw new ServiceError('token-not-supported', {
    message:
      `"${address.slice(0, 80)}" is no token on "${network.name}": send the C… address of its contract, an asset as CODE:G…, or a ` +
      'symbol, and no id of a token beside it.',
  });
}
