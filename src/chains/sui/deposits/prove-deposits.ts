import type { Config } from '../../../config/config.ts';
import { compareDecimals } from '../../../lib/amount.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Deposits, RecordedDeposit } from '../../family.ts';
import { readHead } from '../rpc/calls.ts';
import type { SuiConnection, SuiConnections } from '../rpc/connections.ts';
import { readBalancesAt } from '../tokens/final-balances.ts';
import { type ReadDepositsDeps, readSuiDeposits } from './read-deposits.ts';

export interface ProveDepositsDeps extends ReadDepositsDeps {
  readonly config: Pick<Config, 'environment' | 'sui'>;
  readonly connections: SuiConnections;
}

interface Prover {
  /** In sentences. */
  readonly name: string;
  readonly connection: SuiConnection;
}

const transactionsMax = 100;

/**
 * As `Deposits.proveDeposits`. Every deposit is read anew by its transaction, whose bytes have its digest; the recipient's balance
 * has to carry them all. Without a second node one that lies could do so consistently: then the worth is bounded.
 */
export async function proveSuiDeposits(
  deps: ProveDepositsDeps,
  { chain, deposits, worthUsd }: Parameters<Deposits['proveDeposits']>[0],
): Promise<string | undefined> {
  const { config, connections } = deps;
  const second = await connections.connectSecond(chain);
  const { depositAloneMaxUsd } = config.sui;
  // The node of a developer is a process of this service.
  if (!second && config.environment === 'development' && depositAloneMaxUsd === undefined) return undefined;
  if (!second && depositAloneMaxUsd !== undefined && (worthUsd === undefined || compareDecimals(worthUsd, depositAloneMaxUsd) > 0))
    return `are worth ${worthUsd ?? 'an unknown number of'} US dollars and only one node tells of them: more than ${depositAloneMaxUsd} (SUI_DEPOSIT_ALONE_MAX_USD) leave only when a second one does (SUI_RPC_SECOND_URL)`;
  if (second) return refute(deps, { name: 'the second node', connection: second }, deposits);
  return refute(deps, { name: 'the node', connection: await connections.connect(chain) }, deposits);
}

async function refute(deps: ProveDepositsDeps, prover: Prover, deposits: readonly RecordedDeposit[]): Promise<string | undefined> {
  const { name, connection } = prover;
  const { checkpoint } = await readHead(connection);
  if (deposits.some((deposit) => deposit.height > checkpoint))
    throw new ServiceError('provider-unavailable', {
      message: `${name} of "${connection.network.name}" does not have the checkpoints yet that the first one has: it is asked again.`,
    });
  for (const [txId, own] of byTransaction(deposits)) {
    const { transfers } = await readSuiDeposits(deps, connection, { txId, recipientAddress: own[0]!.recipient });
    const missing = own.find((deposit) => !transfers.some((transfer) => isSame(transfer, deposit)));
    if (missing)
      return `are not proven: ${name} does not have ${missing.amountMinor} of ${missing.token.locator} in the transaction ${txId}`;
  }
  return refuteBalance(prover, deposits);
}

/** What is gone from the treasury by now has left it honestly only in transfers that its books know: more than it holds never came. */
async function refuteBalance({ name, connection }: Prover, deposits: readonly RecordedDeposit[]): Promise<string | undefined> {
  const [{ recipient, token }] = deposits as readonly [RecordedDeposit];
  const { height, balances } = await readBalancesAt(connection, { address: recipient, tokens: [token] });
  const { amountMinor } = balances[0]!;
  const sumMinor = deposits.reduce((sum, deposit) => sum + deposit.amountMinor, 0n);
  if (amountMinor >= sumMinor) return undefined;
  return `are not proven: ${name} says that ${recipient} holds ${amountMinor} of ${token.locator} at checkpoint ${height}, less than the ${sumMinor} that came`;
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
