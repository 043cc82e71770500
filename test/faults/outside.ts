import type { OrderRecord } from '../../src/areas/orders/state/types.ts';
import type { OutsideBooks } from './books.ts';
import type { DisputeBooks } from './cards.ts';
import type { MadeOrder } from './payer.ts';
import type { StrayFacts } from './strays.ts';
import { sum } from './sums.ts';
import type { FaultWorld } from './world.ts';

/**
 * Everything is counted in millionths of a dollar: the tokens' own units, and 10,000 of them to a
 * cent.
 */
export const perCent = 10_000n;

/** What the chain, the bank and the acquirer know of one order. */
export interface OutsideOfOrder {
  /** By whoever paid. */
  readonly sentMinor: bigint;
  readonly depositedMinor: bigint;
  readonly sentBackMinor: bigint;
  readonly deliveries: readonly bigint[];
  readonly captures: number;
  readonly capturedMinor: bigint;
  readonly cardRefundedMinor: bigint;
  readonly isCardHeld: boolean;
  readonly disputes: readonly DisputeBooks[];
  readonly payouts: OutsideBooks['bank'];
}

/** @param given a deposit that went astray, and that the operator gave to the order */
export async function outsideOf(
  world: FaultWorld,
  books: OutsideBooks,
  { made, given }: { readonly made: MadeOrder; readonly given: StrayFacts | undefined },
): Promise<OutsideOfOrder> {
  const wallet = made.wallet.toLowerCase();
  const between = (token: string, from: string, to: string) =>
    books.chain
      .filter((one) => one.token === token && one.from === from && one.to === to)
      .map(({ amountMinor }) => amountMinor);
  const { usdc, usdxm } = world.tokens;
  const cards = [...books.cards]
    .filter(([id, { reference }]) => id === made.intentId || reference === made.orderId)
    .map(([, card]) => card);
  const { rows } = await world.database.stores.vault.query<{ key: string }>({
    text: 'select bank_key as key from payouts where object = $1',
    values: [`order:${made.orderId}`],
  });
  const keys = new Set(rows.map(({ key }) => key));
  return {
    sentMinor: made.sentMinor + (given?.stray.sentMinor ?? 0n),
    depositedMinor: sum(between(usdxm, wallet, books.treasury)) + (given?.cameMinor ?? 0n),
    sentBackMinor: sum(between(usdxm, books.treasury, wallet)) + (given?.wentBackMinor ?? 0n),
    deliveries: between(usdc, books.treasury, wallet),
    captures: cards.filter(({ capturedMinor }) => capturedMinor > 0n).length,
    capturedMinor: sum(cards.map(({ capturedMinor }) => capturedMinor)),
    cardRefundedMinor: sum(cards.map(({ refundedMinor }) => refundedMinor)),
    disputes: cards.flatMap(({ dispute }) => (dispute ? [dispute] : [])),
    isCardHeld: cards.some(({ isHeld }) => isHeld),
    payouts: books.bank.filter(({ key }) => keys.has(key)),
  };
}

export interface OrderLedger {
  /**
   * On accounts of ours that are no money of the outside: fees, conversion, what is still owed to
   * the order.
   */
  readonly keptMicro: bigint;
  readonly clearing: readonly string[];
  /** What could not go back beside the order, and is kept until it can. */
  readonly stuckMicro: bigint;
}

export async function readOrderLedger(world: FaultWorld, orderId: string): Promise<OrderLedger> {
  const { rows } = await world.ctx.store.query<{
    account: string;
    asset: string;
    posted: string;
    pending: string;
  }>({
    text: `select p.account, p.asset, sum(p.posted_minor)::text as posted, sum(p.pending_minor)::text as pending
      from ledger_postings p join ledger_entries e on e.id = p.entry_id where e.order_id = $1 group by p.account, p.asset`,
    values: [orderId],
  });
  const { rows: stuck } = await world.ctx.store.query<{ sum: string }>({
    text: `select coalesce(sum(amount_minor), 0)::text as sum from order_refunds where order_id = $1 and via = 'chain' and status = 'failed'`,
    values: [orderId],
  });
  const micro = ({ asset, posted }: { asset: string; posted: string }) =>
    asset.endsWith(':native') ? 0n : BigInt(posted) * (asset.includes(':') ? 1n : perCent);
  // What the operator gave to the order waited at `suspense:unmatched`: to the order that is as
  // outside as the chain.
  const isOutside = (account: string) => /^(?:chain|bank|card):|^suspense:unmatched$/.test(account);
  return {
    stuckMicro: BigInt(stuck[0]!.sum),
    keptMicro: -sum(rows.filter(({ account }) => !isOutside(account)).map(micro)),
    clearing: rows
      .filter(
        ({ account, posted, pending }) =>
          account === `order:${orderId}:clearing` && (posted !== '0' || pending !== '0'),
      )
      .map(({ asset, posted, pending }) => `${posted} (${pending} pending) of ${asset}`),
  };
}

/** What is known of an order, from all sides. */
export interface OrderFactsSeen {
  readonly made: MadeOrder;
  readonly order: OrderRecord;
  readonly view: any;
  /** Events of its history, oldest first. */
  readonly moves: readonly string[];
  readonly outside: OutsideOfOrder;
  readonly ledger: OrderLedger;
}
