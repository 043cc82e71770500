import type { RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { type LimitView, readLimits } from '../../order-limits/index.ts';
import { findUser } from '../../users/index.ts';
import type { LimitsQuery } from '../api/schema-reads.ts';
import { readOrderSettings } from '../pricing/index.ts';
import { orderKinds } from '../state/machine.ts';
import { rulesOf, tokenVolumesOf, verificationLevel } from './order-limits.ts';

/** Somebody of whom nothing is known yet has used nothing. */
const nobody = 'nobody';

/** What is left of the limits of a user, or of the project. @throws validation-error, invalid-locator */
export async function readRemainingLimits(ctx: RequestCtx, query: LimitsQuery): Promise<{ readonly data: readonly LimitView[] }> {
  const { projectId } = ctx.caller;
  const settings = await readOrderSettings(ctx, projectId);
  const userId = query.userLocator === undefined ? undefined : ((await findUserId(ctx, query.userLocator)) ?? nobody);
  const symbols = query.token === undefined ? [] : [query.token.toLowerCase()];
  const views = new Map<string, LimitView>();
  for (const kind of query.kind ? [query.kind] : orderKinds) {
    const found = await readLimits(ctx, ctx.store, {
      projectId,
      kind,
      rules: rulesOf(ctx, settings, symbols),
      methods: query.rail === undefined ? [] : [query.rail],
      level: userId === undefined || userId === nobody ? 'none' : await verificationLevel(ctx, userId, kind),
      userId,
      tokens: tokenVolumesOf(settings, symbols),
    });
    for (const view of found) views.set(JSON.stringify(view), view);
  }
  return { data: [...views.values()] };
}

async function findUserId(ctx: RequestCtx, locator: string): Promise<string | undefined> {
  try {
    return (await findUser(ctx, locator)).id;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'user-not-found') return undefined;
    throw error;
  }
}
