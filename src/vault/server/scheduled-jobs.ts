import { pruneIdempotencyKeys } from '../../http/answers/idempotency.ts';
import { pruneRateLimits } from '../../http/rate-limit.ts';
import { pruneNonces } from '../../http/routes/signed-routes.ts';
import type { ScheduledJob } from '../../jobs/every.ts';
import { readHead, type VaultCtx } from '../index.ts';

import { rewrapKeys } from '../keys/rewrap.ts';
import { pruneCreationCounts } from '../methods/caps.ts';

const minuteMs = 60_000;
const rewrapPerTurn = 500;

/** What the vault looks for from time to time, in each of its processes. */
export function vaultScheduledJobs(ctx: VaultCtx): readonly ScheduledJob[] {
  const { ring, audit } = ctx.vault;
  return [
    { name: 'forget rate limits', everyMs: 10 * minuteMs, run: () => pruneRateLimits(ctx) },
    {
      name: 'forget idempotency keys',
      everyMs: 60 * minuteMs,
      run: () => pruneIdempotencyKeys(ctx),
    },
    { name: 'forget nonces', everyMs: minuteMs, run: () => pruneNonces(ctx) },
    { name: 'forget creation counts', everyMs: 60 * minuteMs, run: () => pruneCreationCounts(ctx) },
    {
      name: 'rewrap keys',
      everyMs: minuteMs,
      run: () =>
        ring.ids.length < 2
          ? Promise.resolve()
          : rewrapKeys(ctx, { ring, audit, actor: 'vault', limit: rewrapPerTurn }),
    },
    { name: 'note the head of the audit log', everyMs: 10 * minuteMs, run: () => noteHead(ctx) },
  ];
}

/**
 * In the process log, which is kept elsewhere: `purser vault audit check --anchor` finds an end
 * that was cut off.
 */
async function noteHead(ctx: VaultCtx): Promise<void> {
  const head = await readHead(ctx.store);
  if (head)
    ctx.log.info({ anchor: `${head.seq}:${head.hash.toString('hex')}` }, 'head of the audit log');
}
