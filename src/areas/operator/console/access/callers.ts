import { z } from 'zod';
import type { PublicRoute } from '../../../../http/routes/public-routes.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { type KeyLine, listKeyLines } from '../../../api-keys/index.ts';
import { readPageSettings } from '../../../approval-page/index.ts';
import { isProductEnabled } from '../../../identity/index.ts';
import { type ListedIssuer, type Project, selectIssuersOf } from '../../../projects/index.ts';
import { readTurn } from '../../../reconciliation/index.ts';
import { roleIn } from '../../operators/operators.ts';
import { readRoute } from '../guard.ts';
import { byTime, listRoute } from '../lists.ts';

const newestFirst = <Row extends Pick<Project, 'createdAt' | 'id'>>() =>
  byTime(({ createdAt, id }: Row) => ({ at: createdAt, id }));
const stateOf = ({ revokedAt }: KeyLine, now: Date) =>
  revokedAt === undefined ? 'active' : revokedAt > now ? 'ending' : 'ended';
type StatedKey = KeyLine & { readonly state: ReturnType<typeof stateOf> };

/**
 * Who may call, and who vouches for users: never a key, nor anything that one can be checked
 * against.
 */
export const callerRoutes: readonly PublicRoute[] = [
  listRoute('/projects', {
    filters: z.object({}),
    places: newestFirst(),
    rows: async (_, { projects, session: { operator }, after, limit }) =>
      projects
        .filter(
          ({ createdAt, id }) =>
            !after ||
            createdAt < after.at ||
            (createdAt.getTime() === after.at.getTime() && id < after.id),
        )
        .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
        .slice(0, limit)
        .map(({ id, name, createdAt }) => ({
          id,
          projectId: id,
          name,
          createdAt,
          role: roleIn(operator, id),
        })),
  }),
  readRoute(
    '/projects/:id',
    z.looseObject({}),
    async (ctx, { params, projects, session: { operator } }) => {
      const project = projects.find(({ id }) => id === params.id);
      if (!project)
        throw new ServiceError('forbidden', { message: 'You have no role in such a project.' });
      const { logo, ...page } = await readPageSettings(ctx, project.id);
      return {
        project: { ...project, projectId: project.id, role: roleIn(operator, project.id) },
        approvalPage: { ...page, hasLogo: logo !== undefined },
        hasIdentity: await isProductEnabled(ctx, project.id),
        comparison: await readTurn(ctx.store, project.id),
      };
    },
  ),
  listRoute('/keys', {
    filters: z.object({
      kind: z.enum(['server', 'client']).optional(),
      state: z.enum(['active', 'ended']).optional(),
    }),
    places: newestFirst<StatedKey>(),
    rows: async (ctx, { query: { kind, state }, projects, after, limit }) => {
      const now = ctx.clock.now();
      const found = await listKeyLines(ctx.store, {
        projectIds: projects.map(({ id }) => id),
        kind,
        state,
        now,
        before: after,
        limit,
      });
      return found.map((key) => ({ ...key, state: stateOf(key, now) }));
    },
    csv: {
      key: ({ id }) => id,
      project: ({ projectId }) => projectId,
      name: ({ name }) => name,
      kind: ({ kind }) => kind,
      endsWith: ({ hint }) => hint,
      state: ({ state }) => state,
      scopes: ({ scopes }) => scopes.join(' '),
      origins: ({ allowedOrigins }) => allowedOrigins.join(' '),
      createdAt: ({ createdAt }) => createdAt,
      revokedAt: ({ revokedAt }) => revokedAt,
    },
  }),
  listRoute('/issuers', {
    filters: z.object({}),
    places: newestFirst(),
    rows: async (ctx, { projects, after, limit }) =>
      (
        await selectIssuersOf(ctx.store, {
          projectIds: projects.map(({ id }) => id),
          before: after,
          limit,
        })
      ).map(issuerLine),
  }),
];

const issuerLine = ({
  id,
  projectId,
  issuer,
  audiences,
  algorithm,
  jwksUrl,
  jwks,
  rules,
  createdAt,
  sealProblem,
}: ListedIssuer) => ({
  id,
  projectId,
  issuer,
  audiences,
  algorithm,
  jwksUrl,
  keys: jwks?.keys.length,
  rules,
  createdAt,
  ...(sealProblem !== undefined && { isChanged: true }),
});
