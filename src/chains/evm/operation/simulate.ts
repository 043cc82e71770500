import { addresses, type Operation } from '../../../../contracts/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Json } from '../../../lib/json/json.ts';
import type { OperationError } from '../../family.ts';
import { keccakOfText } from '../abi/keccak.ts';
import { decodeRevert } from '../abi/revert.ts';
import type { Hex } from '../abi/words.ts';
import { type EvmConnection, nodeError } from '../rpc/connections.ts';
import { type RpcCall, type RpcResult, revertDataOf } from '../rpc/rpc.ts';
import { encodeOperationArguments, encodeSimulateAs, simulateSelector } from './operation.ts';
import type { ReadCall } from './transaction-params.ts';

/** What the calls of an operation would do now. */
export type Simulation =
  | {
      readonly success: true;
      readonly gasUsed: bigint;
      /** What the last call returned. */
      readonly returnData: Hex;
      /** What the operation has to name as its epoch. */
      readonly epoch: bigint;
    }
  | { readonly success: false; readonly error: OperationError }
  /** The module does not let this delegate do it. */
  | {
      readonly success: false;
      readonly refused: ServiceError;
      readonly limitExceeded: boolean /** Time alone may allow it. */;
      readonly isEarly: boolean;
    };

/** The delegate as whom an operation is simulated; without one it is the admin. */
export interface SimulatedDelegate {
  readonly signerId: Hex;
  /** One per call; none for a signer without scopes. */
  readonly scopeIndexes: readonly number[];
}

/**
 * Gas of a simulation; half of it may go into the calls. What needs more does not fit into a batch.
 */
const simulationGas = 30_000_000n;
const zeroAddress = '0x0000000000000000000000000000000000000000';
const noCall = (1n << 256n) - 1n;

/**
 * The `eth_call` that simulates an operation: the module deploys the wallet if there is none and
 * always reverts with what came out, so one call answers success, revert data and gas.
 */
export function simulationCall(
  operation: Operation,
  deployment: Hex,
  delegate?: SimulatedDelegate,
  block: 'latest' | 'pending' = 'latest',
): RpcCall {
  // callGas 0 asks the module for half of what it gets.
  const simulated = { ...operation, callGas: 0n };
  const data = delegate
    ? encodeSimulateAs(simulated, deployment, delegate)
    : `0x${simulateSelector}${encodeOperationArguments(simulated, deployment)}`;
  return {
    method: 'eth_call',
    params: [
      {
        from: zeroAddress,
        to: addresses.walletModule,
        data,
        gas: `0x${simulationGas.toString(16)}`,
      },
      block,
    ],
  };
}

/** @throws upstream-error when the node's answer is not one of the module */
export function readSimulation(
  result: RpcResult,
  calls: readonly ReadCall[],
  connection: EvmConnection,
): Simulation {
  if (result.ok)
    throw new ServiceError('upstream-error', {
      message: `The node of "${connection.network.name}" did not simulate the transaction.`,
      cause: result.value,
    });
  const data = revertDataOf(result.error);
  if (data === undefined || data === '0x') throw nodeError(result.error, connection.network.name);
  const outcome = decodeOutcome(data);
  const refusal = outcome ? undefined : readRefusal(data);
  if (refusal) return refusal;
  // Anything else than the module's result: the wallet could not be deployed.
  if (!outcome) return { success: false, error: revertError({ type: 'wallet_deployment', data }) };
  const { success, failedCall, returnData, gasUsed, epoch } = outcome;
  if (success) return { success: true, gasUsed, returnData, epoch };
  if (failedCall === noCall)
    return {
      success: false,
      error: {
        ...revertError({ type: 'contract_call', data: '0x' }),
        message: 'The calls ran out of gas.',
      },
    };
  return {
    success: false,
    error: revertError({
      type: 'contract_call',
      data: returnData,
      abi: calls[Number(failedCall)]?.abi,
      callIndex: calls.length > 1 ? Number(failedCall) : undefined,
    }),
  };
}

/** The module's own refusals of a delegate; everything else is about the wallet. */
function readRefusal(data: Hex): Extract<Simulation, { refused: ServiceError }> | undefined {
  const { reason, reasonData } = decodeRevert(data);
  const name = (reasonData as { name?: string } | undefined)?.name;
  const refuse = (
    code: 'transaction-invalid' | 'signer-expired' | 'signer-scope-violation',
    message: string,
  ) =>
    ({
      success: false,
      refused: new ServiceError(code, { message }),
      limitExceeded: name === 'SpendingLimitExceeded',
      isEarly: name === 'SpendingLimitExceeded' || name === 'SignerNotYetValid',
    }) as const;
  switch (name) {
    case 'UnknownSigner':
      return refuse(
        'transaction-invalid',
        'params.signer: is not registered on this chain, or was removed there. Add it with POST signers.',
      );
    case 'SignerNotYetValid':
      return refuse(
        'transaction-invalid',
        `params.signer: is not valid yet on this chain: ${reason}.`,
      );
    case 'SignerExpired':
      return refuse(
        'signer-expired',
        `The signer has expired on this chain: ${reason}. Register it again.`,
      );
    case 'SpendingLimitExceeded':
      return refuse(
        'signer-scope-violation',
        `This is above what the signer may still spend in the running interval: ${reason}.`,
      );
    case 'ForbiddenTarget':
    case 'ScopesMismatch':
    case 'UnknownScope':
    case 'NotATransfer':
    case 'ForbiddenRecipient':
      return refuse(
        'signer-scope-violation',
        `The scopes of the signer on this chain do not allow this: ${reason}.`,
      );
  }
  return undefined;
}

const simulationResult = `0x${keccakOfText('SimulationResult(bool,uint256,bytes,uint256,uint64)').slice(0, 8)}`;

/** The words of `SimulationResult`, in place: every prepared operation comes by here. */
function decodeOutcome(
  data: Hex,
):
  | { success: boolean; failedCall: bigint; returnData: Hex; gasUsed: bigint; epoch: bigint }
  | undefined {
  if (!data.startsWith(simulationResult)) return undefined;
  const wordAt = (index: number) =>
    BigInt(`0x${data.slice(10 + 64 * index, 74 + 64 * index) || '0'}`);
  const length = Number(wordAt(5));
  const returnData = data.slice(10 + 64 * 6, 10 + 64 * 6 + 2 * length);
  if (wordAt(2) !== 0xa0n || returnData.length !== 2 * length) return undefined;
  return {
    success: wordAt(0) === 1n,
    failedCall: wordAt(1),
    returnData: `0x${returnData}`,
    gasUsed: wordAt(3),
    epoch: wordAt(4),
  };
}

/** `error` of a transaction whose calls revert (supplement, section 6). */
export function revertError(input: {
  type: 'contract_call' | 'wallet_deployment';
  data: Hex;
  abi?: readonly unknown[];
  callIndex?: number;
}): OperationError {
  const { reason, reasonData } = decodeRevert(input.data, input.abi);
  const subject =
    input.type === 'wallet_deployment'
      ? 'The wallet cannot be deployed'
      : input.callIndex === undefined
        ? 'The call reverts'
        : `Call ${input.callIndex} reverts`;
  const revert: Json = {
    type: input.type,
    reason,
    reasonData,
  };
  return {
    reason: 'execution_reverted',
    message: `${subject}: ${reason}.`,
    revertData: input.data,
    revert,
  };
}

/** 422 (supplement, sections 6 and 17). */
export function simulationFailed(error: OperationError): ServiceError {
  return new ServiceError('transaction-simulation-failed', {
    message: error.message,
    details: { error, message: error.message },
  });
}
