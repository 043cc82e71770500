import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Store } from '../../store/types.ts';
import { followerStatus, selectFinalHeight } from '../family/following/index.ts';
import type { FamilyReads, Funding } from '../family.ts';
import { fundAptosWallet } from './dev/fund.ts';
import type { AptosConnections } from './rpc/connections.ts';
import { readAptosBalances, readAptosBalancesAt } from './tokens/balances.ts';
import type { AptosTokens } from './tokens/tokens.ts';

export interface ReadsDeps {
  readonly config: Config;
  readonly store: Store;
  readonly connections: AptosConnections;
  readonly tokens: AptosTokens;
}

/** What the family tells of the chain: networks, tokens, balances; and test funding. */
export function createAptosReads({
  config,
  store,
  connections,
  tokens,
}: ReadsDeps): FamilyReads & { readonly funding: Funding } {
  const { name: chain } = connections.network;
  return {
    networks: [connections.network],
    requireNetwork: connections.requireNetwork,
    async resolveToken(named, query) {
      connections.requireNetwork(named);
      return tokens.resolve(query);
    },
    async readBalances(address, asked) {
      return asked.length === 0
        ? []
        : readAptosBalances(await connections.connect(chain), address, asked);
    },
    async readFinalBalances({ chain: named, address, tokens: asked }) {
      const node = await connections.connect(named);
      const height = await selectFinalHeight(store, chain);
      return height === undefined
        ? undefined
        : { height, balances: await readAptosBalancesAt(node, { address, tokens: asked, height }) };
    },
    // Tokens with an id are not served.
    readMetadataUris: async (asked) => asked.map(() => undefined),
    watchStatus: async () => (connections.isUsable ? followerStatus(store, chain) : []),
    funding: {
      async fund(input) {
        if (input.chain !== chain) throw new ServiceError('chain-not-supported');
        return fundAptosWallet({ store, config: config.aptos, connections }, input);
      },
    },
  };
}
