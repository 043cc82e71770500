import type { Tx } from '../../../store/types.ts';
import { addIntents, type NewIntent } from '../../family/late/store.ts';
import type { SubmitOperationInput } from '../../family.ts';
import { storeApproved } from '../relay/transaction.ts';
import { completeEntry } from '../signing/approvals.ts';
import { readOperation } from './stored.ts';

/** As {@link ChainFamily.submitOperations}: what was prepared and the wallet's signed entry, with one statement. */
export async function submitStellarOperations(tx: Tx, inputs: readonly SubmitOperationInput[]): Promise<void> {
  await addIntents(tx, inputs.map(toIntent));
}

/** @throws Error for approvals that are too few, or of something else */
function toIntent({ operationId, subject, projectId, wallet, operation, approvals }: SubmitOperationInput): NewIntent {
  const stored = readOperation(operation);
  return {
    operationId,
    subject,
    projectId,
    owner: wallet.owner ?? stored.wallet,
    chain: stored.chain,
    walletId: wallet.id,
    operation: storeApproved(operation, completeEntry(stored, approvals)),
    costMax: stored.costMax,
    validUntil: stored.validUntil,
  };
}
