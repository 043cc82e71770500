import type { Tx } from '../../../store/types.ts';
import type { SubmitOperationInput, SubmittedApproval } from '../../family.ts';
import type { Hex } from '../abi/words.ts';
import { enqueueOperations } from '../relay/index.ts';
import type { RelayItem } from '../relay/types.ts';
import { delegationField } from '../signing/approvals.ts';
import { contractProofsGas, encodeApprovals } from '../signing/encode-approvals.ts';
import type { Delegation, SignedDelegation } from '../wallet/delegation.ts';
import type { DeployedWallets } from '../wallet/deployed-wallets.ts';
import { encodeWalletDeployment, readWalletSetup } from '../wallet/wallet-plan.ts';
import { deploymentGasOf, operationGas } from './gas.ts';
import { encodeExecute } from './operation.ts';
import { readOperation } from './prepared-operation.ts';

/**
 * As {@link ChainFamily.submitOperations}: signatures in the form of the contracts, gas caps, one
 * statement.
 */
export async function submitEvmOperations(
  deployed: DeployedWallets,
  tx: Tx,
  inputs: readonly SubmitOperationInput[],
): Promise<void> {
  await enqueueOperations(
    tx,
    inputs.map((input) => toRelayItem(deployed, input)),
  );
}

function toRelayItem(deployed: DeployedWallets, input: SubmitOperationInput): RelayItem {
  const { operationId, subject, projectId, chain, wallet, approvals } = input;
  const {
    operation,
    hash,
    chainId,
    authority,
    authorityGas,
    deployed: wasDeployed,
    delegation,
  } = readOperation(input.operation);
  const isDeployed = wasDeployed || deployed.isSettled(chainId, operation.wallet);
  const setup = readWalletSetup(wallet.setup);
  const gas = operationGas(operation, {
    deployment: isDeployed ? 0n : deploymentGasOf(setup),
    calldata: encodeExecute(operation, '0x'),
    authority: { proof: authorityGas + contractProofsGas(hash, approvals), rules: 0n },
  });
  return {
    operationId,
    subject,
    projectId,
    owner: wallet.owner,
    chain,
    operationHash: hash,
    validUntil: new Date(operation.validUntil * 1000),
    gasLimit: gas.limit,
    op: operation,
    signature: encodeApprovals(hash, approvals, authority),
    deployment: isDeployed ? '0x' : encodeWalletDeployment(setup),
    ...(delegation && !isDeployed && { delegation: readDelegation(delegation, approvals) }),
  };
}

/** @throws Error when the approval came without what the key was to sign beside it: a bug */
function readDelegation(
  delegation: Delegation,
  [approval]: readonly SubmittedApproval[],
): SignedDelegation {
  const signature = approval?.metadata?.[delegationField];
  if (typeof signature !== 'string')
    throw new Error('The approval of an account that is to delegate came without its delegation.');
  return { ...delegation, signature: signature as Hex };
}
