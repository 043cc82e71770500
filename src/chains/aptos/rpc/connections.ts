import type { Config } from '../../../config/config.ts';
import type { Logger } from '../../../lib/log/log.ts';
import { type Connections, openConnections } from '../../family/nodes/connections.ts';
import { type AptosNetwork, aptosNetwork } from '../config/networks.ts';
import { type AptosNode, connectNode } from './node.ts';

export type AptosConnections = Connections<AptosNetwork, AptosNode>;

export interface AptosConnectionsInput {
  readonly config: Config;
  readonly log: Logger;
  /** Awaited once per process when the node was verified; a failure is one of the connection. */
  readonly onFirstUse: (chain: string) => Promise<void>;
}

/** Opens no connection before it is used. */
export function createConnections({ config, ...input }: AptosConnectionsInput): AptosConnections {
  const { rpcUrl, rpcTimeoutMs, testTokenAddress } = config.aptos;
  const network = aptosNetwork(config.environment, { testTokenAddress });
  return openConnections({
    network,
    label: 'Aptos',
    first: { setting: 'APTOS_RPC_URL', url: rpcUrl },
    second: { setting: 'APTOS_RPC_URL', url: undefined },
    open: async (url, setting) => ({
      ...(await connectNode({ network, url, setting, timeoutMs: rpcTimeoutMs })),
      close: () => undefined,
    }),
    ...input,
  });
}
