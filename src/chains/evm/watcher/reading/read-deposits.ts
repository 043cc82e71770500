import type { Logger } from 'pino';
import type { Store } from '../../../../store/types.ts';
import type { PostedDeposit } from '../../../family.ts';
import { type EvmConnection, nodeError } from '../../rpc/connections.ts';
import type { RpcClient } from '../../rpc/rpc.ts';
import { readFollowedTokens } from '../followed-tokens.ts';
import { selectOperationIds, selectOperationItems } from '../store.ts';
import { findTransfers } from './find-transfers.ts';
import { type PostedTransaction, readHeaderByHash, readTransaction } from './read-node.ts';

export interface ReadDepositsDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly moduleAddress: string;
}

const hashPattern = /^0x[0-9a-f]{64}$/i;
const unknown: PostedDeposit = { status: 'unknown', transfers: [] };

/**
 * As `ChainFamily.readDeposits`: reads one transaction as the watcher reads blocks, and records
 * nothing.
 */
export async function readEvmDeposits(
  deps: ReadDepositsDeps,
  connection: Pick<EvmConnection, 'network' | 'chainId'> & { readonly rpc: RpcClient },
  input: { readonly txId: string; readonly recipientAddress: string },
): Promise<PostedDeposit> {
  if (!hashPattern.test(input.txId)) return unknown;
  const posted = await readTransaction(connection.rpc, input.txId).catch((error: unknown) => {
    throw nodeError(error, connection.network.name);
  });
  if (!posted) return unknown;
  if (!posted.receipt) return { status: 'pending', transfers: [] };
  if (posted.receipt.status !== 1n) return { status: 'failed', transfers: [] };
  return readIncluded(deps, connection, {
    ...input,
    transaction: posted.transaction,
    receipt: posted.receipt,
  });
}

async function readIncluded(
  { store, log, moduleAddress }: ReadDepositsDeps,
  { network, chainId, rpc }: Parameters<typeof readEvmDeposits>[1],
  input: { readonly recipientAddress: string } & Required<PostedTransaction>,
): Promise<PostedDeposit> {
  const { transaction, receipt } = input;
  const header = await readHeaderByHash(rpc, receipt.blockHash).catch((error: unknown) => {
    throw nodeError(error, network.name);
  });
  // Its block was replaced between the two reads.
  if (!header) return { status: 'pending', transfers: [] };
  const recipient = input.recipientAddress.toLowerCase();
  const { transfers } = await findTransfers(
    {
      network,
      chainId,
      rpc,
      moduleAddress,
      tokens: await readFollowedTokens(store, network),
      // Also the payers: what a wallet of this service pays in native money is read from its
      // operation.
      ownAddresses: async (addresses) => new Set(addresses),
      depositAddresses: async (addresses) =>
        new Set(addresses.filter((address) => address === recipient)),
      operationIds: (hashes) => selectOperationIds(store, network.name, hashes),
      operationItems: (hashes) =>
        selectOperationItems(store, { chain: network.name, chainId }, hashes),
      log,
    },
    { blocks: [{ ...header, transactions: [transaction] }], logs: receipt.logs },
  );
  return {
    status: 'included',
    transfers: transfers.filter((transfer) => transfer.recipient.toLowerCase() === recipient),
  };
}
