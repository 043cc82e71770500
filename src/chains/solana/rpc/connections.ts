import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { RpcClient } from '../../../lib/json-rpc.ts';
import type { Logger } from '../../../lib/log.ts';
import { publicGenesisHashes, type SolanaNetwork, solanaNetwork } from '../config/networks.ts';
import { nodeError } from './node-error.ts';
import { createSolanaRpc } from './rpc.ts';

/** A node. Those of {@link SolanaConnections.connect} were asked which cluster they serve, and answered rightly. */
export interface SolanaConnection {
  readonly network: SolanaNetwork;
  readonly rpc: RpcClient;
}

export interface SolanaConnections {
  readonly network: SolanaNetwork;
  /** Whether this instance has a node. */
  readonly isUsable: boolean;
  /** @throws chain-not-supported */
  requireNetwork(chain: string): SolanaNetwork;
  /** The verified node; its first use asks for the cluster. @throws chain-not-supported, upstream-error, provider-unavailable */
  connect(chain: string): Promise<SolanaConnection>;
  /** The second, independent node; undefined where none is configured. @throws as {@link connect} */
  connectSecond(chain: string): Promise<SolanaConnection | undefined>;
  close(): void;
}

export interface ConnectionsDeps {
  readonly config: Config;
  readonly log: Logger;
  /** Told once per process when the node was verified; a failure is one of the connection. */
  readonly onFirstUse: (chain: string) => Promise<void>;
}

export function createConnections({ config, log, onFirstUse }: ConnectionsDeps): SolanaConnections {
  const { rpcUrl, secondRpcUrl, rpcTimeoutMs: timeoutMs, testTokenMint } = config.solana;
  const network = solanaNetwork(config.environment, { testTokenMint });
  const clients: RpcClient[] = [];
  const first = lazily(async () => {
    const connection = await open(rpcUrl!, 'SOLANA_RPC_URL');
    await onFirstUse(network.name);
    log.info({ chain: network.name, cluster: network.cluster }, 'node verified');
    return connection;
  });
  const second = lazily(() => open(secondRpcUrl!, 'SOLANA_RPC_SECOND_URL'));

  async function open(url: string, setting: string): Promise<SolanaConnection> {
    const rpc = createSolanaRpc({ url, timeoutMs });
    const connection = { network, rpc };
    try {
      await verifyNode(connection, setting);
    } catch (error) {
      rpc.close();
      throw error;
    }
    clients.push(rpc);
    return connection;
  }

  function requireNetwork(chain: string): SolanaNetwork {
    if (chain !== network.name)
      throw new ServiceError('chain-not-supported', {
        message: `The chain "${chain.slice(0, 64)}" is not a Solana chain known here. Available: ${network.name}.`,
      });
    if (rpcUrl === undefined)
      throw new ServiceError('chain-not-supported', {
        message: `The chain "${network.name}" has no node on this instance: its operator sets SOLANA_RPC_URL.`,
      });
    return network;
  }

  return {
    network,
    isUsable: rpcUrl !== undefined,
    requireNetwork,
    async connect(chain) {
      requireNetwork(chain);
      return first();
    },
    async connectSecond(chain) {
      requireNetwork(chain);
      return secondRpcUrl === undefined ? undefined : second();
    },
    close() {
      for (const client of clients) client.close();
    },
  };
}

/** Made at its first use, once; a failure is forgotten. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** @throws upstream-error another cluster */
async function verifyNode({ network, rpc }: SolanaConnection, setting: string): Promise<void> {
  const answer = await rpc.request('getGenesisHash').catch((error: unknown) => {
    throw nodeError(error, network.name);
  });
  const { data: hash } = z.string().max(64).safeParse(answer);
  if (hash === undefined) throw new ServiceError('upstream-error', { message: `The node of "${network.name}" does not tell its cluster.` });
  const served = Object.entries(publicGenesisHashes).find(([, known]) => known === hash)?.[0];
  const isRight = network.genesisHash === undefined ? served === undefined : hash === network.genesisHash;
  if (!isRight)
    throw new ServiceError('upstream-error', {
      message: `The node of "${network.name}" serves ${served ?? 'another cluster'} instead of ${network.cluster}: its operator corrects ${setting}.`,
    });
}
