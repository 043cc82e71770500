import type { Ctx } from '../../../context.ts';
import { machineClock } from '../../../lib/clock.ts';
import { type OpenSecret, openSecrets } from '../endpoints/secrets.ts';
import { signWebhook } from '../endpoints/sign.ts';
import { count } from '../metrics.ts';
import { type Judgement, judge } from './judge.ts';
import type { Poster, PostOutcome } from './post.ts';
import type { LaneHead } from './queue-store.ts';

export type AttemptCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'log'>;

const secretsKeptMax = 20_000;

/**
 * Keeps the secrets of endpoints open: a rotation has a new version, so what is kept is never
 * stale.
 */
export interface SecretCache {
  /** Opens what is missing, in one statement. What is named stays at least until the next call. */
  load(heads: readonly LaneHead[]): Promise<void>;
  of(head: LaneHead): readonly OpenSecret[];
}

export function createSecretCache(
  ctx: AttemptCtx,
  { keptMax = secretsKeptMax }: { readonly keptMax?: number } = {},
): SecretCache {
  const kept = new Map<string, readonly OpenSecret[]>();
  const keyOf = (head: LaneHead) => `${head.endpointId} ${head.secretVersion}`;
  return {
    async load(heads) {
      const missing = [
        ...new Map(
          heads
            .filter((head) => !kept.has(keyOf(head)))
            .map((head) => [head.endpointId, { ...head, id: head.endpointId }]),
        ).values(),
      ];
      if (missing.length === 0) return;
      const opened = await openSecrets(ctx, missing);
      for (const head of missing) kept.set(keyOf(head), opened.get(head.endpointId) ?? []);
      const needed = new Set(heads.map(keyOf));
      for (const key of kept.keys()) {
        if (kept.size <= keptMax) break;
        if (!needed.has(key)) kept.delete(key);
      }
    },
    of: (head) => kept.get(keyOf(head)) ?? [],
  };
}

/** Sends the head of a lane once, and says what that means. */
export async function attemptDelivery(
  ctx: AttemptCtx,
  means: { readonly poster: Poster; readonly secrets: SecretCache; readonly random: () => number },
  head: LaneHead,
): Promise<Judgement> {
  const { endpointId, object, fence, deliveryId, eventId, body, url } = head;
  if (deliveryId === null || eventId === null || body === null)
    return { endpointId, object, fence, deliveryId, url, event: 'expired', to: 'failed' };
  const at = ctx.clock.now();
  if (head.isForeign) {
    ctx.log.warn(
      { endpointId, deliveryId, eventId },
      'a webhook is not sent: its endpoint or its event is not as this service has sealed it',
    );
    const error =
      'The endpoint or the event carries no seal, or was changed behind the service: its operator was told.';
    const attempt = { at: at.toISOString(), durationMs: 0, error };
    return { endpointId, object, fence, deliveryId, url, event: 'expired', to: 'failed', attempt };
  }
  const outcome = await send(ctx, means, { ...head, eventId, body });
  count('attempts');
  const judgement = judge(
    { ...head, deliveryId },
    { outcome, at, clock: ctx.clock, random: means.random },
  );
  if (judgement.event !== 'acknowledged') count('attemptsFailed');
  return judgement;
}

async function send(
  ctx: AttemptCtx,
  { poster, secrets }: { readonly poster: Poster; readonly secrets: SecretCache },
  head: LaneHead & { readonly eventId: string; readonly body: string },
): Promise<PostOutcome> {
  const now = ctx.clock.now();
  const valid = secrets
    .of(head)
    .flatMap(({ secret, expiresAt }) => (expiresAt === null || expiresAt > now ? [secret] : []));
  if (valid.length === 0)
    return { error: 'The secret of the endpoint cannot be opened.', durationMs: 0 };
  const signature = signWebhook({
    id: head.eventId,
    at: machineClock(ctx.clock).now(),
    body: head.body,
    secrets: valid,
  });
  return poster.post({
    url: head.url,
    body: head.body,
    headers: {
      ...signature,
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'purser-webhooks/1',
      ...(head.position !== null && { 'purser-event-position': head.position }),
    },
  });
}
