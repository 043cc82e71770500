import type { OperationError } from '../../family.ts';
import type { Hex } from '../abi/words.ts';
import { revertedError } from '../relay/queue/reasons.ts';
import { quantitySchema, type Receipt } from '../relay/rpc-schemas.ts';
import { type RpcClient, RpcError, revertDataOf } from '../rpc/rpc.ts';
import type { NumberedCall } from './stored.ts';

/** Why the call would fail now; undefined: it would not. */
export async function estimate(
  rpc: RpcClient,
  call: NumberedCall,
): Promise<OperationError | undefined> {
  const { gasLimit } = call;
  try {
    const gas = quantitySchema.parse(
      await rpc.request('eth_estimateGas', [callJson(call), 'latest']),
    );
    return gas > gasLimit
      ? {
          reason: 'execution_reverted',
          message: `The call takes ${gas} gas now, more than the ${gasLimit} that it may.`,
        }
      : undefined;
  } catch (error) {
    const data = error instanceof RpcError ? revertOf(error) : undefined;
    if (data === undefined) throw error;
    return revertedError(data);
  }
}

const callJson = ({ wallet: from, to, valueWei, data }: NumberedCall) => ({
  from,
  to,
  value: `0x${valueWei.toString(16)}`,
  data,
});

/** Nodes say of a call that reverts without a word no more than that. */
function revertOf(error: RpcError): Hex | undefined {
  return revertDataOf(error) ?? (/revert/i.test(error.message) ? '0x' : undefined);
}

/** Why a call reverted, as the block that has it tells it now. */
export async function readReason(
  rpc: RpcClient,
  call: NumberedCall,
  receipt: Receipt,
): Promise<Hex> {
  const block = `0x${receipt.blockNumber.toString(16)}`;
  try {
    await rpc.request('eth_call', [callJson(call), block]);
    return '0x';
  } catch (error) {
    return (error instanceof RpcError ? revertOf(error) : undefined) ?? '0x';
  }
}
