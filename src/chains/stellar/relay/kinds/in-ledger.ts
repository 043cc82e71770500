import { accountKey } from '../../account/entry.ts';
import { readEntries, readTransactions } from '../../rpc/calls.ts';
import type { StellarConnection } from '../../rpc/connections.ts';
import type { ListedTransaction } from '../../rpc/schemas.ts';

/** What a node says of a ledger by other ways than the answer to one hash. */

const pageSize = 200;
/** Of one ledger: more than a network takes. */
const pagesMax = 20;

/** The first transaction of a ledger that is wanted, as the node lists it. */
export async function findInLedger(
  connection: StellarConnection,
  ledger: number,
  isWanted: (one: ListedTransaction) => boolean,
): Promise<ListedTransaction | undefined> {
  let page = await readTransactions(connection, { startLedger: ledger }, pageSize);
  for (let pages = 1; ; pages++) {
    const found = page.transactions.find((one) => one.ledger === ledger && isWanted(one));
    const isPast = (page.transactions.at(-1)?.ledger ?? 0) > ledger;
    if (found || isPast || page.transactions.length < pageSize || pages === pagesMax) return found;
    page = await readTransactions(connection, { cursor: page.cursor }, pageSize);
  }
}

interface Failure {
  readonly txId: string;
  /** The ledger that has it, as the node says. */
  readonly ledger: number;
  /** The first ledger that does not take its bytes. */
  readonly maxLedger: number;
  readonly source: string;
  /** Of its source, which it takes whether it succeeds or fails. */
  readonly sequence: bigint;
}

/**
 * Whether a failure that a node tells of the right bytes counts: bytes that were told as failed may
 * still land, and who asked for them asks again. The ledger that the node names has to be closed,
 * the sequence number used or past its time, and the ledger's list has to say the same.
 * @throws Error where the list says something else
 */
export async function isFailureCertain(
  connection: StellarConnection,
  { txId, ledger, maxLedger, source, sequence }: Failure,
): Promise<boolean> {
  const { entries, latestLedger } = await readEntries(connection, [accountKey(source)]);
  const account = entries[0]?.data;
  const isUsed = account?.type === 'account' && account.account.seqNum >= sequence;
  if (latestLedger < ledger || !(isUsed || latestLedger >= maxLedger)) return false;
  const listed = await findInLedger(connection, ledger, ({ txHash }) => txHash === txId);
  if (listed?.status === 'FAILED') return true;
  throw new Error(
    `The node says that ${txId} failed in ledger ${ledger}, whose list ${listed ? 'has it as a success' : 'does not have it'}.`,
  );
}
