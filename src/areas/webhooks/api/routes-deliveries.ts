import type { RequestCtx } from '../../../context.ts';
import { type AnyRoute, route } from '../../../http/routes/route.ts';
import {
  getDelivery,
  listDeliveries,
  resendDelivery,
  sendTestEvent,
} from '../deliveries/deliveries.ts';
import { createReplay, getReplay, listReplays } from '../deliveries/replay.ts';
import {
  createReplaySchema,
  deliveryDetailsSchema,
  deliveryPageSchema,
  deliveryParamsSchema,
  deliveryQuerySchema,
  endpointParamsSchema,
  pageQuerySchema,
  replayPageSchema,
  replayParamsSchema,
  replaySchema,
} from './schema.ts';
import { deliveryDetailsView, deliveryView, replayView } from './view.ts';

const endpointPath = '/unstable/webhooks/endpoints/:endpointId';
const deliveryPath = '/unstable/webhooks/deliveries/:deliveryId';
const common = { tag: 'Webhooks', family: 'W' } as const;
const auth = (verb: 'read' | 'update') =>
  ({ keys: 'server', user: 'none', scopes: [`webhooks.${verb}`] }) as const;
const endpointOf = (ctx: RequestCtx, params: { readonly endpointId: string }) => ({
  projectId: ctx.caller.projectId,
  id: params.endpointId,
});
const deliveryOf = (ctx: RequestCtx, params: { readonly deliveryId: string }) => ({
  projectId: ctx.caller.projectId,
  id: params.deliveryId,
});

/** What was sent and is to be sent: reading it, sending it again, trying it out. */
export const deliveryRoutes: readonly AnyRoute[] = [
  route({
    ...common,
    method: 'POST',
    path: `${endpointPath}/test`,
    operationId: 'testWebhookEndpoint',
    summary: 'Send a test event',
    description: 'An event `webhooks.test`, whatever types the endpoint takes.',
    auth: auth('update'),
    params: endpointParamsSchema,
    responses: { 202: { description: 'Its delivery.', schema: deliveryDetailsSchema } },
    errors: ['webhook-endpoint-not-found', 'webhook-endpoint-disabled'],
    handler: async (ctx, { params }) => ({
      status: 202,
      body: deliveryDetailsView(await sendTestEvent(ctx, endpointOf(ctx, params))),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: `${endpointPath}/deliveries`,
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook endpoint',
    auth: auth('read'),
    params: endpointParamsSchema,
    query: deliveryQuerySchema,
    responses: {
      200: { description: 'A page of deliveries, the newest first.', schema: deliveryPageSchema },
    },
    errors: ['webhook-endpoint-not-found'],
    handler: async (ctx, { params, query }) => {
      const { entries, nextCursor } = await listDeliveries(ctx, {
        endpoint: endpointOf(ctx, params),
        query,
      });
      return { status: 200, body: { deliveries: entries.map(deliveryView), nextCursor } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: deliveryPath,
    operationId: 'getWebhookDelivery',
    summary: 'Read a delivery with its attempts',
    auth: auth('read'),
    params: deliveryParamsSchema,
    responses: { 200: { description: 'The delivery.', schema: deliveryDetailsSchema } },
    errors: ['webhook-delivery-not-found'],
    handler: async (ctx, { params }) => ({
      status: 200,
      body: deliveryDetailsView(await getDelivery(ctx, deliveryOf(ctx, params))),
    }),
  }),
  route({
    ...common,
    method: 'POST',
    path: `${deliveryPath}/resend`,
    operationId: 'resendWebhookDelivery',
    summary: 'Send a delivery once more',
    description:
      'One that is `delivered` or `failed` is `pending` again, with all its attempts before it and the same `webhook-id`. Its `attempts` list goes on, its `attemptCount` begins anew.',
    auth: auth('update'),
    params: deliveryParamsSchema,
    responses: { 202: { description: 'The delivery.', schema: deliveryDetailsSchema } },
    errors: ['webhook-delivery-not-found', 'webhook-endpoint-disabled', 'conflict'],
    handler: async (ctx, { params }) => ({
      status: 202,
      body: deliveryDetailsView(await resendDelivery(ctx, deliveryOf(ctx, params))),
    }),
  }),
  route({
    ...common,
    method: 'POST',
    path: `${endpointPath}/replays`,
    operationId: 'createWebhookReplay',
    summary: 'Send all events of a time range once more',
    description:
      'In order, with the ids they had; also those that the endpoint never got. Events are kept for 30 days.',
    auth: auth('update'),
    params: endpointParamsSchema,
    body: createReplaySchema,
    responses: {
      202: { description: 'The replay, which goes on by itself.', schema: replaySchema },
    },
    errors: ['webhook-endpoint-not-found', 'webhook-endpoint-disabled'],
    handler: async (ctx, { params, body }) => ({
      status: 202,
      body: replayView(await createReplay(ctx, { ...body, endpoint: endpointOf(ctx, params) })),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: `${endpointPath}/replays`,
    operationId: 'listWebhookReplays',
    summary: 'List the replays of a webhook endpoint',
    auth: auth('read'),
    params: endpointParamsSchema,
    query: pageQuerySchema,
    responses: {
      200: { description: 'A page of replays, the newest first.', schema: replayPageSchema },
    },
    errors: ['webhook-endpoint-not-found'],
    handler: async (ctx, { params, query }) => {
      const { entries, nextCursor } = await listReplays(ctx, {
        endpoint: endpointOf(ctx, params),
        ...query,
      });
      return { status: 200, body: { replays: entries.map(replayView), nextCursor } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: `${endpointPath}/replays/:replayId`,
    operationId: 'getWebhookReplay',
    summary: 'Read how far a replay is',
    auth: auth('read'),
    params: replayParamsSchema,
    responses: { 200: { description: 'The replay.', schema: replaySchema } },
    errors: ['webhook-endpoint-not-found', 'webhook-replay-not-found'],
    handler: async (ctx, { params }) => ({
      status: 200,
      body: replayView(
        await getReplay(ctx, { endpoint: endpointOf(ctx, params), id: params.replayId }),
      ),
    }),
  }),
];
