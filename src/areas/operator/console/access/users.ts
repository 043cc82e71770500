import { z } from 'zod';
import type { PublicRoute } from '../../../../http/routes/public-routes.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { readEligibility } from '../../../identity/index.ts';
import { readLimitsOf } from '../../../orders/index.ts';
import { listUserLines, readUserOf, type UserLine } from '../../../users/index.ts';
import { idIn, readRoute } from '../guard.ts';
import { byTime, listRoute } from '../lists.ts';

/**
 * Users by the names that projects gave them, and which data there is of them: the data itself is
 * nowhere in the console.
 */
export const userRoutes: readonly PublicRoute[] = [
  listRoute('/users', {
    filters: z.object({ find: z.string().trim().min(1).max(200).optional() }),
    places: byTime(({ createdAt, id }: UserLine) => ({ at: createdAt, id })),
    rows: (ctx, { query: { find }, projects, after, limit }) =>
      listUserLines(ctx, { projectIds: projects.map(({ id }) => id), find, before: after, limit }),
  }),
  readRoute('/users/:id', z.looseObject({}), async (ctx, { params, projects }) => {
    const id = idIn(params.id);
    const found =
      id === undefined
        ? undefined
        : await readUserOf(ctx, { id, projectIds: projects.map((project) => project.id) });
    if (!found)
      throw new ServiceError('user-not-found', {
        message: 'There is no such user in a project of yours.',
      });
    const { shown, user } = found;
    const [eligibility, limits] = await Promise.all([
      readEligibility(ctx.store, user),
      readLimitsOf(ctx, { projectId: user.projectId, userId: user.id }),
    ]);
    return { user: shown, eligibility, limits };
  }),
];
