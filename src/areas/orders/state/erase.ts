import { ServiceError } from '../../../lib/errors.ts';
import type { Tx } from '../../../store/types.ts';
import { isEnd, orderStates, stateRow } from './states.ts';
import { lockOrdersOf, updateOrder } from './store.ts';
import type { OrderRecord } from './types.ts';

/** States in which money is on its way: an order there needs its payer until it has ended. */
const underWay = orderStates.filter(
  (state) => stateRow(state).owner !== 'payer' && !isEnd(state) && state !== 'payout_settled',
);

/**
 * Takes whoever is erased out of their orders: e-mail address, postal address, locator, metadata
 * and what a browser was told. Amounts, states and addresses on chains stay, since books are kept.
 * Of orders that have no user those count that name one of the locators.
 * @returns the ids of the orders
 * @throws conflict while money of one of them is on its way
 */
export async function forgetOrders(
  tx: Tx,
  input: {
    readonly projectId: string;
    readonly userIds: readonly string[];
    readonly locators: readonly string[];
  },
): Promise<readonly string[]> {
  const orders = await lockOrdersOf(tx, input);
  const busy = orders.filter(({ state }) => underWay.includes(state));
  if (busy.length > 0)
    throw new ServiceError('conflict', {
      message: `Money of the user is on its way in ${busy.length} orders (${busy[0]!.id} is ${busy[0]!.state}): erase the user when they have ended.`,
    });
  for (const order of orders) await updateOrder(tx, forgotten(order), order);
  return orders.map(({ id }) => id);
}

function forgotten({ userLocator: _locator, request, facts, ...order }: OrderRecord): OrderRecord {
  const { metadata: _metadata, payment, recipient, ...wanted } = request;
  const { receiptEmail: _receiptEmail, ...paid } = payment;
  const { email: _email, physicalAddress: _address, ...received } = recipient;
  const { preparation: _preparation, creator: _creator, ...known } = facts;
  return {
    ...order,
    request: { ...wanted, payment: paid, recipient: received },
    facts: known,
    version: order.version + 1,
  };
}
