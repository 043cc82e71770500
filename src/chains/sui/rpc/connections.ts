import { SuiGrpcClient } from '@mysten/sui/grpc';
import { ServiceError } from '../../../lib/errors.ts';
import type { Logger } from '../../../lib/log/log.ts';
import { countedFetch, nodeName } from '../../../lib/net/call-counts.ts';
import { deadlineSignal } from '../../../lib/waiting/deadline.ts';
import { type Connections, openConnections } from '../../family/nodes/connections.ts';
import { publicGenesisDigests, type SuiNetwork } from '../config/networks.ts';
import { nodeError } from './node-error.ts';

/**
 * A node. Those of {@link SuiConnections.connect} were asked which network they serve, and answered
 * rightly.
 */
export interface SuiConnection {
  readonly network: SuiNetwork;
  readonly client: Pick<
    SuiGrpcClient,
    'ledgerService' | 'stateService' | 'transactionExecutionService'
  >;
}

export type SuiConnections = Connections<SuiNetwork, SuiConnection>;

export interface ConnectionsDeps {
  readonly network: SuiNetwork;
  readonly rpcUrl: string | undefined;
  readonly secondRpcUrl?: string | undefined;
  readonly rpcTimeoutMs: number;
  readonly log: Logger;
  readonly onFirstUse: (chain: string) => Promise<void>;
}

const networkNames = { mainnet: 'mainnet', testnet: 'testnet', local: 'localnet' } as const;

export function createConnections({
  network,
  rpcUrl,
  secondRpcUrl,
  rpcTimeoutMs,
  log,
  onFirstUse,
}: ConnectionsDeps): SuiConnections {
  return openConnections({
    network,
    label: 'Sui',
    first: { url: rpcUrl, setting: 'SUI_RPC_URL' },
    second: { url: secondRpcUrl, setting: 'SUI_RPC_SECOND_URL' },
    async open(baseUrl, setting) {
      const stopping = new AbortController();
      const limited: typeof fetch = (input, init) =>
        countedFetch(nodeName(baseUrl), input, {
          ...init,
          redirect: 'error',
          signal: deadlineSignal(rpcTimeoutMs, stopping.signal, init?.signal),
        });
      const client = new SuiGrpcClient({
        network: networkNames[network.cluster],
        baseUrl,
        fetch: limited,
      });
      const connection = { network, client, close: () => stopping.abort() };
      await verifyNode(connection, setting);
      return connection;
    },
    onFirstUse,
    log,
  });
}

/** @throws upstream-error another network */
async function verifyNode({ network, client }: SuiConnection, setting: string): Promise<void> {
  const { chainId } = await client.ledgerService
    .getServiceInfo({})
    .response.catch((error: unknown) => {
      throw nodeError(error, network.name);
    });
  if (chainId === undefined)
    throw new ServiceError('upstream-error', {
      message: `The node of "${network.name}" does not name its network.`,
    });
  const served = Object.entries(publicGenesisDigests).find(([, known]) => known === chainId)?.[0];
  const isRight =
    network.genesisDigest === undefined ? served === undefined : chainId === network.genesisDigest;
  if (!isRight)
    throw new ServiceError('upstream-error', {
      message: `The node of "${network.name}" serves ${served ?? 'another network'} instead of ${network.cluster}: its operator corrects ${setting}.`,
    });
}
