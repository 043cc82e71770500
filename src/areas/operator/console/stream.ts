import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import type { PublicRoute } from '../../../http/routes/public-routes.ts';
import { publicEventsChannel, subscribe } from '../../../jobs/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { createWaiter } from '../../../lib/waiting/waiter.ts';
import { selectNewestPosition } from '../../webhooks/index.ts';
import { sessionRoute } from './guard.ts';

/**
 * Open streams of one operator in one process: as many as there are pages that somebody has open.
 */
const streamsPerOperatorMax = 10;
/** A stream ends by itself: its page comes back, and its session is looked at anew. */
const lifeMs = 5 * 60_000;
const heartbeatMs = 15_000;
const reconnectMs = 2_000;

const open = new Map<string, number>();

/**
 * Says that something has happened in the operator's projects, and nothing of what: the page asks
 * for what it shows.
 */
export const streamRoutes: readonly PublicRoute[] = [
  sessionRoute('/stream', z.looseObject({}), async (ctx, { session: { operator }, projects }) => {
    if ((open.get(operator.id) ?? 0) >= streamsPerOperatorMax)
      throw new ServiceError('rate-limited', {
        message: `At most ${streamsPerOperatorMax} pages are live at once: close one.`,
      });
    const projectIds = projects.map(({ id }) => id);
    return {
      status: 200,
      stream: (signal) => writeNews(ctx, { operatorId: operator.id, projectIds }, signal),
    };
  }),
];

async function* writeNews(
  ctx: Ctx,
  {
    operatorId,
    projectIds,
  }: { readonly operatorId: string; readonly projectIds: readonly string[] },
  signal: AbortSignal,
): AsyncGenerator<string> {
  open.set(operatorId, (open.get(operatorId) ?? 0) + 1);
  const bell = createWaiter(signal);
  const ear = subscribe(ctx.store, publicEventsChannel, bell.wake);
  const endMs = performance.now() + lifeMs;
  try {
    let place = await selectNewestPosition(ctx.store, projectIds);
    yield `retry: ${reconnectMs}\n\n`;
    while (!signal.aborted && performance.now() < endMs) {
      await bell.wait(heartbeatMs);
      if (signal.aborted) return;
      const newest = await selectNewestPosition(ctx.store, projectIds);
      yield newest > place ? 'event: news\ndata: 1\n\n' : ': heartbeat\n\n';
      place = newest;
    }
  } finally {
    const left = (open.get(operatorId) ?? 1) - 1;
    if (left === 0) open.delete(operatorId);
    else open.set(operatorId, left);
    await ear.close();
  }
}
