import type { Clock } from '../../../lib/clock.ts';
import type { PostedDeposit } from '../../family.ts';
import { readStatuses, readTransaction } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import type { SolanaTokens } from '../tokens/tokens.ts';
import { findTransfers } from '../watcher/index.ts';

export interface ReadDepositsDeps {
  readonly clock: Clock;
  readonly tokens: Pick<SolanaTokens, 'describe'>;
  /** Ids of this service's operations by the signature that is the transaction's id. */
  readonly operationIds: (signatures: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

const signaturePattern = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;
const unknown: PostedDeposit = { status: 'unknown', transfers: [] };

/**
 * As {@link ChainFamily.readDeposits}: reads one transaction as the watcher reads blocks, and
 * records nothing.
 */
export async function readSolanaDeposits(
  { clock, tokens, operationIds }: ReadDepositsDeps,
  connection: SolanaConnection,
  input: {
    readonly txId: string;
    readonly recipientAddress: string;
    readonly commitment?: 'confirmed' | 'finalized';
  },
): Promise<PostedDeposit> {
  const { txId, recipientAddress: recipient, commitment = 'confirmed' } = input;
  if (!signaturePattern.test(txId)) return unknown;
  const found = await readTransaction(connection, txId, commitment);
  if (!found) {
    const [status] = await readStatuses(connection, { signatures: [txId], history: true });
    return status ? { status: 'pending', transfers: [] } : unknown;
  }
  // A node that answers another transaction than the one asked for says nothing of this one.
  if (found.transaction.signatures[0] !== txId) return unknown;
  if (found.meta.err !== null) return { status: 'failed', transfers: [] };
  const { transfers } = await findTransfers(
    {
      network: connection.network,
      ownAddresses: async (addresses) =>
        new Set(addresses.filter((address) => address === recipient)),
      depositAddresses: async (addresses) =>
        new Set(addresses.filter((address) => address === recipient)),
      operationIds,
      describeMints: (mints) => tokens.describe(connection, mints),
      readWhole: async () => found,
      now: () => clock.now(),
    },
    [
      {
        slot: found.slot,
        isBrief: false,
        parentSlot: 0n,
        blockhash: '',
        blockTime: found.blockTime ?? null,
        transactions: [found],
      },
    ],
  );
  return {
    status: 'included',
    transfers: transfers.filter((transfer) => transfer.recipient === recipient),
  };
}
