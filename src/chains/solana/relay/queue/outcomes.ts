import { settle } from '../../../family/late/queue.ts';
import { charge } from '../../../family/spending/budgets.ts';
import type { OperationOutcome } from '../../../family.ts';
import { explorerLinkOf, type SolanaNetwork } from '../../config/networks.ts';
import { programError } from '../../operation/failure.ts';
import type { LandedTransaction } from '../../operation/node.ts';
import { costOf } from '../cost-bounds.ts';
import { endUses } from '../nonces/store.ts';
import type { RelayDeps } from '../types.ts';
import { claimMessages } from './messages.ts';
import { type OpenOperation, solanaOperations } from './store.ts';

/** How operations end, and how that is told. */

export interface Ended {
  readonly operation: OpenOperation;
  readonly outcome: OperationOutcome;
}

function onChainOf(network: SolanaNetwork, operation: OpenOperation) {
  const { txId } = operation;
  return txId === null ? {} : { txId, explorerLink: explorerLinkOf(network, txId) };
}

/** Of a transaction that stands in a block. */
export function landed(
  network: SolanaNetwork,
  operation: OpenOperation,
  found: LandedTransaction,
  at: Date,
): Ended {
  const { err, logs } = found;
  const costMinor = costOf(operation.message, found);
  const common = {
    operationId: operation.operationId,
    subject: operation.subject,
    onChain: onChainOf(network, operation),
    fees: { actual: { lamports: costMinor.toString(), token: network.native.symbol } },
    executed: true as const,
    costMinor,
    at,
  };
  if (err === null) return { operation, outcome: { ...common, status: 'success' } };
  return { operation, outcome: { ...common, status: 'failed', error: programError(err, logs) } };
}

/** Of an operation that no block has, and none will. */
export function lost(
  network: SolanaNetwork,
  operation: OpenOperation,
  message: string,
  at: Date,
): Ended {
  const error = { reason: 'failed_to_land_on_chain' as const, message };
  const outcome = {
    operationId: operation.operationId,
    subject: operation.subject,
    onChain: onChainOf(network, operation),
    costMinor: 0n,
    status: 'failed' as const,
    error,
    at,
  };
  return { operation, outcome };
}

/**
 * Of an operation whose simulation says that it would fail; nothing of it was signed by the fee
 * payer.
 */
export function refused(
  operation: OpenOperation,
  error: ReturnType<typeof programError>,
  at: Date,
): Ended {
  const { operationId, subject } = operation;
  return {
    operation,
    outcome: { operationId, subject, onChain: {}, costMinor: 0n, status: 'failed', error, at },
  };
}

export const expired = 'The operation expired before it was included in a block. Create it again.';
export const nonceGone =
  'The nonce of the operation was used by something else, or given to another operation. Create it again.';

export const messageKnown =
  'Its message was signed for another operation, or told as failed. Create it again.';

/** Tells how operations of one claim ended, in the transaction that records it. */
export async function publishOutcomes(
  deps: RelayDeps,
  token: string,
  ended: readonly Ended[],
): Promise<void> {
  if (ended.length === 0) return;
  deps.killPoint?.('before-confirmation');
  await deps.store.transaction(async (tx) => {
    const done = await settle(
      tx,
      solanaOperations,
      token,
      ended.map(({ outcome: { operationId, status } }) => ({ operationId, status })),
    );
    const told = ended.filter(({ operation }) => done.has(operation.operationId));
    if (told.length === 0) return;
    await claimMessages(
      tx,
      told.filter(({ outcome }) => outcome.status === 'failed').map(({ operation }) => operation),
    );
    await endUses(
      tx,
      told.map(({ operation }) => operation),
    );
    await charge(
      tx,
      'fees',
      deps.chain,
      told.map(({ operation, outcome }) => ({
        projectId: operation.projectId,
        owner: operation.owner,
        minor: outcome.costMinor ?? 0n,
      })),
    );
    await deps.settle(
      tx,
      told.map(({ outcome }) => outcome),
    );
  });
}
