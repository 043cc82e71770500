import type { Hex } from '../abi/words.ts';
import { quantitySchema } from '../relay/rpc-schemas.ts';
import type { RpcClient } from '../rpc/rpc.ts';

/** Gas of a transfer, where a chain counts nothing else as gas. */
export const transferGas = 21_000n;

/**
 * The gas limit of a transfer without data. Some chains count the data of the chain below as gas,
 * so the node is asked.
 * @throws RpcError, RpcTransportError
 */
export async function readTransferGas(
  rpc: RpcClient,
  { from, to, valueWei }: { readonly from: Hex; readonly to: Hex; readonly valueWei: bigint },
): Promise<bigint> {
  const params = { from, to, value: `0x${valueWei.toString(16)}` };
  const gas = quantitySchema.parse(await rpc.request('eth_estimateGas', [params]));
  return transferGasLimit(gas);
}

/** With room for what rises until it is sent, where the node's estimate is no fixed one. */
export function transferGasLimit(estimatedGas: bigint): bigint {
  return estimatedGas > transferGas ? (estimatedGas * 5n) / 4n : transferGas;
}

/** Of an account's native money what is its owner's, in wei; the rest is the service's, for gas. */
export function ownMoney(balanceWei: bigint, fundWei: bigint): bigint {
  return balanceWei > fundWei ? balanceWei - fundWei : 0n;
}
