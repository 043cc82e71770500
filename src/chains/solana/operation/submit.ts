import type { Tx } from '../../../store/types.ts';
import { enqueue } from '../../family/late/queue.ts';
import type { SubmitOperationInput } from '../../family.ts';
import { type NewItem, solanaOperations } from '../relay/queue/store.ts';
import { completeP256, isApprovedByP256 } from '../signing/p256-message.ts';
import { readOperation } from './stored.ts';

/**
 * As {@link ChainFamily.submitOperations}: the bytes and the signatures that were given, with one
 * statement. One that nobody gave is custody's, and is made when they are sent.
 */
export async function submitSolanaOperations(
  tx: Tx,
  inputs: readonly SubmitOperationInput[],
): Promise<void> {
  await enqueue(tx, solanaOperations, inputs.map(toItem));
}

function toItem({
  operationId,
  subject,
  projectId,
  wallet,
  operation,
  approvals,
}: SubmitOperationInput): NewItem {
  const stored = readOperation(operation);
  const isP256 = isApprovedByP256(stored.messageBytes);
  const signatures = Object.fromEntries(
    approvals.flatMap(({ signer, signature }) =>
      signer.address === undefined || typeof signature !== 'string'
        ? []
        : [[signer.address, signature] as const],
    ),
  );
  const isSigned = stored.signers.every((signer) => signatures[signer] !== undefined);
  return {
    operationId,
    subject,
    projectId,
    owner: wallet.owner ?? stored.wallet,
    chain: stored.chain,
    wallet: stored.wallet,
    lease: stored.lease,
    // What P-256 keys approved stands in the message itself.
    message: isP256 ? completeP256(stored.messageBytes, approvals) : stored.messageBytes,
    signatures,
    costMax: stored.costMax,
    validUntil: stored.validUntil,
    walletId: isSigned ? undefined : wallet.id,
  };
}
