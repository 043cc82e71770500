import { randomBytes, randomUUID } from 'node:crypto';
import type { Store } from '../../../store/types.ts';
import { insertOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';

const usd = (amountMinor: bigint) => ({ currency: 'usd', asset: 'usd', decimals: 2, amountMinor });

/** Stores an order that is paid by card, as if it had come to its state: $100.00 for 98.50 USDC. */
export async function insertAnOrder(
  store: Store,
  {
    projectId,
    state,
    at,
    ...over
  }: { readonly projectId: string; readonly at: Date } & Partial<OrderRecord>,
): Promise<OrderRecord> {
  const order: OrderRecord = {
    id: randomUUID(),
    projectId,
    kind: 'onramp',
    state: state ?? 'needs_operator',
    publicStatus: {
      phase: 'payment',
      quote: 'valid',
      payment: 'in-progress',
      delivery: 'awaiting-payment',
    },
    clientSecretHash: randomBytes(32),
    request: {
      locale: 'en-US',
      payment: { method: 'card', currency: 'usd' },
      recipient: {},
      lineItem: { tokenLocator: 'base-sepolia:usdc', mode: 'exact-in', amount: '100' },
    },
    terms: {
      mode: 'exact-in',
      pay: usd(10_000n),
      receive: {
        currency: 'usdc',
        asset: 'base-sepolia:0x036cbd53842c5426634e7929541ec2318f3dcf7e',
        decimals: 6,
        amountMinor: 98_500_000n,
      },
      fees: [{ ...usd(150n), type: 'service' }],
      value: usd(10_000n),
      unit: usd(9_850n),
      rate: '1',
      maxSlippageBps: 50,
    },
    facts: {},
    version: 1,
    createdAt: at,
    updatedAt: at,
    ...over,
  };
  await store.transaction((tx) => insertOrder(tx, order));
  return order;
}
