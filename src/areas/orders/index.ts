export { findOrder } from './api/access.ts';
export { createIdentityReader } from './identity/reader.ts';
export { checkoutFlow } from './kinds/checkout/flow.ts';
export { offrampFlow } from './kinds/offramp/flow.ts';
export { onrampFlow } from './kinds/onramp/flow.ts';
export { cardDisputeFlow, followCard } from './legs/card/events.ts';
export { receivePayoutEvents } from './legs/payout/events.ts';
export { payoutFactStatuses } from './legs/payout/fact.ts';
export { orderRefundFlow } from './legs/refund/flow.ts';
export { sealedRefunds } from './legs/refund/store.ts';
export { releaseExpiredLimits } from './limits/release-limits.ts';
export { readLimitsOf } from './limits/remaining-limits.ts';
export { attentionOfOrder, orderAttention } from './operator/attention.ts';
export { orderOperatorCommand } from './operator/command.ts';
export { depositsCommand } from './operator/deposits-command.ts';
export { type HeldMoney, holdKinds, listHolds } from './operator/holds.ts';
export { readLikelyOrders } from './operator/likely.ts';
export { ordersCommand } from './operator/orders-command.ts';
export {
  countOrdersByHour,
  listOrderLines,
  listPayoutLines,
  type OrderLine,
  type PayoutLine,
  readOrderTimeline,
  readPromised,
} from './operator/reads.ts';
export { refundRequestsCommand } from './operator/refund-requests-command.ts';
export { orderRules } from './operator/rules.ts';
export { sealedOrderSettings } from './pricing/settings-store.ts';
export { forgetOrders } from './state/erase.ts';
export { receiptFlow } from './state/receipts.ts';
export { orderStates } from './state/states.ts';
export { sealedOrders } from './state/store.ts';
export { sweepMetrics, sweepOrders } from './state/sweep.ts';
