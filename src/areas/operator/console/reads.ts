import { z } from 'zod';
import type { PublicRoute } from '../../../http/public-routes.ts';
import { decodePosition, encodePosition, type ListPosition } from '../../../lib/cursor.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { mayAct, selectAudit } from '../../operations/index.ts';
import { attentionOfOrder, listOrderLines, orderStates, readOrderTimeline } from '../../orders/index.ts';
import { attentionKinds, countAttention, listAttention } from '../actions/inbox.ts';
import { operatorRules } from '../actions/registry.ts';
import { roleIn } from '../operators/operators.ts';
import { countSessions } from '../operators/sessions.ts';
import { selectOperators } from '../operators/store.ts';
import { readRoute } from './guard.ts';

const limit = z.coerce.number().int().min(1).max(100).default(25);
const page = { project: z.uuid().optional(), cursor: z.string().max(300).optional(), limit };

/** What the console shows. Everything that stands in a list has a limit, and a place to go on from. */
export const readRoutes: readonly PublicRoute[] = [
  readRoute('/me', z.looseObject({}), async (ctx, { session: { operator, expiresAt }, projects }) => ({
    id: operator.id,
    name: operator.name,
    console: ctx.config.console!.url,
    environment: ctx.config.environment,
    now: ctx.clock.now(),
    isAdmin: operator.roles['*'] === 'admin',
    seesWhole: operator.roles['*'] !== undefined,
    sessionExpiresAt: expiresAt,
    passkeys: operator.passkeys.map(({ id, transports }) => ({ id, transports })),
    projects: projects.map(({ id, name }) => ({ id, name, role: roleIn(operator, id) })),
    rules: Object.fromEntries([...operatorRules.values()].map(({ name, role }) => [name, role])),
  })),
  readRoute('/inbox', z.looseObject({ ...page, kind: z.enum(attentionKinds as [string]).optional() }), async (ctx, { query, projects }) => {
    const projectIds = projects.map(({ id }) => id);
    const asked = ['inbox', query.project, query.kind];
    const after = placeIn(query.cursor, asked);
    const { items, hasMore } = await listAttention(ctx, { projectIds, kind: query.kind, after, limit: query.limit });
    const last = items.at(-1);
    return { items, ...(hasMore && last && { nextCursor: encodePosition({ at: last.since, id: last.id }, asked) }) };
  }),
  readRoute('/inbox/count', z.looseObject({ project: z.uuid().optional() }), (ctx, { projects }) =>
    countAttention(
      ctx,
      projects.map(({ id }) => id),
    ),
  ),
  readRoute(
    '/orders',
    z.looseObject({ ...page, state: z.enum(orderStates).optional(), waiting: z.enum(['yes']).optional() }),
    async (ctx, { query, projects }) => {
      const asked = ['orders', query.project, query.state, query.waiting];
      const lines = await listOrderLines(ctx.store, {
        projectIds: projects.map(({ id }) => id),
        state: query.state,
        waitingOnly: query.waiting === 'yes',
        before: placeIn(query.cursor, asked),
        limit: query.limit + 1,
      });
      const items = lines.slice(0, query.limit);
      const last = items.at(-1);
      const hasMore = lines.length > query.limit;
      return { items, ...(hasMore && last && { nextCursor: encodePosition({ at: last.createdAt, id: last.id }, asked) }) };
    },
  ),
  readRoute('/orders/:id', z.looseObject({}), async (ctx, { params, projects }) => {
    const id = z.uuid().safeParse(params.id).data;
    const found = id === undefined ? undefined : await readOrderTimeline(ctx, id);
    if (!found || !projects.some((project) => project.id === found.order.projectId))
      throw new ServiceError('order-not-found', { message: 'There is no such order in a project of yours.' });
    const waiting = await attentionOfOrder(ctx, { projectId: found.order.projectId, orderId: found.order.id });
    return { ...found, waiting };
  }),
  readRoute(
    '/audit',
    z.looseObject({
      ...page,
      cursor: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
    }),
    async (ctx, { query, projects, session: { operator } }) => {
      // What belongs to no project, such as who is an operator, is for those who may do everything everywhere.
      const isWhole = query.project === undefined && mayAct(operator.roles['*'] ?? 'viewer', 'admin');
      const projectIds = isWhole ? undefined : projects.map(({ id }) => id);
      const lines = await selectAudit(ctx.store, { projectIds, beforeSeq: query.cursor, limit: query.limit + 1 });
      const items = lines.slice(0, query.limit);
      return { items, ...(lines.length > query.limit && { nextCursor: items.at(-1)!.seq }) };
    },
  ),
  readRoute('/operators', z.looseObject({}), async (ctx, { session: { operator } }) => {
    if (operator.roles['*'] !== 'admin')
      throw new ServiceError('forbidden', { message: 'It takes the role admin of every project to see who the operators are.' });
    const sessions = await countSessions(ctx.store, ctx.clock.now());
    const items = (await selectOperators(ctx.store)).map(({ id, name, status, roles, passkeys, invitation, createdAt }) => ({
      id,
      name,
      status,
      roles,
      createdAt,
      passkeys: passkeys.map(({ addedAt }) => addedAt),
      sessions: sessions.get(id) ?? 0,
      invitedUntil: invitation?.expiresAt,
    }));
    return { items };
  }),
];

const placeIn = (cursor: string | undefined, asked: readonly unknown[]): ListPosition | undefined =>
  cursor === undefined ? undefined : decodePosition(cursor, asked);
