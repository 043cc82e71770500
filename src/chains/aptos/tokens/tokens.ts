import { ServiceError } from '../../../lib/errors.ts';
import { storableText } from '../../../lib/json/storable-text.ts';
import { foreignNames, resolveSymbol, type TokenQuery } from '../../family/names/listed-tokens.ts';
import type { ResolvedToken } from '../../family.ts';
import type { AptosNetwork } from '../config/networks.ts';
import { type AptosNode, refusedByNode } from '../rpc/node.ts';
import { type Asset, assetName, isApt, readAsset } from './assets.ts';
import { type AssetFacts, readFacts } from './views.ts';

export interface AptosTokens {
  /** As `Tokens.resolveToken`. */
  resolve(query: TokenQuery): Promise<ResolvedToken>;
}

const factsMax = 10_000;
const symbolLengthMax = 31;
const anyOther = 'address or type';

/** @param connect the verified node, asked for what is not listed */
export function createAptosTokens(
  network: AptosNetwork,
  connect: () => Promise<AptosNode>,
): AptosTokens {
  const known = new Map<string, AssetFacts>();

  async function factsOf(asset: Asset): Promise<AssetFacts | undefined> {
    const name = assetName(asset);
    const earlier = known.get(name);
    if (earlier) return earlier;
    const found = await readFacts(await connect(), asset).catch((error: unknown) => {
      throw refusedByNode(error, network);
    });
    if (!found) return undefined;
    known.set(name, found);
    if (known.size > factsMax) known.delete(known.keys().next().value!);
    return found;
  }

  return {
    async resolve(query) {
      if ('symbol' in query) return resolveSymbol(network, query.symbol, anyOther);
      if (query.tokenId !== undefined)
        throw unsupported(network, query.address, 'it has no tokens with an id');
      const asset = readNamed(network, query.address);
      if (isApt(asset)) return resolveSymbol(network, network.native.symbol, anyOther);
      const address = assetName(asset);
      const common = { chain: network.name, locator: `${network.name}:${query.address}`, address };
      const listed = network.tokens.find((token) => token.address === address);
      if (listed) return { ...common, ...listed, address };
      const facts = await factsOf(asset);
      if (!facts) throw unsupported(network, query.address, 'there is no fungible asset or coin');
      return { ...common, ...namesOf(network, facts), decimals: facts.decimals };
    },
  };
}

function readNamed(network: AptosNetwork, text: string): Asset {
  try {
    return readAsset(text);
  } catch (cause) {
    throw unsupported(network, text, 'it is no address and no type of a coin', cause);
  }
}

function unsupported(
  network: AptosNetwork,
  asked: string,
  why: string,
  cause?: unknown,
): ServiceError {
  return new ServiceError('token-not-supported', {
    message: `"${asked.slice(0, 120)}" is no token on "${network.name}": ${why}.`,
    cause,
  });
}

/** In lower case, as every symbol is. */
function namesOf(
  network: AptosNetwork,
  { symbol, name }: AssetFacts,
): Pick<ResolvedToken, 'symbol' | 'name'> {
  const own = storableText(symbol.normalize('NFKC'), symbolLengthMax).toLowerCase();
  return foreignNames(network, {
    ...(own !== '' && { symbol: own }),
    name: storableText(name, 200),
  });
}
