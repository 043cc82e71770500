import type { Config } from '../../../config/config.ts';
import { compareDecimals } from '../../../lib/amount.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Deposits, RecordedDeposit } from '../../family.ts';
import { readSlot } from '../rpc/calls.ts';
import type { SolanaConnection, SolanaConnections } from '../rpc/connections.ts';
import { readFinalAmounts } from '../tokens/balances.ts';
import { type ReadDepositsDeps, readSolanaDeposits } from './read-deposits.ts';

export interface ProveDepositsDeps extends ReadDepositsDeps {
  readonly config: Config;
  readonly connections: SolanaConnections;
}

interface Prover {
  /** In sentences. */
  readonly name: string;
  readonly connection: SolanaConnection;
}

const transactionsMax = 100;

/**
 * As {@link ChainFamily.proveDeposits}. Every deposit is read anew by its transaction; the recipient's final balance has to carry them
 * all. Without a second node one that lies could do so consistently: then the worth is bounded.
 */
export async function proveSolanaDeposits(
  deps: ProveDepositsDeps,
  { chain, deposits, worthUsd }: Parameters<Deposits['proveDeposits']>[0],
): Promise<string | undefined> {
  const { config, connections } = deps;
  const second = await connections.connectSecond(chain);
  const { depositAloneMaxUsd } = config.solana;
  // The node of a developer is a process of this service.
  if (!second && config.environment === 'development' && depositAloneMaxUsd === undefined) return undefined;
  if (!second && depositAloneMaxUsd !== undefined && (worthUsd === undefined || compareDecimals(worthUsd, depositAloneMaxUsd) > 0))
    return `are worth ${worthUsd ?? 'an unknown number of'} US dollars and only one node tells of them: more than ${depositAloneMaxUsd} (SOLANA_DEPOSIT_ALONE_MAX_USD) leave only when a second one does (SOLANA_RPC_SECOND_URL)`;
  if (second) return refute(deps, { name: 'the second node', connection: second }, deposits);
  return refute(deps, { name: 'the node', connection: await connections.connect(chain) }, deposits);
}

async function refute(deps: ProveDepositsDeps, prover: Prover, deposits: readonly RecordedDeposit[]): Promise<string | undefined> {
  const { name, connection } = prover;
  const slot = await readSlot(connection, 'finalized');
  if (deposits.some((deposit) => deposit.height > slot))
    throw new ServiceError('provider-unavailable', {
      message: `${name} of "${connection.network.name}" has not seen as final what the first one has: it is asked again.`,
    });
  for (const [txId, own] of byTransaction(deposits)) {
    const { transfers } = await readSolanaDeposits(deps, connection, {
      txId,
      recipientAddress: own[0]!.recipient,
      commitment: 'finalized',
    });
    const missing = own.find((deposit) => !transfers.some((transfer) => isSame(transfer, deposit)));
    if (missing)
      return `are not proven: ${name} does not have ${missing.amountMinor} of ${missing.token.locator} in the transaction ${txId}`;
  }
  return refuteBalance(prover, deposits);
}

/** What is gone from the treasury by now has left it honestly only in transfers that its books know: more than it holds never came. */
async function refuteBalance({ name, connection }: Prover, deposits: readonly RecordedDeposit[]): Promise<string | undefined> {
  const [{ recipient, token }] = deposits as readonly [RecordedDeposit];
  const { slot, amounts } = await readFinalAmounts(connection, { address: recipient, tokens: [token] });
  const heldMinor = amounts[0];
  const sumMinor = deposits.reduce((sum, deposit) => sum + deposit.amountMinor, 0n);
  if (heldMinor !== undefined && heldMinor >= sumMinor) return undefined;
  return `are not proven: ${name} says that ${recipient} holds ${heldMinor ?? 'nothing that can be told'} of ${token.locator} at the final slot ${slot}, less than the ${sumMinor} that came`;
}

function byTransaction(deposits: readonly RecordedDeposit[]): Map<string, RecordedDeposit[]> {
  const groups = new Map<string, RecordedDeposit[]>();
  for (const deposit of deposits) groups.set(deposit.txId, [...(groups.get(deposit.txId) ?? []), deposit]);
  if (groups.size > transactionsMax)
    throw new ServiceError('upstream-error', {
      message: `More than ${transactionsMax} transactions pay one order: its operator looks at it.`,
    });
  return groups;
}

function isSame(
  transfer: { readonly id: string; readonly amountMinor: bigint; readonly sender: string },
  deposit: RecordedDeposit,
): boolean {
  return transfer.id === deposit.seenId && transfer.amountMinor === deposit.amountMinor && transfer.sender === deposit.sender;
}
