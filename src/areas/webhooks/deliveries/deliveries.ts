import { deliveriesChannel, ring } from '../../../jobs/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Db, Tx } from '../../../store/types.ts';
import { cutPage, type Page, readLimit, readNumberCursor } from '../api/page.ts';
import type { DeliveryQuery } from '../api/schema.ts';
import { type EndpointKey, requireEndpoint, type WebhooksCtx } from '../endpoints/endpoints.ts';
import { insertEvents } from '../events/event-store.ts';
import { formatPayload, testEventType } from '../events/event-types.ts';
import {
  type Delivery,
  type DeliveryDetails,
  selectDeliveries,
  selectDelivery,
} from './delivery-store.ts';
import { queueDeliveries, requeueDelivery } from './queue-store.ts';

/**
 * Deliveries of an endpoint, the newest first.
 * @throws webhook-endpoint-not-found, validation-error
 */
export async function listDeliveries(
  ctx: Pick<WebhooksCtx, 'store'>,
  input: { readonly endpoint: EndpointKey; readonly query: DeliveryQuery },
): Promise<Page<Delivery>> {
  const { endpoint, query } = input;
  await requireEndpoint(ctx.store, endpoint);
  const limit = readLimit(query.limit);
  const beforeNr = readNumberCursor(query.cursor);
  const { status, type } = query;
  const rows = await selectDeliveries(ctx.store, {
    endpointId: endpoint.id,
    status,
    type,
    beforeNr,
    limit: limit + 1,
  });
  return cutPage(rows, limit, ({ nr }) => nr);
}

/** @throws webhook-delivery-not-found */
export function getDelivery(
  ctx: Pick<WebhooksCtx, 'store'>,
  key: DeliveryKey,
): Promise<DeliveryDetails> {
  return requireDelivery(ctx.store, key);
}

interface DeliveryKey {
  readonly projectId: string;
  readonly id: string;
}

async function requireDelivery(db: Db, key: DeliveryKey): Promise<DeliveryDetails> {
  const delivery = await selectDelivery(db, key);
  if (!delivery) throw new ServiceError('webhook-delivery-not-found');
  return delivery;
}

/**
 * Sends a delivery that has ended once more (supplement, section 22): it is pending again, with all
 * its attempts before it and the same `webhook-id`. Asked twice it is sent once.
 * @throws webhook-delivery-not-found, webhook-endpoint-disabled, conflict while it is sent by
 * itself
 */
export async function resendDelivery(
  ctx: WebhooksCtx,
  key: DeliveryKey,
  /** Writes down who asked, in the same transaction. */
  record?: (tx: Tx, before: Delivery['status']) => Promise<void>,
): Promise<DeliveryDetails> {
  return ctx.store.transaction(async (tx) => {
    const { id, endpointId, object, status: before } = await requireDelivery(tx, key);
    const { status } = await requireEndpoint(tx, { projectId: key.projectId, id: endpointId });
    if (status !== 'enabled') throw new ServiceError('webhook-endpoint-disabled');
    const isQueued = await requeueDelivery(tx, { id, endpointId, object, now: ctx.clock.now() });
    if (isQueued) tx.afterCommit(() => ring(ctx.store, deliveriesChannel));
    const delivery = await requireDelivery(tx, key);
    if (!isQueued && delivery.kind !== 'resend') throw stillSent(delivery);
    await record?.(tx, before);
    return delivery;
  });
}

function stillSent({ status, nextAttemptAt }: DeliveryDetails): ServiceError {
  const when =
    nextAttemptAt === null
      ? 'after what was to be sent before it'
      : `at ${nextAttemptAt.toISOString()}`;
  return new ServiceError('conflict', {
    message: `The delivery is ${status}: it is sent by itself ${when}. Only one that is delivered or failed can be sent again.`,
  });
}

/**
 * Sends an event that says nothing, whatever types the endpoint takes.
 * @throws webhook-endpoint-not-found, webhook-endpoint-disabled
 */
export async function sendTestEvent(
  ctx: WebhooksCtx,
  endpoint: EndpointKey,
): Promise<DeliveryDetails> {
  const { projectId } = endpoint;
  const eventId = ctx.ids.uuid();
  const event = { id: eventId, type: testEventType, object: `webhook-endpoint:${endpoint.id}` };
  const payload = formatPayload({
    ...event,
    data: { message: 'This is a test: nothing has happened.', endpointId: endpoint.id },
  });
  const delivery = {
    ...event,
    id: ctx.idempotency?.objectId ?? ctx.ids.uuid(),
    endpointId: endpoint.id,
    eventId,
  };
  const key = { projectId, id: delivery.id };
  await ctx.store.transaction(async (tx) => {
    const { status } = await requireEndpoint(tx, endpoint);
    // A repeat of a call whose process died after its commit.
    if (await selectDelivery(tx, key)) return;
    if (status !== 'enabled') throw new ServiceError('webhook-endpoint-disabled');
    await insertEvents(tx, [
      { ...event, position: null, projectId, payload, createdAt: ctx.clock.now() },
    ]);
    await queueDeliveries(tx, [delivery], { kind: 'test', now: ctx.clock.now() });
    tx.afterCommit(() => ring(ctx.store, deliveriesChannel));
  });
  return getDelivery(ctx, key);
}
