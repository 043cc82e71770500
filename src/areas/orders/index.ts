export { followCard } from './card-events.ts';
export { checkoutFlow } from './checkout-flow.ts';
export { ordersCommand, ordersUsage } from './command.ts';
export { offrampFlow } from './offramp-flow.ts';
export { onrampFlow } from './onramp-flow.ts';
export { hearPayouts } from './payout-events.ts';
export { orderRefundFlow } from './refunds-flow.ts';
export { sweepMetrics, sweepOrders } from './sweep.ts';
