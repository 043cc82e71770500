import { BrokenHistoryError, type LastRead, type ReadFrom } from '../../family/following/index.ts';
import { readTransaction, readTransactions } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import type { ListedTransaction } from '../rpc/schemas.ts';

export interface LedgersRead {
  /** In the order of the chain, failed ones too. */
  readonly transactions: readonly ListedTransaction[];
  readonly last: LastRead;
  readonly isBehind: boolean;
}

const pageSize = 200;
/** Of the ledgers that are read at once: what a stretch holds is bounded. */
const pagesMax = 200;
/** Nobody's. */
const noHash = '0'.repeat(64);

/**
 * Reads whole ledgers from `next` on, `ledgersMax` at most. Nodes list transactions and no hashes
 * of ledgers: what ties one answer to the next is the newest transaction that was read, which the
 * node must still have where it was.
 * @returns undefined where the node that answers is behind @throws BrokenHistoryError,
 * upstream-error, provider-unavailable
 */
export async function readLedgers(
  connection: StellarConnection,
  { next, head, last }: ReadFrom,
  ledgersMax: number,
): Promise<LedgersRead | undefined> {
  const newest = parseNewest(last);
  if (!(await isSameHistory(connection, Number(next), newest))) return undefined;
  const wanted = Math.min(Number(head), Number(next) + ledgersMax - 1);
  const { transactions, end } = await readUpTo(connection, Number(next), wanted);
  if (end < Number(next)) return undefined;
  const read = transactions.at(-1);
  const hash = read ? `${read.ledger}:${read.txHash}` : `${newest.ledger}:${newest.hash}`;
  return { transactions, last: { height: BigInt(end), hash }, isBehind: end < Number(head) };
}

/**
 * When the first transaction from a ledger on was made. Where the node has forgotten the ledger:
 * long ago, as nobody can begin there.
 */
export async function readTimeFrom(
  connection: StellarConnection,
  { from, upTo }: { readonly from: bigint; readonly upTo: bigint },
): Promise<Date | undefined> {
  const { oldestLedger } = await readTransaction(connection, noHash);
  if (Number(from) < oldestLedger) return new Date(0);
  const [first] = (await readTransactions(connection, { startLedger: Number(from) }, 1))
    .transactions;
  return first && first.ledger <= Number(upTo) ? new Date(first.createdAt * 1_000) : undefined;
}

interface Newest {
  readonly ledger: number;
  readonly hash: string;
}

function parseNewest(last: LastRead | undefined): Newest {
  const [ledger, hash] = last?.hash.split(':') ?? [];
  return ledger === undefined || hash === undefined
    ? { ledger: 0, hash: noHash }
    : { ledger: Number(ledger), hash };
}

/** False: the node that answers is behind. */
async function isSameHistory(
  connection: StellarConnection,
  next: number,
  { ledger, hash }: Newest,
): Promise<boolean> {
  const found = await readTransaction(connection, hash);
  const { oldestLedger, latestLedger } = found;
  if (latestLedger < next) return false;
  if (oldestLedger > next)
    throw new BrokenHistoryError(
      `The node keeps nothing that is older than ledger ${oldestLedger}, and ${next} is the next to be read.`,
    );
  const isElsewhere =
    found.status === 'NOT_FOUND' ? ledger >= oldestLedger : found.ledger !== ledger;
  if (isElsewhere)
    throw new BrokenHistoryError(
      `The node does not have the transaction ${hash} in ledger ${ledger}, where it was read: it is of another chain.`,
    );
  return true;
}

/** All transactions of the ledgers `from` to `wanted`, or to where the node's own end is. */
async function readUpTo(connection: StellarConnection, from: number, wanted: number) {
  const transactions: ListedTransaction[] = [];
  let page = await readTransactions(connection, { startLedger: from }, pageSize);
  for (let pages = 1; ; pages++) {
    for (const transaction of page.transactions) {
      if (transaction.ledger < (transactions.at(-1)?.ledger ?? from))
        throw new BrokenHistoryError(
          `The node tells ledger ${transaction.ledger} behind ${transactions.at(-1)?.ledger ?? from}.`,
        );
      transactions.push(transaction);
    }
    const isWhole = page.transactions.length < pageSize;
    const isPast = (transactions.at(-1)?.ledger ?? 0) > wanted;
    if (isWhole || isPast) {
      const end = isPast ? wanted : Math.min(wanted, page.latestLedger);
      return { transactions: transactions.filter(({ ledger }) => ledger <= end), end };
    }
    if (pages === pagesMax)
      throw new BrokenHistoryError(
        `The ledgers ${from} to ${wanted} have more than ${pages * pageSize} transactions: lower STELLAR_WATCHER_LEDGERS_MAX.`,
      );
    page = await readTransactions(connection, { cursor: page.cursor }, pageSize);
  }
}
