import type { Ctx } from '../../../context.ts';
import { createOutboxReader, type OutboxReader } from '../../../jobs/index.ts';
import type { Tx } from '../../../store/types.ts';
import { wakeOrder } from '../kinds/flow-registry.ts';
import type { OrderRecord } from '../state/types.ts';

const ordersPerUserMax = 1_000;

/**
 * Hears that identity checks went on, and has the orders that wait for them look at once. Without
 * it they look by themselves, later.
 */
export function createIdentityReader(ctx: Ctx): OutboxReader {
  return createOutboxReader(ctx, {
    name: 'orders-identity',
    handle: async (tx, events) => {
      const checked = events.filter(({ type }) => type === 'users.identity-verification.updated');
      const userIds = [
        ...new Set(checked.map(({ object }) => object.slice(object.indexOf(':') + 1))),
      ];
      for (const order of await selectWaiting(tx, userIds)) await wakeOrder(ctx, tx, order);
    },
  });
}

type Waiting = Pick<OrderRecord, 'id' | 'kind' | 'projectId'>;

async function selectWaiting(tx: Tx, userIds: readonly string[]): Promise<Waiting[]> {
  if (userIds.length === 0) return [];
  const { rows } = await tx.query<Waiting>({
    name: 'orders-wait-for-identity',
    text: `select id, kind, project_id as "projectId" from orders where user_id = any($1::uuid[]) and state in ('kyc_needed', 'kyc_review', 'kyc_manual')
      limit ${ordersPerUserMax}`,
    values: [userIds],
  });
  return rows;
}
