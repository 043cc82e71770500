import type { Tx } from '../../../store/types.ts';
import { addIntents } from '../../family/late/store.ts';
import type { SubmitOperationInput } from '../../family.ts';
import { numberOperation } from './store.ts';
import { readAccountCall, storeAccountCall } from './stored.ts';

/**
 * As {@link ChainFamily.submitOperations}, of accounts that send by themselves: intents, each with
 * the nonce that it may use, which the account's key signs when they are sent.
 */
export async function submitAccountCalls(
  tx: Tx,
  inputs: readonly SubmitOperationInput[],
): Promise<void> {
  const calls = inputs
    .map((input) => ({ input, call: readAccountCall(input.operation) }))
    // In one order whoever hands over: no two wait for each other.
    .toSorted((a, b) => placeOf(a).localeCompare(placeOf(b)));
  const intents = [];
  for (const { input, call } of calls) {
    const { operationId, subject, projectId, wallet } = input;
    const { chain, wallet: address, costMaxWei, validUntil } = call;
    const nonce = await numberOperation(tx, { chain, address, operationId });
    intents.push({
      operationId,
      subject,
      projectId,
      owner: wallet.owner ?? address,
      chain,
      walletId: wallet.id,
      operation: storeAccountCall({ ...call, nonce }),
      costMax: costMaxWei,
      validUntil,
    });
  }
  await addIntents(tx, intents);
}

const placeOf = ({ call: { chain, wallet } }: { call: { chain: string; wallet: string } }) =>
  `${chain} ${wallet}`;
