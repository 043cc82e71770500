import { type AnyRoute, route } from '../../http/routes/route.ts';
import { createUserRoutes } from '../users/index.ts';
import { userParamsSchema } from '../users/schema.ts';
import { followUserChange, getEligibility, startIdentityVerification } from './identity.ts';
import { requireProduct } from './product.ts';
import { eligibilitySchema } from './schema.ts';

const path = '/2025-06-09/users/:userLocator/identity-verification';
const errors = ['invalid-locator', 'project:addon.required', 'user-not-found'] as const;

/** The routes of users, whose data identity verification looks at. */
export const userRoutes: readonly AnyRoute[] = createUserRoutes({
  requireProduct,
  followUserChange,
});

export const identityRoutes: readonly AnyRoute[] = [
  route({
    method: 'PUT',
    path,
    operationId: 'startIdentityVerification',
    summary: 'Start identity verification',
    description:
      'Starts the checks of every open type: what is complete becomes `pending-review` and is decided later, the rest says what it lacks. Poll the list, or wait for the event `users.identity-verification.updated`. Other data than was reviewed makes a type `not-started` again.',
    tag: 'Users',
    family: 'U',
    auth: { keys: 'both', user: 'required', scopes: ['users.create'] },
    params: userParamsSchema,
    responses: { 200: { description: 'The eligibility list.', schema: eligibilitySchema } },
    errors: [...errors, 'conflict'],
    handler: async (ctx, { params }) => ({
      status: 200,
      body: { eligibility: await startIdentityVerification(ctx, params.userLocator) },
    }),
  }),
  route({
    method: 'GET',
    path,
    operationId: 'getIdentityVerification',
    summary: 'Read the identity verification status',
    tag: 'Users',
    family: 'U',
    auth: { keys: 'both', user: 'required', scopes: ['users.read'] },
    params: userParamsSchema,
    responses: { 200: { description: 'The eligibility list.', schema: eligibilitySchema } },
    errors,
    handler: async (ctx, { params }) => ({
      status: 200,
      body: { eligibility: await getEligibility(ctx, params.userLocator) },
    }),
  }),
];
