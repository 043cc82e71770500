import { blankEvents } from '../../jobs/index.ts';
import type { Tx } from '../../store/types.ts';
import { blankStoredEvents } from './events/event-store.ts';

export { webhooksCommand, webhooksUsage } from './api/command.ts';
export { listen } from './api/listen.ts';
export { deliveryDetailsView, deliveryView, endpointView, eventView } from './api/view.ts';
export { type Delivery, selectDeliveries, selectDelivery } from './deliveries/delivery-store.ts';
export { webhookReplayFlow } from './deliveries/replay.ts';
export { createSender } from './deliveries/sender.ts';
export { sealedEndpoints, selectEndpoint, selectEndpointsOf } from './endpoints/endpoint-store.ts';
export {
  countEventsByHour,
  sealedEvents,
  selectNewestEvents,
  selectNewestPosition,
} from './events/event-store.ts';
export { type PublicEventType, publicEventTypes } from './events/event-types.ts';
export { createEventFeed } from './events/feed.ts';
export { deliveryStatuses } from './machine.ts';
export { addWebhookMetrics, readBacklog, webhookCounters } from './metrics.ts';
export { pruneWebhooks } from './prune.ts';
export { webhookRules } from './rules.ts';

/**
 * Empties the events of an object wherever they are, for the erasure of a person: in the outbox
 * first, which waits for whoever is copying them at this moment, then here, where the copies are.
 */
export async function blankPublicEvents(
  tx: Tx,
  input: { readonly projectId: string; readonly object: string },
): Promise<void> {
  await blankEvents(tx, input);
  await blankStoredEvents(tx, input);
}
