import type { Tx } from '../../../store/types.ts';
import { addIntents } from '../../family/late/store.ts';
import type { SubmitOperationInput } from '../../family.ts';
import { readOperation } from './stored.ts';

/**
 * As `Operations.submitOperations`: intents, which the key of the wallet signs when they are sent.
 */
export async function submitAptosOperations(
  tx: Tx,
  inputs: readonly SubmitOperationInput[],
): Promise<void> {
  await addIntents(
    tx,
    inputs.map(({ operationId, subject, projectId, wallet, operation }) => {
      const { chain, raw } = readOperation(operation);
      return {
        operationId,
        subject,
        projectId,
        owner: wallet.owner ?? wallet.address,
        chain,
        walletId: wallet.id,
        operation,
        costMax: raw.maxGasAmount * raw.gasUnitPrice,
        validUntil: new Date(Number(raw.expirationSeconds) * 1_000),
      };
    }),
  );
}
