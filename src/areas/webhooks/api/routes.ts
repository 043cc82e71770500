import type { RequestCtx } from '../../../context.ts';
import { type AnyRoute, route } from '../../../http/routes/route.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
} from '../endpoints/endpoints.ts';
import { deliveryRoutes } from './routes-deliveries.ts';
import { eventRoutes } from './routes-events.ts';
import {
  createdEndpointSchema,
  createEndpointSchema,
  endpointPageSchema,
  endpointParamsSchema,
  endpointSchema,
  pageQuerySchema,
  rotatedSecretSchema,
  rotateSecretSchema,
  updateEndpointSchema,
} from './schema.ts';
import { endpointView } from './view.ts';

const path = '/unstable/webhooks/endpoints';
const onePath = `${path}/:endpointId`;
const common = { tag: 'Webhooks', family: 'W' } as const;
const auth = (verb: 'create' | 'read' | 'update' | 'delete') =>
  ({ keys: 'server', user: 'none', scopes: [`webhooks.${verb}`] }) as const;
const keyOf = (ctx: RequestCtx, params: { readonly endpointId: string }) => ({
  projectId: ctx.caller.projectId,
  id: params.endpointId,
});

const endpointRoutes: readonly AnyRoute[] = [
  route({
    ...common,
    method: 'POST',
    path,
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description:
      'The secret verifies what arrives (Standard Webhooks). It is in this answer only; whoever loses it rotates it.',
    auth: auth('create'),
    body: createEndpointSchema,
    responses: {
      201: { description: 'The endpoint, with its secret.', schema: createdEndpointSchema },
    },
    errors: ['webhook-url-not-allowed', 'webhook-endpoint-limit'],
    handler: async (ctx, { body }) => {
      const { endpoint, secret } = await createEndpoint(ctx, {
        ...body,
        projectId: ctx.caller.projectId,
        complete: async (tx, made) =>
          ctx.idempotency?.complete(tx, { status: 201, body: endpointView(made) }),
      });
      return {
        status: 201,
        body: { ...endpointView(endpoint), ...(secret !== undefined && { secret }) },
      };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path,
    operationId: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    auth: auth('read'),
    query: pageQuerySchema,
    responses: {
      200: { description: 'A page of endpoints, the oldest first.', schema: endpointPageSchema },
    },
    errors: [],
    handler: async (ctx, { query }) => {
      const { entries, nextCursor } = await listEndpoints(ctx, {
        projectId: ctx.caller.projectId,
        ...query,
      });
      return { status: 200, body: { endpoints: entries.map(endpointView), nextCursor } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: onePath,
    operationId: 'getWebhookEndpoint',
    summary: 'Read a webhook endpoint',
    auth: auth('read'),
    params: endpointParamsSchema,
    responses: { 200: { description: 'The endpoint.', schema: endpointSchema } },
    errors: ['webhook-endpoint-not-found'],
    handler: async (ctx, { params }) => ({
      status: 200,
      body: endpointView(await getEndpoint(ctx, keyOf(ctx, params))),
    }),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: onePath,
    operationId: 'updateWebhookEndpoint',
    summary: 'Change, disable or enable a webhook endpoint',
    description:
      'A disabled endpoint gets nothing. Enabled again it goes on with what was pending; a replay brings what happened meanwhile.',
    auth: auth('update'),
    params: endpointParamsSchema,
    body: updateEndpointSchema,
    responses: { 200: { description: 'The endpoint.', schema: endpointSchema } },
    errors: ['webhook-endpoint-not-found', 'webhook-url-not-allowed', 'webhook-endpoint-changed'],
    handler: async (ctx, { params, body }) => ({
      status: 200,
      body: endpointView(await changeEndpoint(ctx, keyOf(ctx, params), body)),
    }),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: onePath,
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'With its secrets and its deliveries; nothing is sent to it any more.',
    auth: auth('delete'),
    params: endpointParamsSchema,
    responses: { 204: { description: 'It is gone.' } },
    errors: ['webhook-endpoint-not-found'],
    handler: async (ctx, { params }) => {
      await deleteEndpoint(ctx, keyOf(ctx, params));
      return { status: 204 };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: `${onePath}/rotate-secret`,
    operationId: 'rotateWebhookSecret',
    summary: 'Give a webhook endpoint a new secret',
    description: 'Until the old secret ends, what is sent carries a signature by each.',
    auth: auth('update'),
    params: endpointParamsSchema,
    body: rotateSecretSchema,
    responses: { 200: { description: 'The new secret.', schema: rotatedSecretSchema } },
    errors: ['webhook-endpoint-not-found', 'webhook-endpoint-changed'],
    handler: async (ctx, { params, body }) => {
      const { secret, previousSecretExpiresAt } = await rotateSecret(ctx, keyOf(ctx, params), {
        ...body,
        complete: async (tx, rotated) =>
          ctx.idempotency?.complete(tx, {
            status: 200,
            body: { previousSecretExpiresAt: rotated.previousSecretExpiresAt.toISOString() },
          }),
      });
      return {
        status: 200,
        body: { secret, previousSecretExpiresAt: previousSecretExpiresAt.toISOString() },
      };
    },
  }),
];

export const webhookRoutes: readonly AnyRoute[] = [
  ...endpointRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
];
