import { delegatorOf, readAccountState, type SignedDelegation } from '../../wallet/delegation.ts';
import { hexSchema, quantitySchema } from '../rpc-schemas.ts';
import type { ChainState } from '../state.ts';
import type { QueuedOperation } from './queue.ts';

/** Delegations that a transaction takes along, by wallet in lower case. */
export type Delegations = ReadonlyMap<string, SignedDelegation>;

/**
 * Which of these operations' accounts do not run our code yet, and can be made to: the chain is
 * asked before each batch, since another operation of the account may have brought it. What names
 * another transaction count than the account has, or was not signed by its key, would have no
 * effect and only cost gas: it stays away, and the simulation says what becomes of the operation.
 */
export async function findDelegations(
  state: ChainState,
  operations: readonly QueuedOperation[],
): Promise<Delegations> {
  const waiting = operations.filter(({ delegation }) => delegation !== undefined);
  if (waiting.length === 0) return new Map();
  const wallets = [...new Set(waiting.map(({ wallet }) => wallet))];
  const answers = await state.rpc.batch(
    wallets.flatMap((wallet) => [
      { method: 'eth_getCode', params: [wallet, 'latest'] },
      { method: 'eth_getTransactionCount', params: [wallet, 'latest'] },
    ]),
  );
  const values = answers.map((answer) => {
    if (!answer.ok) throw answer.error;
    return answer.value;
  });
  const found = new Map<string, SignedDelegation>();
  wallets.forEach((wallet, index) => {
    const account = readAccountState(
      hexSchema.parse(values[2 * index]),
      quantitySchema.parse(values[2 * index + 1]),
    );
    if (!account || account.delegated) return;
    const signed = waiting
      .filter(
        (operation) => operation.wallet === wallet && operation.delegation!.nonce === account.nonce,
      )
      .map(({ delegation }) => ({ chainId: state.chainId!, ...delegation! }))
      .find((delegation) => delegatorOf(delegation) === wallet);
    if (signed) found.set(wallet, signed);
  });
  return found;
}

/** Those that operations of a transaction need. */
export function delegationsOf(
  delegations: Delegations,
  operations: readonly Pick<QueuedOperation, 'wallet'>[],
): SignedDelegation[] {
  const wallets = [...new Set(operations.map(({ wallet }) => wallet))];
  return wallets.flatMap((wallet) => delegations.get(wallet) ?? []);
}
