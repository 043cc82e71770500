import type { Ctx } from '../../../context.ts';
import {
  databaseStep,
  defineFlow,
  deliveriesChannel,
  ring,
  startFlow,
} from '../../../jobs/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { move } from '../../../machine/machine.ts';
import type { Tx } from '../../../store/types.ts';
import { cutPage, type Page, readIdCursor, readLimit } from '../api/page.ts';
import type { CreateReplay } from '../api/schema.ts';
import { selectEndpoint } from '../endpoints/endpoint-store.ts';
import { type EndpointKey, requireEndpoint, type WebhooksCtx } from '../endpoints/endpoints.ts';
import { selectRange, selectRangePage } from '../events/event-store.ts';
import { awaitReading } from '../events/feed.ts';
import { replayMachine } from '../machine.ts';
import { countPending } from './delivery-store.ts';
import { queueDeliveries } from './queue-store.ts';
import {
  insertReplay,
  lockReplay,
  type Replay,
  type ReplayProgress,
  selectReplay,
  selectReplays,
  updateReplay,
} from './replay-store.ts';

type ReplayState = { readonly replayId: string };

const eventsPerStep = 500;
/**
 * Nothing more is queued while an endpoint has so much pending: what happens now is not to wait
 * behind all of the past.
 */
const pendingMax = 2_000;
const waitMs = 2_000;

/** Queues the events of a replay, in order, a bounded number at a time. */
export const webhookReplayFlow = defineFlow<ReplayState, Ctx>({
  kind: 'webhook-replay',
  version: 1,
  firstStep: 'queue',
  steps: {
    queue: databaseStep<ReplayState, Ctx>({
      retry: { attemptsMax: 1_000, delayMsMax: 60_000 },
      run: async (ctx, tx, { state }) => {
        const replay = await lockReplay(tx, state.replayId);
        if (replay?.status !== 'running') return { done: true };
        if (
          (await countPending(tx, { endpointId: replay.endpointId, max: pendingMax })) >= pendingMax
        )
          return { goto: 'queue', runAt: new Date(ctx.clock.now().getTime() + waitMs) };
        return (await queueNext(ctx, tx, replay)) ? { goto: 'queue' } : { done: true };
      },
    }),
  },
});

/** Queues a batch. @returns whether there is more */
async function queueNext(ctx: Ctx, tx: Tx, replay: Replay): Promise<boolean> {
  const { id, endpointId, projectId } = replay;
  const now = ctx.clock.now();
  const endpoint = await selectEndpoint(tx, { projectId, id: endpointId });
  if (endpoint?.status !== 'enabled') {
    const to = move(replayMachine, 'running', 'endpoint-disabled');
    await updateReplay(tx, { id, to, nextPosition: replay.nextPosition, queued: 0, now });
    return false;
  }
  const events = await selectRangePage(tx, {
    projectId,
    from: replay.fromAt,
    to: replay.toAt,
    firstPosition: replay.nextPosition,
    lastPosition: replay.lastPosition,
    types: replay.eventTypes ?? endpoint.eventTypes,
    limit: eventsPerStep,
  });
  const deliveries = events.map(({ id: eventId, object, type }) => ({
    id: ctx.ids.uuid(),
    endpointId,
    eventId,
    object,
    type,
  }));
  await queueDeliveries(tx, deliveries, { kind: 'replay', replayId: id, now });
  tx.afterCommit(() => ring(ctx.store, deliveriesChannel));
  const more = events.length === eventsPerStep;
  await updateReplay(tx, {
    id,
    to: more ? 'running' : move(replayMachine, 'running', 'all-queued'),
    nextPosition: more ? events.at(-1)!.position + 1n : replay.lastPosition + 1n,
    queued: events.length,
    now,
  });
  return more;
}

/**
 * Sends all events of a time range once more, in order, with the ids they had.
 * @throws webhook-endpoint-not-found, webhook-endpoint-disabled, validation-error
 */
export async function createReplay(
  ctx: WebhooksCtx,
  input: CreateReplay & { readonly endpoint: EndpointKey },
): Promise<ReplayProgress> {
  const { endpoint } = input;
  const now = ctx.clock.now();
  const [from, to] = [new Date(input.from), input.to === undefined ? now : new Date(input.to)];
  if (from > to) throw new ServiceError('validation-error', { message: 'from: is after `to`.' });
  const id = ctx.idempotency?.objectId ?? ctx.ids.uuid();
  return ctx.store.transaction(async (tx) => {
    const { status } = await requireEndpoint(tx, endpoint);
    if (status !== 'enabled') throw new ServiceError('webhook-endpoint-disabled');
    await awaitReading(tx);
    const range = (await selectRange(tx, { projectId: endpoint.projectId, from, to })) ?? {
      first: 1n,
      last: 0n,
    };
    const isNew = await insertReplay(tx, {
      id,
      endpointId: endpoint.id,
      projectId: endpoint.projectId,
      fromAt: from,
      toAt: to,
      eventTypes: input.events ?? null,
      status: move(replayMachine, '*', 'create'),
      nextPosition: range.first,
      lastPosition: range.last,
      createdAt: now,
      finishedAt: null,
    });
    if (isNew)
      await startFlow(ctx, tx, webhookReplayFlow, {
        projectId: endpoint.projectId,
        key: id,
        state: { replayId: id },
      });
    return (await selectReplay(tx, { endpointId: endpoint.id, id }))!;
  });
}

/** @throws webhook-endpoint-not-found, webhook-replay-not-found */
export async function getReplay(
  ctx: Pick<WebhooksCtx, 'store'>,
  input: { readonly endpoint: EndpointKey; readonly id: string },
): Promise<ReplayProgress> {
  await requireEndpoint(ctx.store, input.endpoint);
  const replay = await selectReplay(ctx.store, { endpointId: input.endpoint.id, id: input.id });
  if (!replay) throw new ServiceError('webhook-replay-not-found');
  return replay;
}

/** The newest first. @throws webhook-endpoint-not-found, validation-error */
export async function listReplays(
  ctx: Pick<WebhooksCtx, 'store'>,
  input: { readonly endpoint: EndpointKey; readonly cursor?: string; readonly limit?: string },
): Promise<Page<ReplayProgress>> {
  await requireEndpoint(ctx.store, input.endpoint);
  const limit = readLimit(input.limit);
  const rows = await selectReplays(ctx.store, {
    endpointId: input.endpoint.id,
    beforeId: readIdCursor(input.cursor),
    limit: limit + 1,
  });
  return cutPage(rows, limit, ({ id }) => id);
}
