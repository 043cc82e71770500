import { createHash } from 'node:crypto';
import { ServiceError } from '../../lib/errors.ts';
import type { Db, Tx } from '../../store/types.ts';

/** What orders hold of offers, so that nothing is sold twice. */

export interface ReservedItem {
  readonly lineItem: number;
  readonly offerId: string;
  readonly quantity: number;
}

export interface ReserveInput {
  readonly orderId: string;
  readonly projectId: string;
  /**
   * Whose items these will be: an address in canonical form, or `email:<address>`; absent while
   * nobody is named.
   */
  readonly recipient?: string;
  readonly items: readonly ReservedItem[];
  readonly now: Date;
}

/** Somebody else was first: less is left than is asked for, or nothing is sold any more. */
export class SoldOut extends Error {
  override readonly name = 'SoldOut';
}

/**
 * Takes the items for an order, all or none: offers stay locked until the transaction ends, so
 * whoever comes second waits and then sees what is left.
 * @throws SoldOut, validation-error for more than one recipient may have
 */
export async function reserveItems(tx: Tx, input: ReserveInput): Promise<void> {
  for (const item of inOrder(input.items)) {
    const { rows } = await tx.query<{ name: string; per_recipient_max: string | null }>({
      name: 'collections-take',
      text: `update collection_offers set taken = taken + $2
        where id = $1 and stopped_at is null and (supply_max is null or taken + $2 <= supply_max) returning name, per_recipient_max`,
      values: [item.offerId, item.quantity],
    });
    const [offer] = rows;
    if (!offer) throw new SoldOut(`offer ${item.offerId} has not ${item.quantity} left`);
    if (offer.per_recipient_max !== null)
      await checkRecipient(tx, input, {
        ...item,
        name: offer.name,
        perRecipientMax: Number(offer.per_recipient_max),
      });
    await insertReservation(tx, input, item);
  }
}

/**
 * Counts items of an order that goes on by an operator's word. Whether anything is left is not
 * asked.
 */
export async function countItems(tx: Tx, input: ReserveInput): Promise<void> {
  for (const item of inOrder(input.items)) {
    await tx.query({
      name: 'collections-count',
      text: 'update collection_offers set taken = taken + $2 where id = $1',
      values: [item.offerId, item.quantity],
    });
    await insertReservation(tx, input, item);
  }
}

/**
 * Gives back what an order holds, but for the line items that are to stay its own. Again it does
 * nothing.
 */
export async function releaseItems(
  tx: Tx,
  { orderId, keep = [] }: { readonly orderId: string; readonly keep?: readonly number[] },
): Promise<void> {
  const { rows } = await tx.query<{ offer_id: string; quantity: string }>({
    name: 'collections-release',
    text: 'delete from collection_reservations where order_id = $1 and line_item <> all($2::smallint[]) returning offer_id, quantity',
    values: [orderId, keep],
  });
  for (const { offerId, quantity } of inOrder(
    rows.map((row) => ({ offerId: row.offer_id, quantity: Number(row.quantity) })),
  ))
    await tx.query({
      name: 'collections-give-back',
      text: 'update collection_offers set taken = taken - $2 where id = $1',
      values: [offerId, quantity],
    });
}

/** How much an order holds, by line item. */
export async function selectReserved(db: Db, orderId: string): Promise<readonly ReservedItem[]> {
  const { rows } = await db.query<{ line_item: number; offer_id: string; quantity: string }>({
    name: 'collections-reserved',
    text: 'select line_item, offer_id, quantity from collection_reservations where order_id = $1 order by line_item',
    values: [orderId],
  });
  return rows.map((row) => ({
    lineItem: row.line_item,
    offerId: row.offer_id,
    quantity: Number(row.quantity),
  }));
}

/** One order for everybody, so that nobody waits for each other. */
function inOrder<T extends { readonly offerId: string }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => (a.offerId < b.offerId ? -1 : 1));
}

async function insertReservation(
  tx: Tx,
  input: ReserveInput,
  { lineItem, offerId, quantity }: ReservedItem,
): Promise<void> {
  await tx.query({
    name: 'collections-reserve',
    text: `insert into collection_reservations (order_id, line_item, offer_id, recipient, quantity, created_at) values ($1, $2, $3, $4, $5, $6)`,
    values: [input.orderId, lineItem, offerId, digestOf(input), quantity, input.now],
  });
}

/** Counted without keeping who it is. */
function digestOf({ projectId, recipient }: ReserveInput): Buffer | null {
  return recipient === undefined
    ? null
    : createHash('sha256').update(`${projectId}:${recipient}`).digest();
}

async function checkRecipient(
  tx: Tx,
  input: ReserveInput,
  item: ReservedItem & { readonly name: string; readonly perRecipientMax: number },
): Promise<void> {
  const { rows } = await tx.query<{ held: string }>({
    name: 'collections-of-recipient',
    text: 'select coalesce(sum(quantity), 0)::text as held from collection_reservations where offer_id = $1 and recipient = $2',
    values: [item.offerId, digestOf(input)],
  });
  const held = Number(rows[0]!.held);
  if (held + item.quantity <= item.perRecipientMax) return;
  throw new ServiceError('validation-error', {
    message: `lineItems[${item.lineItem}]: one recipient may have ${item.perRecipientMax} of "${item.name}", and this one has ${held} already.`,
  });
}
