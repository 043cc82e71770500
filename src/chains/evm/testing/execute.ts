import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { addresses, batchExecutorAbi, operationTypedData } from '../../../../contracts/index.ts';
import { baseSepoliaId, type WatchedChain } from '../../../../test/harness/watched-chain.ts';
import type { PreparedOperation, SubmittedApproval } from '../../family.ts';
import { deploymentGasOf, operationGas } from '../operation/gas.ts';
import { encodeExecute } from '../operation/operation.ts';
import { readOperation } from '../operation/prepared-operation.ts';
import { contractProofsGas, encodeApprovals } from '../signing/encode-approvals.ts';
import { encodeWalletDeployment, readWalletSetup } from '../wallet/wallet-plan.ts';
import type { TestWallet } from './chain.ts';

/** Approves by personal_sign, as most software does. */
export async function approvePersonally(
  { owner, wallet }: TestWallet,
  prepared: PreparedOperation,
): Promise<SubmittedApproval> {
  return {
    signer: wallet.adminSigner,
    signature: await owner.signMessage({ message: { raw: prepared.message as Hex } }),
  };
}

/** Approves by EIP-712. */
export async function approveTyped(
  { owner, wallet }: TestWallet,
  prepared: PreparedOperation,
): Promise<SubmittedApproval> {
  return {
    signer: wallet.adminSigner,
    signature: await owner.signTypedData(
      operationTypedData(baseSepoliaId, readOperation(prepared.operation).operation),
    ),
  };
}

/**
 * What the relay does, without it: puts the approved operation into a batch with the caps that the
 * family chose. With a `gasCut` it is tried with so much less, and not sent.
 */
export async function executeOperation(
  chain: WatchedChain,
  input: {
    wallet: TestWallet['wallet'];
    prepared: PreparedOperation;
    approvals: readonly SubmittedApproval[];
    gasCut?: bigint;
  },
): Promise<{ executed: boolean; success: boolean }> {
  const { wallet, prepared, approvals, gasCut = 0n } = input;
  const { operation, hash, authority, authorityGas } = readOperation(prepared.operation);
  const setup = readWalletSetup(wallet.setup);
  const deployed = (await chain.call('eth_getCode', [wallet.address, 'latest'])) !== '0x';
  const gas = operationGas(operation, {
    deployment: deployed ? 0n : deploymentGasOf(setup),
    calldata: encodeExecute(operation, '0x'),
    authority: { proof: authorityGas + contractProofsGas(hash, approvals), rules: 0n },
  });
  const deployment = deployed ? '0x' : encodeWalletDeployment(setup);
  const item = {
    op: operation,
    signature: encodeApprovals(hash, approvals, authority),
    deployment,
    gasLimit: gas.limit - gasCut,
  };
  const data = encodeFunctionData({
    abi: batchExecutorAbi,
    functionName: 'executeBatch',
    args: [[item]],
  });
  const answer = (await chain.call('eth_call', [
    { to: addresses.batchExecutor, data, gas: '0x1000000' },
    'latest',
  ])) as Hex;
  const [result] = decodeFunctionResult({
    abi: batchExecutorAbi,
    functionName: 'executeBatch',
    data: answer,
  });
  if (gasCut === 0n) await chain.send({ to: addresses.batchExecutor, data, gas: 16_000_000n });
  return { executed: result!.executed, success: result!.success };
}
