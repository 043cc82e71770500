import type { Operation } from '../../../../contracts/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { Hex } from '../abi/words.ts';
import type { GasPrice } from '../rpc/fees.ts';
import { encodeFactoryCall, type WalletSetup } from '../wallet/wallet-plan.ts';
import type { OperationGas } from './gas.ts';

export interface UserOperationInput {
  readonly operation: Operation;
  readonly calldata: Hex;
  readonly gas: OperationGas;
  readonly gasPrice: GasPrice;
  /** Of a wallet that is still to be deployed. */
  readonly setup: WalletSetup | undefined;
}

/**
 * The operation in the field names of ERC-4337 v0.7. There is no entry point: `callData` is what
 * the wallet module is called with, the signature left out.
 */
export function userOperation({
  operation,
  calldata,
  gas,
  gasPrice,
  setup,
}: UserOperationInput): JsonObject {
  return {
    sender: operation.wallet,
    nonce: operation.nonce.toString(),
    callData: calldata,
    callGasLimit: operation.callGas.toString(),
    verificationGasLimit: (gas.verification + gas.deployment).toString(),
    preVerificationGas: gas.overhead.toString(),
    maxFeePerGas: gasPrice.maxFeeWei.toString(),
    maxPriorityFeePerGas: gasPrice.tipWei.toString(),
    ...(setup && encodeFactoryCall(setup)),
    signature: '0x',
  };
}
