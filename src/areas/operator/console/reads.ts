import { z } from 'zod';
import type { PublicRoute } from '../../../http/routes/public-routes.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { type AttentionItem, type AuditLine, mayAct, selectAudit } from '../../operations/index.ts';
import {
  attentionOfOrder,
  listOrderLines,
  type OrderLine,
  orderStates,
  readOrderTimeline,
} from '../../orders/index.ts';
import { selectPersonIds } from '../../users/index.ts';
import { publicEventTypes } from '../../webhooks/index.ts';
import { attentionKinds, countAttention, listAttention } from '../actions/inbox.ts';
import { operatorRules } from '../actions/registry.ts';
import { roleIn } from '../operators/operators.ts';
import { countSessions } from '../operators/sessions.ts';
import { selectOperators } from '../operators/store.ts';
import { idIn, readRoute } from './guard.ts';
import { byNumber, byTime, listRoute } from './lists.ts';

/**
 * What the console shows. Everything that stands in a list has a limit, and a place to go on from.
 */
export const readRoutes: readonly PublicRoute[] = [
  readRoute(
    '/me',
    z.looseObject({}),
    async (ctx, { session: { operator, expiresAt }, projects }) => ({
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
      eventTypes: publicEventTypes,
      rules: Object.fromEntries([...operatorRules.values()].map(({ name, role }) => [name, role])),
    }),
  ),
  listRoute('/inbox', {
    filters: z.object({ kind: z.enum(attentionKinds as [string]).optional() }),
    places: byTime(({ since, id }: AttentionItem) => ({ at: since, id })),
    rows: (ctx, { query, projects, after, limit }) =>
      listAttention(ctx, {
        projectIds: projects.map(({ id }) => id),
        kinds: query.kind === undefined ? undefined : [query.kind],
        after,
        limit,
      }),
  }),
  readRoute('/inbox/count', z.looseObject({ project: z.uuid().optional() }), (ctx, { projects }) =>
    countAttention(
      ctx,
      projects.map(({ id }) => id),
    ),
  ),
  listRoute('/orders', {
    filters: z.object({
      state: z.enum(orderStates).optional(),
      waiting: z.enum(['yes']).optional(),
      user: z.uuid().optional(),
    }),
    places: byTime(({ createdAt, id }: OrderLine) => ({ at: createdAt, id })),
    rows: async (ctx, { query, projects, after, limit }) =>
      listOrderLines(ctx.store, {
        projectIds: projects.map(({ id }) => id),
        state: query.state,
        waitingOnly: query.waiting === 'yes',
        userIds:
          query.user === undefined ? undefined : await selectPersonIds(ctx.store, query.user),
        before: after,
        limit,
      }),
    csv: {
      order: ({ id }) => id,
      project: ({ projectId }) => projectId,
      kind: ({ kind }) => kind,
      state: ({ state }) => state,
      paid: ({ terms }) => terms && formatAmount(BigInt(terms.pay.amountMinor), terms.pay.decimals),
      paidCurrency: ({ terms }) => terms?.pay.currency,
      received: ({ terms }) =>
        terms && formatAmount(BigInt(terms.receive.amountMinor), terms.receive.decimals),
      receivedCurrency: ({ terms }) => terms?.receive.currency,
      attention: ({ attention }) => attention,
      createdAt: ({ createdAt }) => createdAt,
      updatedAt: ({ updatedAt }) => updatedAt,
    },
  }),
  readRoute('/orders/:id', z.looseObject({}), async (ctx, { params, projects }) => {
    const id = idIn(params.id);
    const found = id === undefined ? undefined : await readOrderTimeline(ctx, id);
    if (!found || !projects.some((project) => project.id === found.order.projectId))
      throw new ServiceError('order-not-found', {
        message: 'There is no such order in a project of yours.',
      });
    const waiting = await attentionOfOrder(ctx, {
      projectId: found.order.projectId,
      orderId: found.order.id,
    });
    return { ...found, waiting };
  }),
  listRoute('/audit', {
    filters: z.object({ project: z.uuid().optional() }),
    places: byNumber(({ seq }: AuditLine) => seq),
    rows: (ctx, { query, projects, session: { operator }, after, limit }) => {
      // What belongs to no project, such as who is an operator, is for those who may do everything
      // everywhere.
      const isWhole =
        query.project === undefined && mayAct(operator.roles['*'] ?? 'viewer', 'admin');
      return selectAudit(ctx.store, {
        projectIds: isWhole ? undefined : projects.map(({ id }) => id),
        beforeSeq: after,
        limit,
      });
    },
    csv: {
      nr: ({ seq }) => seq,
      at: ({ at }) => at,
      who: ({ actor }) =>
        actor.kind === 'operator' ? actor.name : `${actor.osUser}@${actor.host}`,
      role: ({ actor }) => (actor.kind === 'operator' ? actor.role : 'command line'),
      what: ({ action }) => action,
      outcome: ({ outcome }) => outcome,
      project: ({ projectId }) => projectId,
      to: ({ subject }) => subject,
      why: ({ reason }) => reason,
      changed: ({ changed }) => JSON.stringify(changed),
    },
  }),
  readRoute('/operators', z.looseObject({}), async (ctx, { session: { operator } }) => {
    if (operator.roles['*'] !== 'admin')
      throw new ServiceError('forbidden', {
        message: 'It takes the role admin of every project to see who the operators are.',
      });
    const sessions = await countSessions(ctx.store, ctx.clock.now());
    const items = (await selectOperators(ctx.store)).map(
      ({ id, name, status, roles, passkeys, invitation, createdAt }) => ({
        id,
        name,
        status,
        roles,
        createdAt,
        passkeys: passkeys.map(({ addedAt }) => addedAt),
        sessions: sessions.get(id) ?? 0,
        invitedUntil: invitation?.expiresAt,
      }),
    );
    return { items };
  }),
];
