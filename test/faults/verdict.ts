import { stateRules } from '../../src/areas/orders/state-rules.ts';
import { selectMoves, selectOrder } from '../../src/areas/orders/store.ts';
import type { OrderRecord } from '../../src/areas/orders/types.ts';
import { readBalances } from '../../src/ledger/index.ts';
import { parseDecimalAmount } from '../../src/lib/amount.ts';
import { sendCall } from '../harness/http.ts';
import { expectLedgerBalanced } from '../harness/ledger.ts';
import type { OutsideBooks } from './books.ts';
import { describePlan } from './plan.ts';
import type { MadeOrder } from './scripts.ts';
import type { ToldEvent } from './told.ts';
import type { FaultWorld } from './world.ts';

/** Everything is counted in millionths of a dollar: the tokens' own units, and 10,000 of them to a cent. */
const perCent = 10_000n;
/** What may be kept of a payment that was a little too much. */
const dustMax = 60_000n;

/** How an order ended, for those who read the run. */
export interface Ending {
  readonly made: MadeOrder;
  readonly state: string;
  readonly attention?: string;
}

/** Holds orders to what must be true of them once the world is at peace. @throws Error that names every order that is wrong, with its seed */
export async function judge(
  world: FaultWorld,
  input: { readonly orders: readonly MadeOrder[]; readonly books: OutsideBooks; readonly told: readonly ToldEvent[] },
): Promise<Ending[]> {
  const problems: string[] = [];
  const endings: Ending[] = [];
  const received = groupBy(world.receiver.taken(), ({ orderId }) => orderId);
  const feed = groupBy(input.told, ({ orderId }) => orderId);
  for (const made of input.orders) {
    const order = (await selectOrder(world.ctx.store, { by: 'id', id: made.orderId }))!;
    const view = (await sendCall(`${world.plainApiUrl}/2022-06-09/orders/${made.orderId}`, 'GET', { key: world.serverKey })).body;
    const ledger = await readOrderLedger(world, made.orderId);
    const facts = { made, order, view, outside: await outsideOf(world, input.books, made), ledger };
    const events = { feed: feed.get(made.orderId) ?? [], received: received.get(made.orderId) ?? [], view };
    const found = [...judgeEnd(world, facts), ...judgeMoney(facts), ...judgeEvents(events)];
    if (found.length > 0) problems.push(await describeProblem(world, made, order, found));
    endings.push({ made, state: order.state, ...(order.attention !== undefined && { attention: order.attention }) });
  }
  problems.push(...(await judgeWhole(world, input.books)));
  if (problems.length > 0) throw new Error(`${problems.length} findings\n\n${problems.join('\n\n')}`);
  return endings;
}

async function describeProblem(world: FaultWorld, made: MadeOrder, order: OrderRecord, found: readonly string[]): Promise<string> {
  const moves = (await selectMoves(world.ctx.store, order.id)).map(({ event, to, note }) => `    ${event} → ${to} ${note ?? ''}`);
  return [`${describePlan(made.plan)} (order ${order.id})`, ...found.map((one) => `  ${one}`), ...moves].join('\n');
}

/** What the chain, the bank and the acquirer know of one order. */
interface OutsideOfOrder {
  readonly depositedMinor: bigint;
  readonly sentBackMinor: bigint;
  readonly deliveries: readonly bigint[];
  readonly captures: number;
  readonly capturedMinor: bigint;
  readonly cardRefundedMinor: bigint;
  readonly isCardHeld: boolean;
  readonly payouts: OutsideBooks['bank'];
}

async function outsideOf(world: FaultWorld, books: OutsideBooks, made: MadeOrder): Promise<OutsideOfOrder> {
  const wallet = made.wallet.toLowerCase();
  const between = (token: string, from: string, to: string) =>
    books.chain.filter((one) => one.token === token && one.from === from && one.to === to).map(({ amountMinor }) => amountMinor);
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
    depositedMinor: sum(between(usdxm, wallet, books.treasury)),
    sentBackMinor: sum(between(usdxm, books.treasury, wallet)),
    deliveries: between(usdc, books.treasury, wallet),
    captures: cards.filter(({ capturedMinor }) => capturedMinor > 0n).length,
    capturedMinor: sum(cards.map(({ capturedMinor }) => capturedMinor)),
    cardRefundedMinor: sum(cards.map(({ refundedMinor }) => refundedMinor)),
    isCardHeld: cards.some(({ isHeld }) => isHeld),
    payouts: books.bank.filter(({ key }) => keys.has(key)),
  };
}

interface OrderLedger {
  /** On accounts of ours that are no money of the outside: fees, conversion, what is still owed to the order. */
  readonly keptMicro: bigint;
  readonly clearing: readonly string[];
}

async function readOrderLedger(world: FaultWorld, orderId: string): Promise<OrderLedger> {
  const { rows } = await world.ctx.store.query<{ account: string; asset: string; posted: string; pending: string }>({
    text: `select p.account, p.asset, sum(p.posted_minor)::text as posted, sum(p.pending_minor)::text as pending
      from ledger_postings p join ledger_entries e on e.id = p.entry_id where e.order_id = $1 group by p.account, p.asset`,
    values: [orderId],
  });
  const micro = ({ asset, posted }: { asset: string; posted: string }) =>
    asset.endsWith(':native') ? 0n : BigInt(posted) * (asset.includes(':') ? 1n : perCent);
  const isOutside = (account: string) => /^(?:chain|bank|card):/.test(account);
  return {
    keptMicro: -sum(rows.filter(({ account }) => !isOutside(account)).map(micro)),
    clearing: rows
      .filter(({ account, posted, pending }) => account === `order:${orderId}:clearing` && (posted !== '0' || pending !== '0'))
      .map(({ asset, posted, pending }) => `${posted} (${pending} pending) of ${asset}`),
  };
}

interface OrderFactsSeen {
  readonly made: MadeOrder;
  readonly order: OrderRecord;
  readonly view: any;
  readonly outside: OutsideOfOrder;
  readonly ledger: OrderLedger;
}

const waiting = new Set(['on_hold', 'needs_operator']);

/** It has ended, or waits for an operator for a reason that is written down. */
function judgeEnd({ clock }: FaultWorld, { order, ledger }: OrderFactsSeen): string[] {
  const problems: string[] = [];
  const isEnd = stateRules[order.state].limit === undefined;
  if (!isEnd && !waiting.has(order.state)) problems.push(`it is still ${order.state}`);
  if (order.state === 'needs_operator' && order.attention === undefined) problems.push('it needs an operator and does not say why');
  if (order.deadlineAt && order.deadlineAt < clock.now())
    problems.push(`${order.state} should have ended at ${order.deadlineAt.toISOString()}`);
  if (isEnd && ledger.clearing.length > 0) problems.push(`its clearing account holds ${ledger.clearing.join(', ')}`);
  return problems;
}

/** No money moved twice, none came from nowhere, and none is lost. */
function judgeMoney({ made, order, view, outside, ledger }: OrderFactsSeen): string[] {
  const problems: string[] = [];
  const { depositedMinor, sentBackMinor, deliveries, capturedMinor, cardRefundedMinor, payouts } = outside;
  const gone = payouts.filter(({ isGone }) => isGone);
  const moved = payouts.filter(({ isRefused }) => !isRefused);
  if (moved.length > 1) problems.push(`the bank paid ${moved.length} times: ${moved.map(({ amountMinor }) => amountMinor).join(', ')}`);
  if (deliveries.length > 1) problems.push(`tokens were delivered ${deliveries.length} times: ${deliveries.join(', ')}`);
  if (sentBackMinor > depositedMinor) problems.push(`${sentBackMinor} went back of ${depositedMinor}`);
  if (cardRefundedMinor > capturedMinor) problems.push(`${cardRefundedMinor} of ${capturedMinor} cents were refunded`);
  if (depositedMinor !== made.sentMinor) problems.push(`the payer sent ${made.sentMinor}, and the chain has ${depositedMinor}`);
  const inMicro = depositedMinor + capturedMinor * perCent;
  const outMicro =
    sentBackMinor + cardRefundedMinor * perCent + sum(deliveries) + sum(gone.map(({ amountMinor }) => amountMinor)) * perCent;
  const kept = inMicro - outMicro;
  if (kept !== ledger.keptMicro) problems.push(`${kept} stayed with us by the books of the others, ${ledger.keptMicro} by the ledger`);
  const isPaid = ['delivered', 'payout_settled', 'payout_final'].includes(order.state);
  const isEnd = stateRules[order.state].limit === undefined;
  const fees = isPaid || moved.length > 0 ? feesOf(view) : 0n;
  if (isEnd && order.state !== 'closed' && (kept < fees || kept > fees + dustMax))
    problems.push(`of ${inMicro} that came ${outMicro} went out: ${kept} is left, and the fees are ${fees}`);
  const promised = parseDecimalAmount(view.lineItems[0].executionParams.effectiveAmount ?? '0', 6);
  const arrived = sum(deliveries) + sum(gone.map(({ amountMinor }) => amountMinor)) * perCent;
  if (isPaid && arrived !== promised) problems.push(`${promised} was promised, and ${arrived} arrived`);
  if (outside.captures > 1) problems.push(`the card was charged ${outside.captures} times`);
  if (isPaid && gone.length + deliveries.length !== 1)
    problems.push(`it says that it is paid out, and there are ${gone.length + deliveries.length} payouts or deliveries`);
  if (outside.isCardHeld && isEnd) problems.push('it has ended, and the card is still held');
  return problems;
}

function feesOf(view: any): bigint {
  const fees: readonly { amount: string; currency: string }[] = view.lineItems[0].quote.charges?.fees ?? [];
  return sum(fees.map(({ amount }) => parseDecimalAmount(amount, 6)));
}

/** The receiver, which was killed, knows what the service has told, in that order; what it heard last is what the order says. */
function judgeEvents({
  feed,
  received,
  view,
}: {
  readonly feed: readonly ToldEvent[];
  readonly received: readonly ToldEvent[];
  readonly view: any;
}): string[] {
  const problems: string[] = [];
  const types = (events: readonly ToldEvent[]) => events.map(({ type }) => type).join(', ');
  const ids = (events: readonly ToldEvent[]) => events.map(({ id }) => id).join();
  if (ids(feed) !== ids(received)) problems.push(`it was told ${types(feed)}, and the receiver knows ${types(received)}`);
  const last = feed.at(-1);
  if (last === undefined) return [...problems, 'nothing was told of it'];
  const seen: any = last.data;
  const expected: Record<string, string> = { completed: 'orders.delivery.completed', failed: 'orders.delivery.failed' };
  const ofPayment: Record<string, string> = {
    refunded: 'orders.payment.refunded',
    failed: 'orders.payment.failed',
    'failed-kyc': 'orders.payment.failed',
  };
  const wanted = ofPayment[view.payment.status] ?? expected[view.lineItems[0].delivery.status];
  if (wanted !== undefined && last.type !== wanted) problems.push(`the last event is ${last.type}, and the order says ${wanted}`);
  const parts = (one: any) =>
    JSON.stringify([one.orderId, one.lineItems[0].delivery.status, one.lineItems[0].quote.totalPrice, one.lineItems[0].delivery.txId]);
  if (wanted !== undefined && parts(seen) !== parts(view))
    problems.push(`the receiver saw last ${parts(seen)}, and the order is ${parts(view)}`);
  return problems;
}

/** The whole of the ledger against the whole of the outside. */
async function judgeWhole(world: FaultWorld, books: OutsideBooks): Promise<string[]> {
  const problems: string[] = [];
  await expectLedgerBalanced(world.ctx.store).catch((error: Error) => problems.push(error.message));
  const balanceOf = async (account: string, asset: string) => {
    const balances = await readBalances(world.ctx.store, { projectId: world.projectId, account, limit: 100 });
    return balances.find((balance) => balance.asset.toLowerCase() === asset.toLowerCase())?.postedMinor ?? 0n;
  };
  const compare = (what: string, ours: bigint, theirs: bigint) => {
    if (ours !== theirs) problems.push(`${what}: the ledger has ${ours}, and the outside ${theirs}`);
  };
  const { rows } = await world.ctx.store.query<{ account: string; sum: string }>({
    text: `select account, sum(posted_minor)::text as sum from ledger_postings where account like 'bank:%' and project_id = $1 group by account`,
    values: [world.projectId],
  });
  const goneMinor = sum(books.bank.filter(({ isGone }) => isGone).map(({ amountMinor }) => amountMinor));
  compare('cents at the bank', sum(rows.map((row) => BigInt(row.sum))), -goneMinor);
  const cards = [...books.cards.values()];
  compare(
    'cents at the acquirer',
    await balanceOf('card:stripe:receivable', 'usd'),
    sum(cards.map(({ capturedMinor, refundedMinor }) => capturedMinor - refundedMinor)),
  );
  for (const token of ['usdc', 'usdxm'] as const)
    compare(
      `${token} of the treasury`,
      await balanceOf('chain:base-sepolia:treasury', `base-sepolia:${world.tokens[token]}`),
      books.treasuryHolds[token],
    );
  const { rows: orders } = await world.ctx.store.query<{ n: number }>({ text: 'select count(*)::int as n from orders' });
  if (orders[0]!.n !== world.orderCount) problems.push(`${world.orderCount} orders were created, and there are ${orders[0]!.n}`);
  return problems;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}
