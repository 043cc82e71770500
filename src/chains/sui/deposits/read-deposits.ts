import bs58 from 'bs58';
import type { PostedDeposit } from '../../family.ts';
import { readTransaction } from '../rpc/checkpoints.ts';
import type { SuiConnection } from '../rpc/connections.ts';
import { findTransaction } from '../rpc/transactions.ts';
import type { SuiTokens } from '../tokens/tokens.ts';
import { findTransfers } from '../watcher/index.ts';

export interface ReadDepositsDeps {
  readonly tokens: SuiTokens;
  /** Ids of this service's operations by the digest that is the transaction's id. */
  readonly operationIds: (digests: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

const unknown: PostedDeposit = { status: 'unknown', transfers: [] };

/**
 * As `Deposits.readDeposits`: reads one transaction as the watcher reads checkpoints, and records
 * nothing.
 */
export async function readSuiDeposits(
  { tokens, operationIds }: ReadDepositsDeps,
  connection: SuiConnection,
  {
    txId,
    recipientAddress: recipient,
  }: { readonly txId: string; readonly recipientAddress: string },
): Promise<PostedDeposit> {
  if (bs58.decodeUnsafe(txId)?.length !== 32) return unknown;
  const found = await readTransaction(connection, txId);
  if (!found)
    return (await findTransaction(connection, txId))
      ? { status: 'pending', transfers: [] }
      : unknown;
  const [transaction] = found.transactions;
  if (!transaction) return unknown;
  if (!transaction.succeeded) return { status: 'failed', transfers: [] };
  const isRecipient = async (addresses: readonly string[]) =>
    new Set(addresses.filter((address) => address === recipient));
  const { transfers } = await findTransfers(
    {
      network: connection.network,
      tokens,
      operationIds,
      ownAddresses: isRecipient,
      depositAddresses: isRecipient,
    },
    [found],
  );
  return {
    status: 'included',
    transfers: transfers.filter((transfer) => transfer.recipient === recipient),
  };
}
