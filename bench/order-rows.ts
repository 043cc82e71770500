import { checkoutFlow } from '../src/areas/orders/kinds/checkout/flow.ts';
import { changeOrder, openOrder } from '../src/areas/orders/state/change-order.ts';
import { lockOrder } from '../src/areas/orders/state/store.ts';
import { anOrderRecord } from '../src/areas/orders/testing/list-kit.ts';
import type { Ctx } from '../src/context.ts';
import { startFlow } from '../src/jobs/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemIds } from '../src/lib/id.ts';
import type { Db, Store, Tx } from '../src/store/types.ts';

/**
 * What the database does for one order that is created and waits for its payer: the statements of
 * the service, on one connection.
 */
export async function createOrderRows(db: Db, projectId: string): Promise<void> {
  const ctx = {
    clock: systemClock,
    ids: systemIds,
    store: db as Store,
    log: undefined as unknown as Ctx['log'],
  };
  const tx: Tx = { query: (statement) => db.query(statement), afterCommit: () => undefined };
  const id = systemIds.uuid();
  const createdAt = systemClock.now();
  const {
    state: _,
    publicStatus: __,
    ...order
  } = anOrderRecord({ id, projectId, createdAt, kind: 'checkout', state: 'quoted' });
  await db.query({
    name: 'order-settings',
    text: 'select settings from order_settings where project_id = $1',
    values: [projectId],
  });
  await db.query({ text: 'begin' });
  await openOrder(ctx, tx, order, { event: 'created' });
  const runAt = new Date(createdAt.getTime() + 15_000);
  await startFlow(ctx, tx, checkoutFlow, { projectId, key: id, state: { orderId: id }, runAt });
  await db.query({ text: 'commit' });
  await db.query({ text: 'begin' });
  const locked = await lockOrder(tx, { by: 'id', id });
  if (!locked) throw new Error('an order was not stored');
  await changeOrder(ctx, tx, locked, { event: 'payer-needed' });
  await db.query({ text: 'commit' });
}
