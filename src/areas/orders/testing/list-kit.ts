import type { Tx } from '../../../store/types.ts';
import { hashClientSecret } from '../api/access.ts';
import { publicStatusOf } from '../state/public-status.ts';
import { insertOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';

/** An order as it could be stored, for tests that need many. */
export function anOrderRecord(
  over: Partial<OrderRecord> & Pick<OrderRecord, 'id' | 'projectId' | 'createdAt'>,
): OrderRecord {
  const { kind = 'onramp', state = 'awaiting_payment' } = over;
  const usd = { currency: 'usd', asset: 'usd', decimals: 2, amountMinor: 10_000n };
  const before = publicStatusOf('delivering', undefined);
  return {
    kind,
    state,
    publicStatus: publicStatusOf(state, before),
    clientSecretHash: hashClientSecret(over.id),
    request: {
      locale: 'en-US',
      payment: { method: 'card', currency: 'usd' },
      recipient: {},
      lineItem: { tokenLocator: 'base-sepolia:usdc', mode: 'exact-in', amount: '100' },
    },
    terms: {
      mode: 'exact-in',
      pay: usd,
      receive: {
        currency: 'usdc',
        asset: 'base-sepolia:0x01',
        decimals: 6,
        amountMinor: 100_000_000n,
      },
      fees: [],
      value: usd,
      unit: usd,
      rate: '1',
      maxSlippageBps: 100,
    },
    facts: {},
    quotedAt: over.createdAt,
    quoteExpiresAt: over.createdAt,
    version: 1,
    updatedAt: over.createdAt,
    ...over,
  };
}

export async function insertOrders(tx: Tx, orders: readonly OrderRecord[]): Promise<void> {
  for (const order of orders) await insertOrder(tx, order);
}
