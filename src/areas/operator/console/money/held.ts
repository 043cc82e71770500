import { z } from 'zod';
import type { PublicRoute } from '../../../../http/routes/public-routes.ts';
import { type HeldMoney, holdKinds, listHolds } from '../../../orders/index.ts';
import { byTime, listRoute } from '../lists.ts';

/** Money that does not go on by itself: what holds it, since when and why. */
export const heldRoutes: readonly PublicRoute[] = [
  listRoute('/holds', {
    filters: z.object({ kind: z.enum(holdKinds).optional() }),
    places: byTime(({ since, id }: HeldMoney) => ({ at: since, id })),
    rows: (ctx, { query: { kind }, projects, after, limit }) =>
      listHolds(ctx, { projectIds: projects.map(({ id }) => id), kind, after, limit }),
    csv: {
      kind: ({ kind }) => kind,
      id: ({ id }) => id,
      project: ({ projectId }) => projectId,
      order: ({ orderId }) => orderId,
      amount: ({ amount }) => amount?.amount,
      currency: ({ amount }) => amount?.currency,
      since: ({ since }) => since,
      why: ({ reason }) => reason,
    },
  }),
];
