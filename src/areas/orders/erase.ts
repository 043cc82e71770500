import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';
import { type OrderState, orderKinds, orderStatesOf } from './machine.ts';
import { stateRules } from './state-rules.ts';

/** States in which money is on its way: an order there needs its payer until it has ended. */
const underWay: readonly OrderState[] = [...new Set(orderKinds.flatMap(orderStatesOf))].filter((state) => {
  const { owner, limit } = stateRules[state];
  return owner !== 'payer' && limit !== undefined && state !== 'payout_settled';
});

/**
 * Takes whoever is erased out of their orders: e-mail address, postal address, locator, metadata and what a browser was told.
 * Amounts, states and addresses on chains stay, since books are kept.
 * @returns the ids of the orders
 * @throws conflict while money of one of them is on its way
 */
export async function forgetOrders(
  tx: Tx,
  input: { readonly projectId: string; readonly userIds: readonly string[] },
): Promise<readonly string[]> {
  const { rows } = await tx.query<{ id: string; state: OrderState }>({
    text: 'select id, state from orders where project_id = $1 and user_id = any($2::uuid[]) order by id for update',
    values: [input.projectId, input.userIds],
  });
  const busy = rows.filter(({ state }) => underWay.includes(state));
  if (busy.length > 0)
    throw new ServiceError('conflict', {
      message: `Money of the user is on its way in ${busy.length} orders (${busy[0]!.id} is ${busy[0]!.state}): erase the user when they have ended.`,
    });
  const ids = rows.map(({ id }) => id);
  await tx.query({
    text: `update orders set user_locator = null, version = version + 1,
             request = request #- '{payment,receiptEmail}' #- '{recipient,email}' #- '{recipient,physicalAddress}' #- '{metadata}',
             facts = facts - 'preparation' - 'creator'
           where id = any($1::uuid[])`,
    values: [ids],
  });
  return ids;
}
