import type { Operation } from '../../../contracts/index.ts';
import { calldataFloorGas, calldataGas } from './operation.ts';
import type { Hex } from './words.ts';

/**
 * Gas of an operation. The module runs the calls with exactly the gas that was signed, and the batch gives deployment and
 * operation together `gasLimit`: both are simulated or measured, and get a margin. Unused gas costs nothing.
 */

/** Half more than simulated, and what a balance or two that becomes non-zero in the meantime costs. */
const callGasFactorPercent = 150n;
const callGasMargin = 45_000n;
/** A transaction may have 2^24 gas (EIP-7825); this leaves room for deployment, signatures and the batch around it. */
export const callGasMax = 13_000_000n;

/** Deploying the Safe proxy with its set-up takes 264,000. */
const deploymentGas = 320_000n;
/** Measured over batches of every shape: 56,200 and for each call 1,620, for each byte 1.3 (hashing, copying, the Safe's check, nonce, event). */
const verificationGas = 80_000n;
const verificationGasPerCall = 3_000n;
const verificationGasPerByte = 2n;
/** Paid by the batch, per operation: intrinsic calldata comes on top. */
const batchShareGas = 12_000n;

/** The gas to sign for calls that took `gasUsed` in simulation; undefined when no transaction can carry that much. */
export function callGasOf(gasUsed: bigint): bigint | undefined {
  if (gasUsed > callGasMax) return undefined;
  const callGas = (gasUsed * callGasFactorPercent) / 100n + callGasMargin;
  return callGas < callGasMax ? callGas : callGasMax;
}

export interface OperationGas {
  /** What `execute` needs beside the calls. */
  readonly verification: bigint;
  /** Zero for a wallet that stands. */
  readonly deployment: bigint;
  /** The operation's share of a batch transaction; where the floor price of its calldata is more than all it uses, what is missing to that. */
  readonly overhead: bigint;
  /** Cap of the batch item: deployment and operation. */
  readonly limit: bigint;
}

/** @param input `gasUsed`: of the calls, in simulation; by default what is signed for them */
export function operationGas(operation: Operation, input: { deployed: boolean; calldata: Hex; gasUsed?: bigint }): OperationGas {
  const byteCount = BigInt(operation.calls.reduce((sum, call) => sum + call.data.length / 2 - 1, 0));
  const verification = verificationGas + verificationGasPerCall * BigInt(operation.calls.length) + verificationGasPerByte * byteCount;
  const deployment = input.deployed ? 0n : deploymentGas;
  const used = verification + deployment + (input.gasUsed ?? operation.callGas);
  const calldata = BigInt(calldataGas(input.calldata));
  const missing = BigInt(calldataFloorGas(input.calldata)) - used;
  return {
    verification,
    deployment,
    overhead: batchShareGas + (missing > calldata ? missing : calldata),
    // A call passes on at most 63/64 of what is left.
    limit: deployment + verification + (operation.callGas * 64n) / 63n + 1n,
  };
}
