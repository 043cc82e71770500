import type { Config } from '../../../config/config.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { compareDecimals } from '../../../lib/money/amount.ts';
import type { Deposits, RecordedDeposit, SeenTransfer } from '../../family.ts';
import { starOf } from '../config/networks.ts';
import { type EvmConnection, type EvmConnections, nodeError } from '../rpc/connections.ts';
import type { RpcClient } from '../rpc/rpc.ts';
import { readBalancesAt } from '../tokens/balances.ts';
import { type ReadDepositsDeps, readEvmDeposits, readFinalHeight, readHead } from '../watcher/index.ts';

export interface ProveDepositsDeps extends ReadDepositsDeps {
  readonly config: Config;
  readonly connections: EvmConnections;
}

interface Prover {
  /** In sentences. */
  readonly name: string;
  readonly connection: EvmConnection;
  readonly rpc: RpcClient;
}

const transactionsMax = 100;

/**
 * As {@link ChainFamily.proveDeposits}. Every deposit is read anew by its transaction; the recipient's balance at the last final block
 * has to carry them all. Without a second node one that lies could do so consistently: then the worth is bounded.
 */
export async function proveEvmDeposits(
  deps: ProveDepositsDeps,
  { chain, deposits, worthUsd }: Parameters<Deposits['proveDeposits']>[0],
): Promise<string | undefined> {
  const { config, connections } = deps;
  const { name } = connections.requireNetwork(chain);
  const second = await connections.connectSecond(name);
  const { depositAloneMaxUsd } = config.evm;
  // The node of a developer is a process of this service.
  if (!second && config.environment === 'development' && depositAloneMaxUsd === undefined) return undefined;
  if (!second && depositAloneMaxUsd !== undefined && (worthUsd === undefined || compareDecimals(worthUsd, depositAloneMaxUsd) > 0))
    return `are worth ${worthUsd ?? 'an unknown number of'} US dollars and only one node tells of them: more than ${depositAloneMaxUsd} (EVM_DEPOSIT_ALONE_MAX_USD) leave only when a second one does (EVM_RPC_SECOND_URL_${starOf(name)})`;
  const connection = await connections.connect(name);
  if (!second) return refute(deps, { name: 'the node', connection, rpc: connections.rpcOf(name) }, deposits);
  return refute(deps, { name: 'the second node', connection: second.connection, rpc: second.rpc }, deposits);
}

async function refute(deps: ProveDepositsDeps, prover: Prover, deposits: readonly RecordedDeposit[]): Promise<string | undefined> {
  const { name, connection, rpc } = prover;
  const height = await finalHeight(prover);
  if (deposits.some((deposit) => deposit.height > height))
    throw new ServiceError('provider-unavailable', {
      message: `${name} of "${connection.network.name}" has not seen as final what the first one has: it is asked again.`,
    });
  for (const [txId, own] of byTransaction(deposits)) {
    const { transfers } = await readEvmDeposits(deps, { ...connection, rpc }, { txId, recipientAddress: own[0]!.recipient });
    const missing = own.find((deposit) => !transfers.some((transfer) => isSame(transfer, deposit)));
    if (missing)
      return `are not proven: ${name} does not have ${missing.amountMinor} of ${missing.token.locator} in the transaction ${txId}, as they were recorded`;
  }
  return refuteBalance(prover, deposits, height);
}

/** What is gone from the treasury by now has left it honestly only in transfers that its books know: more than it holds never came. */
async function refuteBalance(
  { name, connection }: Prover,
  deposits: readonly RecordedDeposit[],
  height: bigint,
): Promise<string | undefined> {
  const [{ recipient, token }] = deposits as readonly [RecordedDeposit];
  const [heldMinor] = await readBalancesAt(connection, { address: recipient, tokens: [token], height });
  const sumMinor = deposits.reduce((sum, deposit) => sum + deposit.amountMinor, 0n);
  if (heldMinor !== undefined && heldMinor >= sumMinor) return undefined;
  return `are not proven: ${name} says that ${recipient} holds ${heldMinor ?? 'nothing that can be told'} of ${token.locator} at the final block ${height}, less than the ${sumMinor} that came`;
}

async function finalHeight({ connection, rpc }: Prover): Promise<bigint> {
  try {
    return await readFinalHeight(rpc, connection.network.finality, await readHead(rpc));
  } catch (error) {
    throw nodeError(error, connection.network.name);
  }
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

function isSame(transfer: Pick<SeenTransfer, 'id' | 'amountMinor' | 'sender' | 'memo'>, deposit: RecordedDeposit): boolean {
  return (
    transfer.id === deposit.seenId &&
    transfer.amountMinor === deposit.amountMinor &&
    transfer.memo === deposit.memo &&
    transfer.sender.toLowerCase() === deposit.sender.toLowerCase()
  );
}
