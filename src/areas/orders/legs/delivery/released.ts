import type { Db } from '../../../../store/types.ts';

/** True when an operator has looked at the order and let it go on. */
export async function wasReleased(db: Db, orderId: string): Promise<boolean> {
  const { rows } = await db.query<{ released: boolean }>({
    name: 'order-was-released',
    text: `select exists (select from order_moves where order_id = $1 and event = 'released') as released`,
    values: [orderId],
  });
  return rows[0]!.released;
}

/** The event by which the order came to its state, or the last one that was noted since. */
export async function lastEventOf(db: Db, orderId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ event: string }>({
    name: 'order-last-event',
    text: 'select event from order_moves where order_id = $1 order by nr desc limit 1',
    values: [orderId],
  });
  return rows[0]?.event;
}
