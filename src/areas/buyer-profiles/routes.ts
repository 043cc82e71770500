import { type AnyRoute, route } from '../../http/routes/route.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import {
  type BuyerProfile,
  createBuyerProfile,
  deleteBuyerProfile,
  getBuyerProfile,
  listBuyerProfiles,
  updateBuyerProfile,
} from './buyer-profiles.ts';
import {
  buyerProfileListQuerySchema,
  buyerProfileListSchema,
  buyerProfileParamsSchema,
  buyerProfileSchema,
  createBuyerProfileSchema,
  updateBuyerProfileSchema,
} from './schema.ts';

const path = '/unstable/agent-checkouts/buyer-profiles';
const tag = 'Agent checkouts';
const authOf = (verb: 'create' | 'read' | 'update' | 'delete') =>
  ({
    keys: 'client',
    user: 'required',
    scopes: [`agent-checkouts.buyer-profiles.${verb}`],
  }) as const;

export const buyerProfileRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path,
    operationId: 'createBuyerProfile',
    summary: 'Create a buyer profile',
    description:
      'Who buys and where to. Checkouts that name it do not ask the user for this. It holds no payment data.',
    tag,
    family: 'A',
    auth: authOf('create'),
    body: createBuyerProfileSchema,
    responses: { 201: { description: 'The buyer profile.', schema: buyerProfileSchema } },
    errors: ['conflict'],
    handler: async (ctx, { body }) => ({
      status: 201,
      body: buyerProfileView(await createBuyerProfile(ctx, body)),
    }),
  }),
  route({
    method: 'GET',
    path,
    operationId: 'listBuyerProfiles',
    summary: 'List the buyer profiles of the user',
    tag,
    family: 'A',
    auth: authOf('read'),
    query: buyerProfileListQuerySchema,
    responses: { 200: { description: 'Newest first.', schema: buyerProfileListSchema } },
    errors: [],
    handler: async (ctx, { query }) => {
      const { profiles, nextCursor } = await listBuyerProfiles(ctx, query);
      return { status: 200, body: { data: profiles.map(buyerProfileView), nextCursor } };
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getBuyerProfile',
    summary: 'Read a buyer profile',
    tag,
    family: 'A',
    auth: authOf('read'),
    params: buyerProfileParamsSchema,
    responses: { 200: { description: 'The buyer profile.', schema: buyerProfileSchema } },
    errors: ['buyer-profile-not-found'],
    handler: async (ctx, { params }) => ({
      status: 200,
      body: buyerProfileView(await getBuyerProfile(ctx, params.id)),
    }),
  }),
  route({
    method: 'PATCH',
    path: `${path}/:id`,
    operationId: 'updateBuyerProfile',
    summary: 'Change a buyer profile',
    description:
      'Any subset of the fields; those of `name`, `contact` and `shipping` one by one. `null` clears what may be null.',
    tag,
    family: 'A',
    auth: authOf('update'),
    params: buyerProfileParamsSchema,
    body: updateBuyerProfileSchema,
    responses: { 200: { description: 'The buyer profile.', schema: buyerProfileSchema } },
    errors: ['buyer-profile-not-found', 'conflict'],
    handler: async (ctx, { params, body }) => ({
      status: 200,
      body: buyerProfileView(await updateBuyerProfile(ctx, params.id, body)),
    }),
  }),
  route({
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'deleteBuyerProfile',
    summary: 'Delete a buyer profile',
    tag,
    family: 'A',
    auth: authOf('delete'),
    params: buyerProfileParamsSchema,
    responses: { 204: { description: 'It is gone.' } },
    errors: ['buyer-profile-not-found'],
    handler: async (ctx, { params }) => {
      await deleteBuyerProfile(ctx, params.id);
      return { status: 204 };
    },
  }),
];

function buyerProfileView({ id, content, createdAt, updatedAt }: BuyerProfile): JsonObject {
  return { id, ...content, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
