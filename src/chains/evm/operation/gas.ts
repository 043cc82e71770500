import type { Operation, SignerKey } from '../../../../contracts/index.ts';
import type { Hex } from '../abi/words.ts';
import type { Authority } from '../wallet/authority.ts';
import type { WalletSetup } from '../wallet/wallet-plan.ts';
import { calldataFloorGas, calldataGas } from './operation.ts';

/**
 * Gas of an operation. The module runs the calls with exactly the gas that was signed, and the
 * batch gives deployment and operation together `gasLimit`: both are simulated or measured, and get
 * a margin. Unused gas costs nothing.
 */

/**
 * Half more than simulated, and what a balance or two that becomes non-zero in the meantime costs.
 */
const callGasFactorPercent = 150n;
const callGasMargin = 45_000n;
/**
 * A transaction may have 2^24 gas (EIP-7825); this leaves room for deployment, signatures and the
 * batch around it.
 */
export const callGasMax = 13_000_000n;

/** Deploying the Safe proxy with its set-up takes 264,000. */
const deploymentGas = 320_000n;
/**
 * A further owner takes a storage slot, the contract in the place of a key is deployed, a delegate
 * takes a slot and an event.
 */
const deploymentGasPerOwner = 30_000n;
const deploymentGasPerOwnerContract = 90_000n;
const deploymentGasPerDelegate = 45_000n;

/** Gas of deploying a wallet. */
export function deploymentGasOf(setup: WalletSetup): bigint {
  if (setup.form === 'account') return 0n;
  if (setup.form === 'owner') return deploymentGas;
  const contracts = setup.owners.filter(({ kind }) => kind !== 'ecdsa').length;
  return (
    deploymentGas +
    deploymentGasPerOwner * BigInt(setup.owners.length) +
    deploymentGasPerOwnerContract * BigInt(contracts) +
    deploymentGasPerDelegate * BigInt(setup.delegates.length)
  );
}

export interface AuthorityGas {
  /** What checking the signatures takes beyond that of one owner who is an address. */
  readonly proof: bigint;
  /**
   * What the module's rules for a delegate take; the simulation has them in its gas of the calls.
   */
  readonly rules: bigint;
}

const ecdsaGas = 10_000n;
const p256Gas = { precompile: 25_000n, solidity: 380_000n };
/** Reading and hashing the client data comes on top. */
const webAuthnGas = 45_000n;
const quorumGas = 10_000n;
/** The call that asks a contract in the place of an owner. */
const ownerContractGas = 15_000n;
const delegateGas = 15_000n;
const delegateGasPerCall = 6_000n;
const scopeGasPerCall = 42_000n;

/**
 * @param hasPrecompile whether the chain verifies P-256 by itself (EIP-7951); in Solidity it takes
 * fifteen times as much
 */
export function authorityGas(
  authority: Authority,
  input: { callCount: number; hasPrecompile: boolean },
): AuthorityGas {
  if (authority === undefined) return { proof: 0n, rules: 0n };
  const gasOf = (key: SignerKey) => keyGas(key, input.hasPrecompile);
  if (authority.kind === 'owners') {
    const each = authority.owners.map(
      (key) => gasOf(key) + (key.kind === 'ecdsa' ? 0n : ownerContractGas),
    );
    return { proof: sumOfMost(each, authority.threshold), rules: 0n };
  }
  const perCall = delegateGasPerCall + (authority.scopeIndexes.length > 0 ? scopeGasPerCall : 0n);
  return { proof: gasOf(authority.key), rules: delegateGas + perCall * BigInt(input.callCount) };
}

function keyGas(key: SignerKey, hasPrecompile: boolean): bigint {
  const p256 = hasPrecompile ? p256Gas.precompile : p256Gas.solidity;
  switch (key.kind) {
    case 'ecdsa':
      return ecdsaGas;
    case 'p256':
      return p256;
    case 'webauthn':
      return p256 + webAuthnGas;
    case 'quorum':
      return (
        quorumGas +
        sumOfMost(
          key.members.map((member) => keyGas(member, hasPrecompile)),
          key.threshold,
        )
      );
  }
}

/** Which members will sign is not known yet: the dearest are counted. */
function sumOfMost(each: readonly bigint[], count: number): bigint {
  const descending = each.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  return descending.slice(0, count).reduce((sum, gas) => sum + gas, 0n);
}

/** True when a P-256 key may have to sign. */
export function needsP256(authority: Authority): boolean {
  const isP256 = (key: SignerKey): boolean =>
    key.kind === 'quorum'
      ? key.members.some(isP256)
      : key.kind === 'p256' || key.kind === 'webauthn';
  if (authority === undefined) return false;
  return authority.kind === 'delegate' ? isP256(authority.key) : authority.owners.some(isP256);
}

/**
 * Measured over batches of every shape: 59,400 and for each call 1,620, for each byte 1.3 (hashing,
 * copying, epoch, the Safe's check, nonce, event).
 */
const verificationGas = 80_000n;
const verificationGasPerCall = 3_000n;
const verificationGasPerByte = 2n;
/** Paid by the batch, per operation: intrinsic calldata comes on top. */
const batchShareGas = 12_000n;

/**
 * The gas to sign for calls that took `gasUsed` in simulation; undefined when no transaction can
 * carry that much.
 */
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
  /**
   * The operation's share of a batch transaction; where the floor price of its calldata is more
   * than all it uses, what is missing to that.
   */
  readonly overhead: bigint;
  /** Cap of the batch item: deployment and operation. */
  readonly limit: bigint;
}

/** A batch item with more fits into no transaction (EIP-7825). */
export const itemGasMax = 15_500_000n;

export interface OperationGasInput {
  /** Of deploying the wallet; 0 for one that stands. */
  readonly deployment: bigint;
  readonly calldata: Hex;
  /** Of the calls, in simulation; by default what is signed for them. */
  readonly gasUsed?: bigint;
  /** By default of one owner who is an address. */
  readonly authority?: AuthorityGas;
}

export function operationGas(operation: Operation, input: OperationGasInput): OperationGas {
  const { deployment, authority = { proof: 0n, rules: 0n } } = input;
  const byteCount = BigInt(
    operation.calls.reduce((sum, call) => sum + call.data.length / 2 - 1, 0),
  );
  const verification =
    verificationGas +
    verificationGasPerCall * BigInt(operation.calls.length) +
    verificationGasPerByte * byteCount +
    authority.proof;
  const used = verification + deployment + (input.gasUsed ?? operation.callGas);
  const calldata = BigInt(calldataGas(input.calldata));
  const missing = BigInt(calldataFloorGas(input.calldata)) - used;
  return {
    verification,
    deployment,
    overhead: batchShareGas + (missing > calldata ? missing : calldata),
    // A call passes on at most 63/64 of what is left.
    limit: deployment + verification + authority.rules + (operation.callGas * 64n) / 63n + 1n,
  };
}
