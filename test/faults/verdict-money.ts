import { isEnd as isEndState } from '../../src/areas/orders/state/states.ts';
import { parseDecimalAmount } from '../../src/lib/money/amount.ts';
import { type OrderFactsSeen, perCent } from './outside.ts';
import { sum } from './sums.ts';

/** What may be kept of a payment that was a little too much. */
const dustMax = 60_000n;

/** No money moved twice, none came from nowhere, and none is lost. */
export function judgeMoney(facts: OrderFactsSeen): string[] {
  return [...judgeOnce(facts), ...judgeSums(facts), ...judgePromise(facts)];
}

const isEnd = ({ order }: OrderFactsSeen) => isEndState(order.state);
const amountsOf = (some: readonly { readonly amountMinor: bigint }[]) =>
  some.map(({ amountMinor }) => amountMinor);

function judgeOnce({ moves, outside }: OrderFactsSeen): string[] {
  const problems: string[] = [];
  const {
    depositedMinor,
    sentBackMinor,
    deliveries,
    capturedMinor,
    cardRefundedMinor,
    payouts,
    disputes,
  } = outside;
  const moved = payouts.filter(({ isRefused }) => !isRefused);
  const gone = payouts.filter(({ isGone }) => isGone);
  // What a bank has returned may be paid once more, when the operator says so.
  const continued = moves.filter((event) => event === 'operator-continues').length;
  if (gone.length > 1 || moved.length > 1 + continued)
    problems.push(
      `the bank paid ${moved.length} times: ${amountsOf(moved).join(', ')}, and has ${gone.length} of them`,
    );
  if (deliveries.length > 1)
    problems.push(`tokens were delivered ${deliveries.length} times: ${deliveries.join(', ')}`);
  if (sentBackMinor > depositedMinor)
    problems.push(`${sentBackMinor} went back of ${depositedMinor}`);
  const takenBack = sum(amountsOf(disputes.filter(({ status }) => status !== 'won')));
  if (cardRefundedMinor + takenBack > capturedMinor)
    problems.push(
      `${cardRefundedMinor} of ${capturedMinor} cents were refunded, and ${takenBack} are in dispute or lost`,
    );
  if (depositedMinor !== outside.sentMinor)
    problems.push(`the payer sent ${outside.sentMinor}, and the chain has ${depositedMinor}`);
  if (outside.captures > 1) problems.push(`the card was charged ${outside.captures} times`);
  return problems;
}

/**
 * What came is what went out, what was lost, and what is kept: by the books of the others, and by
 * ours.
 */
function judgeSums(facts: OrderFactsSeen): string[] {
  const problems: string[] = [];
  const { order, view, outside, ledger } = facts;
  const { sentBackMinor, cardRefundedMinor, deliveries, payouts, disputes } = outside;
  const inMicro = outside.depositedMinor + outside.capturedMinor * perCent;
  const gone = sum(amountsOf(payouts.filter(({ isGone }) => isGone)));
  const lost = sum(amountsOf(disputes.filter(({ status }) => status === 'lost')));
  const outMicro = sentBackMinor + sum(deliveries) + (cardRefundedMinor + gone + lost) * perCent;
  const kept = inMicro - outMicro;
  if (kept !== ledger.keptMicro)
    problems.push(
      `${kept} stayed with us by the books of the others, ${ledger.keptMicro} by the ledger`,
    );
  if (!isEnd(facts) || order.state === 'closed') return problems;
  const fees =
    outside.deliveries.length > 0 || payouts.some(({ isRefused }) => !isRefused)
      ? feesOf(view)
      : 0n;
  const ours = grantedMicro(facts) + lost * perCent - ledger.stuckMicro;
  if (kept + ours < fees || kept + ours > fees + dustMax)
    problems.push(
      `of ${inMicro} that came ${outMicro} went out, ${ours} of it ours or stuck: ${kept} is left, and the fees are ${fees}`,
    );
  return problems;
}

/** Paid back by agreement, out of our own pocket. */
function grantedMicro({ order }: OrderFactsSeen): bigint {
  const granted = sum(
    (order.facts.refundGrants ?? []).map(({ amountMinor }) => BigInt(amountMinor)),
  );
  return order.kind === 'onramp' ? granted * perCent : granted;
}

/** What the payer was promised has arrived, and nothing where the payer was told otherwise. */
function judgePromise(facts: OrderFactsSeen): string[] {
  const problems: string[] = [];
  const { order, view, outside } = facts;
  if (outside.isCardHeld && isEnd(facts)) problems.push('it has ended, and the card is still held');
  if (!['delivered', 'payout_settled', 'payout_final'].includes(order.state)) return problems;
  const gone = outside.payouts.filter(({ isGone }) => isGone);
  const promised = parseDecimalAmount(view.lineItems[0].executionParams.effectiveAmount ?? '0', 6);
  const arrived = sum(outside.deliveries) + sum(amountsOf(gone)) * perCent;
  if (arrived !== promised) problems.push(`${promised} was promised, and ${arrived} arrived`);
  if (gone.length + outside.deliveries.length !== 1)
    problems.push(
      `it says that it is paid out, and there are ${gone.length + outside.deliveries.length} payouts or deliveries`,
    );
  return problems;
}

function feesOf(view: any): bigint {
  const fees: readonly { amount: string; currency: string }[] =
    view.lineItems[0].quote.charges?.fees ?? [];
  return sum(fees.map(({ amount }) => parseDecimalAmount(amount, 6)));
}
