import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { Logger } from '../../../lib/log/log.ts';
import { createJsonRpc, type RpcClient, type RpcParams } from '../../../lib/net/json-rpc.ts';
import { type Connections, openConnections } from '../../family/nodes/connections.ts';
import { nodeError } from '../../family/nodes/node-error.ts';
import { networkFacts, type StellarNetwork } from '../config/networks.ts';

/**
 * A node. Those of {@link StellarConnections.connect} were asked which network they serve, and
 * answered rightly.
 */
export interface StellarConnection {
  readonly network: StellarNetwork;
  readonly rpc: RpcClient<RpcParams>;
}

export type StellarConnections = Connections<StellarNetwork, StellarConnection>;

export interface ConnectionsDeps {
  readonly network: StellarNetwork;
  readonly rpcUrl: string | undefined;
  readonly secondRpcUrl?: string | undefined;
  readonly rpcTimeoutMs: number;
  readonly log: Logger;
  /** Awaited once per process when the node was verified; a failure is one of the connection. */
  readonly onFirstUse: (chain: string) => Promise<void>;
}

const readMethods = /^(get|simulateTransaction$)/;

/** Nodes that speak Stellar RPC; Horizon is not asked. */
export function createConnections({
  network,
  rpcUrl,
  secondRpcUrl,
  rpcTimeoutMs,
  log,
  onFirstUse,
}: ConnectionsDeps): StellarConnections {
  return openConnections({
    network,
    label: 'Stellar',
    first: { url: rpcUrl, setting: 'STELLAR_RPC_URL' },
    second: { url: secondRpcUrl, setting: 'STELLAR_RPC_SECOND_URL' },
    async open(url, setting) {
      const rpc = createJsonRpc<RpcParams>({ url, timeoutMs: rpcTimeoutMs, readMethods });
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

/** @throws upstream-error another network */
async function verifyNode({ network, rpc }: StellarConnection, setting: string): Promise<void> {
  const answer = await rpc.request('getNetwork', null).catch((error: unknown) => {
    throw nodeError(error, network.name);
  });
  const { data } = z.object({ passphrase: z.string().max(200) }).safeParse(answer);
  if (!data)
    throw new ServiceError('upstream-error', {
      message: `The node of "${network.name}" does not name its network.`,
    });
  if (data.passphrase === network.passphrase) return;
  const served = Object.entries(networkFacts).find(
    ([, { passphrase }]) => passphrase === data.passphrase,
  )?.[0];
  throw new ServiceError('upstream-error', {
    message: `The node of "${network.name}" serves ${served ?? 'another network'} instead of ${network.kind}: its operator corrects ${setting}.`,
  });
}
