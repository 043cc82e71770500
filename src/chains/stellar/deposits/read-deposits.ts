import type { PostedDeposit } from '../../family.ts';
import { isTransaction, readTransaction } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import type { StellarTokens } from '../tokens/tokens.ts';
import { findTransfers } from '../watcher/index.ts';

export interface ReadDepositsDeps {
  readonly tokens: Pick<StellarTokens, 'describe'>;
  /** Ids of this service's operations by the hash that is their transaction's id. */
  readonly operationIds: (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

const hashPattern = /^[0-9a-f]{64}$/;
const unknown: PostedDeposit = { status: 'unknown', transfers: [] };

/**
 * As `Deposits.readDeposits`: reads one transaction as the watcher reads ledgers, and records
 * nothing.
 */
export async function readStellarDeposits(
  { tokens, operationIds }: ReadDepositsDeps,
  connection: StellarConnection,
  {
    txId,
    recipientAddress: recipient,
  }: { readonly txId: string; readonly recipientAddress: string },
): Promise<PostedDeposit> {
  if (!hashPattern.test(txId)) return unknown;
  const found = await readTransaction(connection, txId);
  if (found.status === 'NOT_FOUND' || !isTransaction(connection.network, found, txId))
    return unknown;
  if (found.status === 'FAILED') return { status: 'failed', transfers: [] };
  const only = async (addresses: readonly string[]) =>
    new Set(addresses.filter((address) => address === recipient));
  const { transfers } = await findTransfers(
    {
      network: connection.network,
      ownAddresses: only,
      depositAddresses: only,
      operationIds,
      describeContracts: (contracts) => tokens.describe(connection, contracts),
    },
    [{ ...found, txHash: txId }],
  );
  return {
    status: 'included',
    transfers: transfers.filter((transfer) => transfer.recipient === recipient),
  };
}
