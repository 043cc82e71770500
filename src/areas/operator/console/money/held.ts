import { z } from 'zod';
import type { PublicRoute } from '../../../../http/routes/public-routes.ts';
import type { AttentionItem } from '../../../operations/index.ts';
import { type HeldMoney, holdKinds, listHolds, readLikelyOrders } from '../../../orders/index.ts';
import { listAttention } from '../../actions/inbox.ts';
import { byTime, listRoute } from '../lists.ts';

const unmatchedKinds = ['deposit', 'return', 'difference'] as const;
const ageDays = ['1', '7', '30'] as const;
const dayMs = 86_400_000;

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
  listRoute('/unmatched', {
    filters: z.object({
      kind: z.enum(unmatchedKinds).optional(),
      older: z.enum(ageDays).optional(),
    }),
    places: byTime(({ since, id }: AttentionItem) => ({ at: since, id })),
    rows: async (ctx, { query: { kind, older }, projects, after, limit, isCsv }) => {
      const now = ctx.clock.now().getTime();
      const kinds = kind === undefined ? unmatchedKinds : [kind];
      const found = await listAttention(ctx, {
        projectIds: projects.map(({ id }) => id),
        kinds,
        after,
        limit,
      });
      // The oldest come first: what is younger is behind everything that is asked for.
      const aged = found.filter(({ since }) => now - since.getTime() >= Number(older ?? 0) * dayMs);
      return Promise.all(
        aged.map(async (item) => ({
          ...item,
          days: Math.floor((now - item.since.getTime()) / dayMs),
          ...(item.kind === 'deposit' &&
            !isCsv && { likely: await readLikelyOrders(ctx, item.id) }),
        })),
      );
    },
    csv: {
      kind: ({ kind }) => kind,
      id: ({ id }) => id,
      project: ({ projectId }) => projectId,
      amount: ({ amount }) => amount?.amount,
      currency: ({ amount }) => amount?.currency,
      since: ({ since }) => since,
      why: ({ reason }) => reason,
    },
  }),
];
