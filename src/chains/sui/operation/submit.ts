import type { Tx } from '../../../store/types.ts';
import { addIntents } from '../../family/late/store.ts';
import type { SubmitOperationInput } from '../../family.ts';
import { readOperation } from './stored.ts';

/** As `Operations.submitOperations`: as intents, with one statement. */
export async function submitSuiOperations(
  tx: Tx,
  inputs: readonly SubmitOperationInput[],
): Promise<void> {
  await addIntents(
    tx,
    inputs.map(({ operationId, subject, projectId, wallet, operation }) => {
      const { chain, wallet: address, gas, validUntil } = readOperation(operation);
      const owner = wallet.owner ?? address;
      return {
        operationId,
        subject,
        projectId,
        owner,
        chain,
        walletId: wallet.id,
        operation,
        costMax: gas.budgetMax,
        validUntil,
      };
    }),
  );
}
