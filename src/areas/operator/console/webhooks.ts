import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import type { PublicRoute } from '../../../http/routes/public-routes.ts';
import { ServiceError } from '../../../lib/errors.ts';
import {
  type Delivery,
  deliveryDetailsView,
  deliveryStatuses,
  deliveryView,
  endpointView,
  eventView,
  publicEventTypes,
  selectDeliveries,
  selectDelivery,
  selectEndpoint,
  selectEndpointsOf,
  selectNewestEvents,
} from '../../webhooks/index.ts';
import { type ConsoleCall, idIn, readRoute } from './guard.ts';
import { byNumber, listRoute } from './lists.ts';

type DeliveryLine = ReturnType<typeof deliveryView> & Pick<Delivery, 'nr'>;

const projectIdsOf = ({ projects }: Pick<ConsoleCall, 'projects'>) => projects.map(({ id }) => id);

/**
 * What several projects may have, asked of each: they are few.
 * @throws what `notFound` says when none has it
 */
async function firstOf<T>(
  call: ConsoleCall,
  read: (projectId: string) => Promise<T | undefined>,
  what: string,
) {
  for (const { id: projectId } of call.projects) {
    const found = await read(projectId);
    if (found) return { projectId, found };
  }
  throw new ServiceError(
    what === 'endpoint' ? 'webhook-endpoint-not-found' : 'webhook-delivery-not-found',
    {
      message: `There is no such ${what} in a project of yours.`,
    },
  );
}

const requireEndpoint = (ctx: Ctx, call: ConsoleCall) => {
  const id = idIn(call.params.id);
  return firstOf(
    call,
    async (projectId) =>
      id === undefined ? undefined : selectEndpoint(ctx.store, { projectId, id }),
    'endpoint',
  );
};

/** Who is told of what, what was sent to whom and how it went, and every event as it comes. */
export const webhookRoutes: readonly PublicRoute[] = [
  listRoute('/webhooks', {
    filters: z.object({ failing: z.enum(['yes']).optional() }),
    // Ids rise with time.
    places: {
      encode: ({ id }: { readonly id: string }) => id,
      decode: (text) => {
        const id = idIn(text);
        if (id === undefined)
          throw new ServiceError('validation-error', {
            message: 'cursor: send nextCursor as it came, or leave it out.',
          });
        return id;
      },
    },
    rows: async (ctx, call) => {
      const input = {
        projectIds: projectIdsOf(call),
        failingOnly: call.query.failing === 'yes',
        afterId: call.after,
        limit: call.limit,
      };
      return (await selectEndpointsOf(ctx.store, input)).map((one) => ({
        ...endpointView(one),
        projectId: one.projectId,
      }));
    },
  }),
  readRoute('/webhooks/:id', z.looseObject({}), async (ctx, call) => {
    const { found, projectId } = await requireEndpoint(ctx, call);
    return { ...endpointView(found), projectId };
  }),
  listRoute('/webhooks/:id/deliveries', {
    filters: z.object({ status: z.enum(deliveryStatuses).optional() }),
    places: byNumber(({ nr }: DeliveryLine) => nr),
    rows: async (ctx, call) => {
      const { found } = await requireEndpoint(ctx, call);
      const beforeNr = call.after === undefined ? undefined : BigInt(call.after);
      const { status } = call.query;
      const input = {
        endpointId: found.id,
        limit: call.limit,
        ...(status && { status }),
        ...(beforeNr !== undefined && { beforeNr }),
      };
      return (await selectDeliveries(ctx.store, input)).map((one) => ({
        ...deliveryView(one),
        nr: one.nr,
      }));
    },
    csv: {
      delivery: ({ id }) => id,
      event: ({ eventId }) => eventId,
      type: ({ eventType }) => eventType,
      object: ({ object }) => object,
      kind: ({ kind }) => kind,
      status: ({ status }) => status,
      tries: ({ attemptCount }) => attemptCount,
      createdAt: ({ createdAt }) => createdAt,
      finishedAt: ({ finishedAt }) => finishedAt,
    },
  }),
  readRoute('/deliveries/:id', z.looseObject({}), async (ctx, call) => {
    const id = idIn(call.params.id);
    const { found, projectId } = await firstOf(
      call,
      async (project) =>
        id === undefined ? undefined : selectDelivery(ctx.store, { projectId: project, id }),
      'delivery',
    );
    return { ...deliveryDetailsView(found), projectId };
  }),
  listRoute('/events', {
    filters: z.object({
      object: z.string().min(1).max(120).optional(),
      type: z.enum(publicEventTypes).optional(),
    }),
    places: byNumber(({ position }: { readonly position: string }) => position),
    rows: async (ctx, call) => {
      const { object, type } = call.query;
      const beforePosition = call.after === undefined ? undefined : BigInt(call.after);
      const found = await selectNewestEvents(ctx.store, {
        projectIds: projectIdsOf(call),
        object,
        type,
        beforePosition,
        limit: call.limit,
      });
      return found.map((one) => ({
        ...eventView(one),
        projectId: one.projectId,
        ...(one.isChanged && { isChanged: true }),
      }));
    },
  }),
];
