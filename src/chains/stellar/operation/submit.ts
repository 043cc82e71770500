import type { Tx } from '../../../store/types.ts';
import { addIntents, type NewIntent } from '../../family/late/store.ts';
import type { SubmitOperationInput } from '../../family.ts';
import { isClassic, readClassic } from '../classic/stored.ts';
import { storeApproved } from '../relay/transaction.ts';
import { completeEntry } from '../signing/approvals.ts';
import { readOperation } from './stored.ts';

/**
 * As {@link ChainFamily.submitOperations}: what was prepared and the wallet's signed entry, with
 * one statement.
 */
export async function submitStellarOperations(
  tx: Tx,
  inputs: readonly SubmitOperationInput[],
): Promise<void> {
  await addIntents(tx, inputs.map(toIntent));
}

/** @throws Error for approvals that are too few, or of something else */
function toIntent(input: SubmitOperationInput): NewIntent {
  const { operationId, subject, projectId, wallet, operation, approvals } = input;
  if (isClassic(operation)) return toClassicIntent(input);
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

/** The wallet's key signs it when it is sent. */
function toClassicIntent({
  operationId,
  subject,
  projectId,
  wallet,
  operation,
}: SubmitOperationInput): NewIntent {
  const { chain, wallet: address, costMax, validUntil } = readClassic(operation);
  return {
    operationId,
    subject,
    projectId,
    owner: wallet.owner ?? address,
    chain,
    walletId: wallet.id,
    operation,
    costMax,
    validUntil,
  };
}
