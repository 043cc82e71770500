import { type AnyRoute, route } from '../../http/routes/route.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import {
  type BrowserProfile,
  createBrowserProfile,
  deleteBrowserProfile,
  getBrowserProfile,
  listBrowserProfiles,
  updateBrowserProfile,
} from './browser-profiles.ts';
import {
  browserProfileListSchema,
  browserProfileParamsSchema,
  browserProfileSchema,
  createBrowserProfileSchema,
  updateBrowserProfileSchema,
} from './schema.ts';

const path = '/unstable/agent-checkouts/browser-profiles';
const tag = 'Agent checkouts';
const authOf = (verb: 'create' | 'read' | 'update' | 'delete') =>
  ({
    keys: 'client',
    user: 'required',
    scopes: [`agent-checkouts.browser-profiles.${verb}`],
  }) as const;
const one = { description: 'The browser profile.', schema: browserProfileSchema };

export const browserProfileRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path,
    operationId: 'createBrowserProfile',
    summary: 'Create the browser profile of the user',
    description:
      'Keeps the merchant logins of the user from one checkout to the next. A user has one at most.',
    tag,
    family: 'A',
    auth: authOf('create'),
    body: createBrowserProfileSchema,
    responses: { 201: one },
    errors: ['browser-profile-exists', 'conflict'],
    handler: async (ctx, { body }) => ({
      status: 201,
      body: browserProfileView(await createBrowserProfile(ctx, body)),
    }),
  }),
  route({
    method: 'GET',
    path,
    operationId: 'listBrowserProfiles',
    summary: 'List the browser profiles of the user',
    tag,
    family: 'A',
    auth: authOf('read'),
    responses: { 200: { description: 'None or one.', schema: browserProfileListSchema } },
    errors: [],
    handler: async (ctx) => ({
      status: 200,
      body: { data: (await listBrowserProfiles(ctx)).map(browserProfileView), nextCursor: null },
    }),
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getBrowserProfile',
    summary: 'Read a browser profile',
    tag,
    family: 'A',
    auth: authOf('read'),
    params: browserProfileParamsSchema,
    responses: { 200: one },
    errors: ['browser-profile-not-found'],
    handler: async (ctx, { params }) => ({
      status: 200,
      body: browserProfileView(await getBrowserProfile(ctx, params.id)),
    }),
  }),
  route({
    method: 'PATCH',
    path: `${path}/:id`,
    operationId: 'updateBrowserProfile',
    summary: 'Change the label of a browser profile',
    tag,
    family: 'A',
    auth: authOf('update'),
    params: browserProfileParamsSchema,
    body: updateBrowserProfileSchema,
    responses: { 200: one },
    errors: ['browser-profile-not-found', 'conflict'],
    handler: async (ctx, { params, body }) => ({
      status: 200,
      body: browserProfileView(await updateBrowserProfile(ctx, params.id, body)),
    }),
  }),
  route({
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'deleteBrowserProfile',
    summary: 'Delete a browser profile',
    description:
      'Its logins are erased once the checkouts that run with it are over; what they learn is dropped. It cannot be undone. With 503 nothing has changed: repeat it.',
    tag,
    family: 'A',
    auth: authOf('delete'),
    params: browserProfileParamsSchema,
    responses: { 204: { description: 'It is deleted, and its erasure scheduled.' } },
    errors: ['browser-profile-not-found', 'profile-erasure-unavailable'],
    handler: async (ctx, { params }) => {
      await deleteBrowserProfile(ctx, params.id);
      return { status: 204 };
    },
  }),
];

function browserProfileView({ id, label, createdAt, updatedAt }: BrowserProfile): JsonObject {
  return {
    id,
    ...(label !== undefined && { label }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
