import { deliveriesChannel, ring } from '../../jobs/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';
import { type Delivery, type DeliveryDetails, selectDeliveries, selectDelivery } from './delivery-store.ts';
import { type EndpointKey, requireEndpoint, type WebhooksCtx } from './endpoints.ts';
import { insertEvents } from './event-store.ts';
import { formatPayload, testEventType } from './event-types.ts';
import { cutPage, type Page, readLimit, readNumberCursor } from './page.ts';
import { type NewDelivery, queueDeliveries } from './queue-store.ts';
import type { DeliveryQuery } from './schema.ts';

/** Deliveries of an endpoint, the newest first. @throws webhook-endpoint-not-found, validation-error */
export async function listDeliveries(
  ctx: Pick<WebhooksCtx, 'store'>,
  input: { readonly endpoint: EndpointKey; readonly query: DeliveryQuery },
): Promise<Page<Delivery>> {
  const { endpoint, query } = input;
  await requireEndpoint(ctx.store, endpoint);
  const limit = readLimit(query.limit);
  const beforeNr = readNumberCursor(query.cursor);
  const { status, type } = query;
  const rows = await selectDeliveries(ctx.store, { endpointId: endpoint.id, status, type, beforeNr, limit: limit + 1 });
  return cutPage(rows, limit, ({ nr }) => nr);
}

/** @throws webhook-delivery-not-found */
export async function getDelivery(
  ctx: Pick<WebhooksCtx, 'store'>,
  key: { readonly projectId: string; readonly id: string },
): Promise<DeliveryDetails> {
  const delivery = await selectDelivery(ctx.store, key);
  if (!delivery) throw new ServiceError('webhook-delivery-not-found');
  return delivery;
}

/**
 * Sends an event to its endpoint once more, as a delivery of its own with the same `webhook-id`.
 * @throws webhook-delivery-not-found, webhook-endpoint-disabled
 */
export async function resendDelivery(ctx: WebhooksCtx, key: { readonly projectId: string; readonly id: string }): Promise<DeliveryDetails> {
  const { projectId } = key;
  const { endpointId, eventId, object, type } = await getDelivery(ctx, key);
  const delivery = { id: ctx.idempotency?.objectId ?? ctx.ids.uuid(), endpointId, eventId, object, type };
  await queueOne(ctx, { delivery, kind: 'resend', endpoint: { projectId, id: endpointId } });
  return getDelivery(ctx, { projectId, id: delivery.id });
}

/**
 * Sends an event that says nothing, whatever types the endpoint takes.
 * @throws webhook-endpoint-not-found, webhook-endpoint-disabled
 */
export async function sendTestEvent(ctx: WebhooksCtx, endpoint: EndpointKey): Promise<DeliveryDetails> {
  const { projectId } = endpoint;
  const eventId = ctx.ids.uuid();
  const event = { id: eventId, type: testEventType, object: `webhook-endpoint:${endpoint.id}` };
  const payload = formatPayload({ ...event, data: { message: 'This is a test: nothing has happened.', endpointId: endpoint.id } });
  const delivery = { ...event, id: ctx.idempotency?.objectId ?? ctx.ids.uuid(), endpointId: endpoint.id, eventId };
  await queueOne(ctx, {
    delivery,
    kind: 'test',
    endpoint,
    before: async (tx) => {
      await insertEvents(tx, [{ ...event, position: null, projectId, payload, createdAt: ctx.clock.now() }]);
    },
  });
  return getDelivery(ctx, { projectId, id: delivery.id });
}

async function queueOne(
  ctx: WebhooksCtx,
  input: {
    readonly delivery: NewDelivery;
    readonly kind: 'resend' | 'test';
    readonly endpoint: EndpointKey;
    readonly before?: (tx: Tx) => Promise<void>;
  },
): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    const { status } = await requireEndpoint(tx, input.endpoint);
    // A repeat of a call whose process died after its commit.
    if (await selectDelivery(tx, { projectId: input.endpoint.projectId, id: input.delivery.id })) return;
    if (status !== 'enabled') throw new ServiceError('webhook-endpoint-disabled');
    await input.before?.(tx);
    await queueDeliveries(tx, [input.delivery], { kind: input.kind, now: ctx.clock.now() });
    tx.afterCommit(() => ring(ctx.store, deliveriesChannel));
  });
}
