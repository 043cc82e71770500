import type { Ctx, RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { type LimitView, readLimits } from '../../order-limits/index.ts';
import { findUser } from '../../users/index.ts';
import type { LimitsQuery } from '../api/schema-reads.ts';
import { readOrderSettings } from '../pricing/index.ts';
import { orderKinds } from '../state/machine.ts';
import { rulesOf, tokenVolumesOf, verificationLevel } from './order-limits.ts';

/** Somebody of whom nothing is known yet has used nothing. */
const nobody = 'nobody';

/**
 * What is left of the limits of a user, or of the project.
 * @throws validation-error, invalid-locator
 */
export async function readRemainingLimits(
  ctx: RequestCtx,
  query: LimitsQuery,
): Promise<{ readonly data: readonly LimitView[] }> {
  const { userLocator, ...which } = query;
  const userId =
    userLocator === undefined ? undefined : ((await findUserId(ctx, userLocator)) ?? nobody);
  return { data: await readLimitsOf(ctx, { projectId: ctx.caller.projectId, userId, ...which }) };
}

/** The limits of a project, or those of somebody in it, with what is used of each. */
export async function readLimitsOf(
  ctx: Pick<Ctx, 'config' | 'store' | 'clock'>,
  input: Omit<LimitsQuery, 'userLocator'> & {
    readonly projectId: string;
    readonly userId?: string | undefined;
  },
): Promise<readonly LimitView[]> {
  const { projectId, userId } = input;
  const settings = await readOrderSettings(ctx, projectId);
  const symbols = input.token === undefined ? [] : [input.token.toLowerCase()];
  const views = new Map<string, LimitView>();
  for (const kind of input.kind ? [input.kind] : orderKinds) {
    const found = await readLimits(ctx, ctx.store, {
      projectId,
      kind,
      rules: rulesOf(ctx, settings, symbols),
      methods: input.rail === undefined ? [] : [input.rail],
      level:
        userId === undefined || userId === nobody
          ? 'none'
          : await verificationLevel(ctx, userId, kind),
      userId,
      tokens: tokenVolumesOf(settings, symbols),
    });
    for (const view of found) views.set(JSON.stringify(view), view);
  }
  return [...views.values()];
}

async function findUserId(ctx: RequestCtx, locator: string): Promise<string | undefined> {
  try {
    return (await findUser(ctx, locator)).id;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'user-not-found') return undefined;
    throw error;
  }
}
