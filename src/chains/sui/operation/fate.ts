import { readHead, readTransaction } from '../rpc/checkpoints.ts';
import type { SuiConnection } from '../rpc/connections.ts';
import { type ObjectNow, readObjects } from '../rpc/objects.ts';
import { type Executed, findTransaction, type GasUsed } from '../rpc/transactions.ts';
import { type DecodedTransaction, isSameRef } from './transaction.ts';

/**
 * What became of a signed transaction: a checkpoint has it, or it may still be taken, or it will
 * never be: the coin that pays or another object that it takes has another version, or the last
 * epoch for it is over.
 */
export type Fate = Executed | 'pending' | { readonly never: 'payment' | 'object' | 'epoch' };

/** What one node says; it may lag, or lie. */
export async function readFate(
  connection: SuiConnection,
  transaction: DecodedTransaction,
): Promise<Fate> {
  const found = await findTransaction(connection, transaction.digest);
  if (found) return found.checkpoint === undefined ? 'pending' : found;
  const { payment, takes, expiresAfterEpoch } = transaction;
  const ids = takes.map(({ objectId }) => objectId);
  const [{ epoch }, objects] = await Promise.all([
    readHead(connection),
    readObjects(connection, ids),
  ]);
  const moved = takes.filter(({ objectId, version }) => !isThere(objects.get(objectId), version));
  const never = moved.some((one) => payment.includes(one))
    ? 'payment'
    : moved.length > 0
      ? 'object'
      : 'epoch';
  if (never === 'epoch' && epoch <= expiresAfterEpoch) return 'pending';
  // It may have been what moved them, between the two looks.
  return (await findTransaction(connection, transaction.digest)) ? 'pending' : { never };
}

/**
 * The transaction that used up the coin of an operation in place of this one: another of the same
 * operation, which a node that lagged or lied had told as lost. Undefined: there is none, and the
 * coin was used by somebody else.
 */
export async function findInPlace(
  connection: SuiConnection,
  { digest, sender, payment: [coin] }: DecodedTransaction,
): Promise<Executed | undefined> {
  if (!coin) return undefined;
  const madeBy = (await readObjects(connection, [coin.objectId])).get(coin.objectId)?.madeBy;
  if (madeBy === undefined || madeBy === digest) return undefined;
  const [other] = (await readTransaction(connection, madeBy))?.transactions ?? [];
  const isOwn = other?.sender === sender && other.payment.some((one) => isSameRef(one, coin));
  return isOwn ? findTransaction(connection, madeBy) : undefined;
}

/** At this version or, where the node lags, at one before it: versions only grow. */
function isThere(now: ObjectNow | undefined, version: string): boolean {
  return now !== undefined && BigInt(now.version) <= BigInt(version);
}

/**
 * What whoever pays had less, in MIST. Who frees storage gets what was paid for it: then a
 * transaction costs nothing.
 */
export function costOf({ computation, storage, rebate }: GasUsed): bigint {
  const spent = computation + storage;
  return spent > rebate ? spent - rebate : 0n;
}
