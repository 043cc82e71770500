import type { Ctx } from '../../../context.ts';
import { appendEvents } from '../../../jobs/index.ts';
import { move } from '../../../machine/machine.ts';
import type { Tx } from '../../../store/types.ts';
import { moveEndpoint } from '../endpoints/endpoint-store.ts';
import { endpointMachine } from '../machine.ts';
import { count } from '../metrics.ts';
import type { Judgement } from './judge.ts';
import {
  lockLanes,
  noteHealth,
  pauseEndpoints,
  releaseLanes,
  storeOutcomes,
} from './queue-store.ts';

export type SettleCtx = Pick<Ctx, 'store' | 'clock' | 'ids' | 'log'>;

/** An endpoint at which every attempt failed for this long is disabled. */
const failingMsMax = 5 * 24 * 60 * 60_000;

/**
 * Stores what came of attempts, all or nothing. What another process has taken over meanwhile is
 * left to it.
 * @returns how many lanes go on at once
 */
export async function settleAttempts(
  ctx: SettleCtx,
  judgements: readonly Judgement[],
): Promise<number> {
  return ctx.store.transaction(async (tx) => {
    const now = ctx.clock.now();
    const held = await forgiveMoved(tx, await lockLanes(tx, judgements), now);
    await storeOutcomes(tx, held, now);
    const more = await releaseLanes(tx, held, now);
    const tried = held.filter(({ attempt }) => attempt !== undefined);
    const idsOf = (of: readonly Judgement[]) =>
      [...new Set(of.map(({ endpointId }) => endpointId))].sort();
    const isSuccess = ({ event }: Judgement) => event === 'acknowledged';
    await noteHealth(tx, {
      succeeded: idsOf(tried.filter(isSuccess)),
      failed: idsOf(tried.filter((one) => !isSuccess(one))),
      now,
    });
    await pauseEndpoints(tx, latestPauses(held));
    for (const id of idsOf(held.filter(({ event }) => event === 'gone')))
      await disable(ctx, tx, { id, reason: 'gone' });
    for (const id of await selectHopeless(
      tx,
      idsOf(held.filter(({ event }) => event === 'attempts-used-up')),
      now,
    ))
      await disable(ctx, tx, { id, reason: 'failing' });
    tx.afterCommit(() => {
      count('fencesLost', judgements.length - held.length);
      count('deliveriesDelivered', held.filter(isSuccess).length);
      count('deliveriesFailed', held.filter(({ to }) => to === 'failed').length);
    });
    return more;
  });
}

/**
 * What a receiver said whose endpoint has another address by now says nothing about the new one: an
 * end becomes another try there, and a pause is none. Endpoints about which anything of the kind is
 * said stay as they are until this transaction ends.
 */
async function forgiveMoved(
  tx: Tx,
  held: readonly Judgement[],
  now: Date,
): Promise<readonly Judgement[]> {
  const isEnd = ({ to, attempt }: Judgement) => to === 'failed' && attempt !== undefined;
  const asked = held.filter((one) => isEnd(one) || one.pauseUntil !== undefined);
  if (asked.length === 0) return held;
  const { rows } = await tx.query<{ id: string; url: string }>({
    name: 'webhooks-urls-of',
    text: 'select id, url from webhook_endpoints where id = any($1::uuid[]) order by id for no key update',
    values: [[...new Set(asked.map(({ endpointId }) => endpointId))]],
  });
  const urls = new Map(rows.map(({ id, url }) => [id, url]));
  return held.map((one) => {
    if (!asked.includes(one) || urls.get(one.endpointId) === one.url) return one;
    const { pauseUntil: _, ...rest } = one;
    return isEnd(one) ? { ...rest, event: 'attempt-failed', to: 'pending', runAt: now } : rest;
  });
}

function latestPauses(judgements: readonly Judgement[]): Map<string, Date> {
  const pauses = new Map<string, Date>();
  for (const { endpointId, pauseUntil } of judgements) {
    if (pauseUntil !== undefined && (pauses.get(endpointId) ?? pauseUntil) <= pauseUntil)
      pauses.set(endpointId, pauseUntil);
  }
  return pauses;
}

/** Of endpoints that lost a delivery for good, those at which nothing has worked for days. */
async function selectHopeless(tx: Tx, ids: readonly string[], now: Date): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await tx.query<{ id: string }>({
    name: 'webhooks-hopeless',
    text: `select id from webhook_endpoints where id = any($1::uuid[]) and status = 'enabled' and failing_since <= $2 order by id`,
    values: [ids, new Date(now.getTime() - failingMsMax)],
  });
  return rows.map(({ id }) => id);
}

async function disable(
  ctx: SettleCtx,
  tx: Tx,
  input: { readonly id: string; readonly reason: 'gone' | 'failing' },
): Promise<void> {
  const to = move(endpointMachine, 'enabled', input.reason);
  if (
    !(await moveEndpoint(tx, {
      id: input.id,
      from: 'enabled',
      to,
      reason: input.reason,
      now: ctx.clock.now(),
    }))
  )
    return;
  const { rows } = await tx.query<{ projectId: string }>({
    name: 'webhooks-project-of',
    text: 'select project_id as "projectId" from webhook_endpoints where id = $1',
    values: [input.id],
  });
  const { projectId } = rows[0]!;
  const data = { endpointId: input.id, reason: input.reason };
  await appendEvents(
    tx,
    [
      {
        projectId,
        type: 'webhooks.endpoint.disabled',
        object: `webhook-endpoint:${input.id}`,
        data,
      },
    ],
    ctx,
  );
  tx.afterCommit(() => {
    count('endpointsDisabled');
    ctx.log.warn(
      { endpointId: input.id, projectId, reason: input.reason },
      'a webhook endpoint was disabled',
    );
  });
}
