import {
  createJsonRpc,
  type RpcClient,
  type RpcError,
  type RpcOptions,
} from '../../../lib/net/json-rpc.ts';

export {
  type RpcCall,
  type RpcClient,
  RpcError,
  type RpcResult,
  RpcTransportError,
} from '../../../lib/net/json-rpc.ts';

const readMethods =
  /^(eth_get|eth_call$|eth_simulateV1$|eth_blockNumber$|eth_chainId$|eth_feeHistory$|eth_gasPrice$|eth_maxPriorityFeePerGas$|eth_estimateGas$|eth_syncing$|net_version$|web3_clientVersion$|anvil_nodeInfo$)/;

/** A client of an EVM node; no connection is made before the first call. */
export function createRpc(
  options: Pick<RpcOptions, 'url' | 'timeoutMs' | 'batchSizeMax'>,
): RpcClient {
  return createJsonRpc({ ...options, readMethods });
}

/** Revert data inside a node's error, wherever the node put it; undefined when it sent none. */
export function revertDataOf(error: RpcError): `0x${string}` | undefined {
  let data: unknown = error.data;
  for (let depth = 0; depth < 3 && typeof data === 'object' && data !== null; depth++) {
    const record = data as { data?: unknown; result?: unknown; originalError?: unknown };
    data = record.data ?? record.result ?? record.originalError;
  }
  if (typeof data !== 'string') return undefined;
  const hex = /0x[0-9a-fA-F]*/.exec(data)?.[0];
  return hex !== undefined && hex.length % 2 === 0
    ? (hex.toLowerCase() as `0x${string}`)
    : undefined;
}
