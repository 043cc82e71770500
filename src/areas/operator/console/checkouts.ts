import { z } from 'zod';
import type { PublicRoute } from '../../../http/routes/public-routes.ts';
import { ServiceError } from '../../../lib/errors.ts';
import {
  agentCheckoutStatuses,
  attentionOfCheckout,
  isPictureKept,
  moneyView,
  readProjectCheckout,
  readStepPicture,
  selectProjectCheckouts,
} from '../../agent-checkouts/index.ts';
import { mayAct } from '../../operations/index.ts';
import { roleIn } from '../operators/operators.ts';
import { type ConsoleCall, idIn, readRoute, sessionRoute } from './guard.ts';
import { byTime, listRoute } from './lists.ts';

type Line = Awaited<ReturnType<typeof selectProjectCheckouts>>[number];

const notFound = () =>
  new ServiceError('checkout-not-found', {
    message: 'There is no such checkout in a project of yours.',
  });
const projectIdsOf = ({ projects }: Pick<ConsoleCall, 'projects'>) => projects.map(({ id }) => id);
/** Pictures of a shop's pages show names and addresses. */
const maySeePictures = ({ session: { operator } }: ConsoleCall, projectId: string) =>
  mayAct(roleIn(operator, projectId) ?? 'viewer', 'support');

/** Purchases of agents: where each stands or stopped, and the evidence of every step. */
export const checkoutRoutes: readonly PublicRoute[] = [
  listRoute('/checkouts', {
    filters: z.object({
      status: z.enum(agentCheckoutStatuses).optional(),
      unknown: z.enum(['yes']).optional(),
    }),
    places: byTime(({ createdAt, id }: Line) => ({ at: createdAt, id })),
    rows: async (ctx, call) => {
      const { query, after: before, limit } = call;
      const unknownOnly = query.unknown === 'yes';
      const lines = await selectProjectCheckouts(ctx.store, {
        projectIds: projectIdsOf(call),
        status: query.status,
        unknownOnly,
        before,
        limit,
      });
      return lines.map(({ itemKey: _, metadata: __, liveOrigin: ___, ...line }) => line as Line);
    },
    csv: {
      checkout: ({ id }) => id,
      project: ({ projectId }) => projectId,
      status: ({ status }) => status,
      outcome: ({ outcome }) => outcome,
      step: ({ step }) => step,
      product: ({ target }) => target.url,
      createdAt: ({ createdAt }) => createdAt,
      endedAt: ({ endedAt }) => endedAt,
    },
  }),
  readRoute('/checkouts/:id', z.looseObject({}), async (ctx, call) => {
    const id = idIn(call.params.id);
    const found =
      id === undefined
        ? undefined
        : await readProjectCheckout(ctx.store, { id, projectIds: projectIdsOf(call) });
    if (!found) throw notFound();
    const { liveOrigin: _, ...checkout } = found.checkout;
    const { endedAt, updatedAt } = checkout;
    const hasPictures =
      maySeePictures(call, checkout.projectId) && isPictureKept(ctx, endedAt ?? updatedAt);
    const steps = found.steps.map(({ evidence, hasPicture, ...step }) => ({
      ...step,
      ...evidence,
      hasPicture: hasPicture && hasPictures,
    }));
    const cards = found.cards.map(({ limit, nr, source, askedAt, closedAt }) => ({
      nr,
      source,
      askedAt,
      closedAt,
      limit: moneyView(limit),
    }));
    return { ...found, checkout, steps, cards, waiting: attentionOfCheckout(found.checkout) };
  }),
  sessionRoute('/checkouts/:id/pictures/:nr', z.looseObject({}), async (ctx, call) => {
    const [id, nr] = [idIn(call.params.id), Number(call.params.nr)];
    if (id === undefined || !Number.isInteger(nr) || nr < 1 || nr > 100_000) throw notFound();
    const found = await readProjectCheckout(ctx.store, { id, projectIds: projectIdsOf(call) });
    if (!found) throw notFound();
    const { projectId, endedAt, updatedAt } = found.checkout;
    if (!maySeePictures(call, projectId))
      throw new ServiceError('forbidden', {
        message: 'It takes the role support to see pictures.',
      });
    const picture = isPictureKept(ctx, endedAt ?? updatedAt)
      ? await readStepPicture(ctx, { checkoutId: id, nr })
      : undefined;
    if (!picture) throw new ServiceError('picture-not-found');
    const headers = {
      'content-type': 'image/jpeg',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    };
    return { status: 200, headers, body: picture };
  }),
];
