import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Logger } from '../../../lib/log/log.ts';
import type { RpcClient } from '../../../lib/net/json-rpc.ts';
import { type Connections, openConnections } from '../../family/nodes/connections.ts';
import { nodeError } from '../../family/nodes/node-error.ts';
import { publicGenesisHashes, type SolanaNetwork, solanaNetwork } from '../config/networks.ts';
import { createSolanaRpc } from './rpc.ts';

/**
 * A node. Those of {@link SolanaConnections.connect} were asked which cluster they serve, and
 * answered rightly.
 */
export interface SolanaConnection {
  readonly network: SolanaNetwork;
  readonly rpc: RpcClient;
}

export type SolanaConnections = Connections<SolanaNetwork, SolanaConnection>;

export interface ConnectionsDeps {
  readonly config: Config;
  readonly log: Logger;
  /** Awaited once per process when the node was verified; a failure is one of the connection. */
  readonly onFirstUse: (chain: string) => Promise<void>;
}

export function createConnections({ config, log, onFirstUse }: ConnectionsDeps): SolanaConnections {
  const { rpcUrl, secondRpcUrl, rpcTimeoutMs: timeoutMs, testTokenMint } = config.solana;
  const network = solanaNetwork(config.environment, { testTokenMint });
  return openConnections({
    network,
    label: 'Solana',
    first: { url: rpcUrl, setting: 'SOLANA_RPC_URL' },
    second: { url: secondRpcUrl, setting: 'SOLANA_RPC_SECOND_URL' },
    async open(url, setting) {
      const rpc = createSolanaRpc({ url, timeoutMs });
      const connection = { network, rpc, close: () => rpc.close() };
      try {
        await verifyNode(connection, setting);
      } catch (error) {
        rpc.close();
        throw error;
      }
      return connection;
    },
    onFirstUse,
    log,
  });
}

/** @throws upstream-error another cluster */
async function verifyNode({ network, rpc }: SolanaConnection, setting: string): Promise<void> {
  const answer = await rpc.request('getGenesisHash').catch((error: unknown) => {
    throw nodeError(error, network.name);
  });
  const { data: hash } = z.string().max(64).safeParse(answer);
  if (hash === undefined)
    throw new ServiceError('upstream-error', {
      message: `The node of "${network.name}" does not tell its cluster.`,
    });
  const served = Object.entries(publicGenesisHashes).find(([, known]) => known === hash)?.[0];
  const isRight =
    network.genesisHash === undefined ? served === undefined : hash === network.genesisHash;
  if (!isRight)
    throw new ServiceError('upstream-error', {
      message: `The node of "${network.name}" serves ${served ?? 'another cluster'} instead of ${network.cluster}: its operator corrects ${setting}.`,
    });
}
