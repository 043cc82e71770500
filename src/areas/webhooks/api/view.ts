import type { Json } from '../../../lib/json/json.ts';
import type { Delivery, DeliveryDetails } from '../deliveries/delivery-store.ts';
import type { ReplayProgress } from '../deliveries/replay-store.ts';
import type { Endpoint } from '../endpoints/endpoint-store.ts';
import type { PublicEvent } from '../events/event-store.ts';

/** An endpoint on the wire. */
export function endpointView(endpoint: Endpoint) {
  const {
    id,
    url,
    description,
    eventTypes,
    status,
    disabledReason,
    disabledAt,
    failingSince,
    pausedUntil,
  } = endpoint;
  return {
    id,
    url,
    ...(description !== null && { description }),
    ...(eventTypes !== null && { events: eventTypes }),
    status,
    ...(disabledReason !== null && { disabledReason }),
    ...(disabledAt !== null && { disabledAt: disabledAt.toISOString() }),
    ...(failingSince !== null && { failingSince: failingSince.toISOString() }),
    ...(pausedUntil !== null && { pausedUntil: pausedUntil.toISOString() }),
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
  };
}

/** A delivery on the wire. */
export function deliveryView(delivery: Delivery) {
  const { id, endpointId, eventId, type, object, kind, status, attempts, createdAt, finishedAt } =
    delivery;
  return {
    id,
    endpointId,
    eventId,
    eventType: type,
    object,
    kind,
    status,
    attemptCount: attempts,
    createdAt: createdAt.toISOString(),
    ...(finishedAt !== null && { finishedAt: finishedAt.toISOString() }),
  };
}

/** With attempts and payload. */
export function deliveryDetailsView(delivery: DeliveryDetails) {
  const { nextAttemptAt, attemptLog, payload } = delivery;
  return {
    ...deliveryView(delivery),
    attempts: attemptLog,
    ...(nextAttemptAt !== null && { nextAttemptAt: nextAttemptAt.toISOString() }),
    payload,
  };
}

/** A replay on the wire. */
export function replayView(replay: ReplayProgress) {
  const {
    id,
    endpointId,
    fromAt,
    toAt,
    eventTypes,
    status,
    queued,
    pending,
    delivered,
    failed,
    createdAt,
    finishedAt,
  } = replay;
  return {
    id,
    endpointId,
    from: fromAt.toISOString(),
    to: toAt.toISOString(),
    ...(eventTypes !== null && { events: eventTypes }),
    status,
    queued,
    pending,
    delivered,
    failed,
    createdAt: createdAt.toISOString(),
    ...(finishedAt !== null && { finishedAt: finishedAt.toISOString() }),
  };
}

/** An event on the wire, with what webhooks carry. */
export function eventView(event: PublicEvent) {
  const { id, position, type, object, createdAt, payload } = event;
  return {
    id,
    position: String(position),
    type,
    object,
    createdAt: createdAt.toISOString(),
    payload: JSON.parse(payload) as Json,
  };
}
