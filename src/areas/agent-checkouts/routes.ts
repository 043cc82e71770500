import { type AnyRoute, route } from '../../http/routes/route.ts';
import { respondToAction } from './actions/respond.ts';
import { cancelCheckout } from './cancel-checkout.ts';
import { createCheckout, getCheckout, listCheckouts, viewCheckouts } from './checkouts.ts';
import {
  acknowledgementSchema,
  actionParamsSchema,
  agentCheckoutListSchema,
  agentCheckoutSchema,
  checkoutListQuerySchema,
  checkoutParamsSchema,
  createAgentCheckoutSchema,
  pictureParamsSchema,
  respondSchema,
  stepListSchema,
} from './schema.ts';
import { getStepPicture, listSteps } from './steps/steps.ts';

const path = '/unstable/agent-checkouts';
const tag = 'Agent checkouts';
const authOf = (verb: 'create' | 'read' | 'update' | 'cancel') =>
  ({ keys: 'client', user: 'required', scopes: [`agent-checkouts.${verb}`] }) as const;
const view = { description: 'The checkout.', schema: agentCheckoutSchema };

export const agentCheckoutRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path,
    operationId: 'createAgentCheckout',
    summary: 'Buy something in a shop',
    description:
      'Queues a run of a browser that buys the product at `target.url` for at most `constraints.maxCost`. Poll the checkout, or listen to `agent-checkouts.updated`; answer what it asks as `pendingUserAction`. One user has at most 20 checkouts that are not over, unless the operator says otherwise; one more is refused with 429.',
    tag,
    family: 'A',
    auth: authOf('create'),
    body: createAgentCheckoutSchema,
    responses: { 200: view },
    errors: ['buyer-profile-not-found', 'browser-profile-not-found', 'conflict'],
    handler: async (ctx, { body }) => ({
      status: 200,
      body: (await viewCheckouts(ctx, [await createCheckout(ctx, body)]))[0],
    }),
  }),
  route({
    method: 'GET',
    path,
    operationId: 'listAgentCheckouts',
    summary: 'List the checkouts of the user',
    tag,
    family: 'A',
    auth: authOf('read'),
    query: checkoutListQuerySchema,
    responses: { 200: { description: 'Newest first.', schema: agentCheckoutListSchema } },
    errors: [],
    handler: async (ctx, { query }) => {
      const { checkouts, nextCursor } = await listCheckouts(ctx, query);
      return { status: 200, body: { data: await viewCheckouts(ctx, checkouts), nextCursor } };
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getAgentCheckout',
    summary: 'Read a checkout',
    tag,
    family: 'A',
    auth: authOf('read'),
    params: checkoutParamsSchema,
    responses: { 200: view },
    errors: ['checkout-not-found'],
    handler: async (ctx, { params }) => ({
      status: 200,
      body: (await viewCheckouts(ctx, [await getCheckout(ctx, params.id)]))[0],
    }),
  }),
  route({
    method: 'GET',
    path: `${path}/:id/steps`,
    operationId: 'listAgentCheckoutSteps',
    summary: 'List what a checkout did',
    description:
      'Beyond the steps, pictures of the pages with secrets hidden, for as long as the operator keeps them.',
    tag,
    family: 'A',
    auth: authOf('read'),
    params: checkoutParamsSchema,
    query: checkoutListQuerySchema,
    responses: { 200: { description: 'Oldest first.', schema: stepListSchema } },
    errors: ['checkout-not-found'],
    handler: async (ctx, { params, query }) => ({
      status: 200,
      body: await listSteps(ctx, { ...params, ...query }),
    }),
  }),
  route({
    method: 'GET',
    path: `${path}/:id/steps/:nr/picture`,
    operationId: 'getAgentCheckoutPicture',
    summary: 'See a step of a checkout',
    tag,
    family: 'A',
    auth: authOf('read'),
    params: pictureParamsSchema,
    responses: { 200: { description: 'The picture.', bytes: 'image/jpeg' } },
    errors: ['checkout-not-found', 'picture-not-found'],
    handler: async (ctx, { params }) => ({ status: 200, bytes: await getStepPicture(ctx, params) }),
  }),
  route({
    method: 'POST',
    path: `${path}/:id/actions/:actionId`,
    operationId: 'respondToUserAction',
    summary: 'Answer what a checkout asks',
    description:
      'Once: the same answer again gets the same acknowledgement, another one 409. Afterwards poll the checkout: more may be asked.',
    tag,
    family: 'A',
    auth: authOf('update'),
    params: actionParamsSchema,
    body: respondSchema,
    responses: { 202: { description: 'The answer was taken.', schema: acknowledgementSchema } },
    errors: [
      'checkout-not-found',
      'action-not-found',
      'action-schema-mismatch',
      'action-stale',
      'checkout-finished',
    ],
    handler: async (ctx, { params, body }) => ({
      status: 202,
      body: await respondToAction(ctx, { ...params, body }),
    }),
  }),
  route({
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'cancelAgentCheckout',
    summary: 'Cancel a checkout',
    description:
      'It stops at its next safe place, which a later read shows. Once the order may have been placed it ends by what the shop says.',
    tag,
    family: 'A',
    auth: authOf('cancel'),
    params: checkoutParamsSchema,
    responses: { 202: { description: 'It will be cancelled.' } },
    errors: ['checkout-not-found', 'checkout-finished'],
    handler: async (ctx, { params }) => {
      await cancelCheckout(ctx, params.id);
      return { status: 202 };
    },
  }),
];
