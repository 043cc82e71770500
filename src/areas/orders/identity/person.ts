import type { Caller, Ctx } from '../../../context.ts';
import { changeUser } from '../../users/index.ts';

/**
 * As whom the service itself asks other areas, where no request is behind it: it reaches the whole
 * project.
 */
export function serviceCaller(ctx: Pick<Ctx, 'config'>, projectId: string): Caller {
  return {
    projectId,
    environment: ctx.config.environment,
    keyKind: 'server',
    keyId: 'service',
    scopes: new Set(),
  };
}

/**
 * Id of the person whom a locator names, made when nobody knows them yet: limits and identity
 * checks need somebody to hold on to.
 */
export function ensurePerson(
  ctx: Ctx,
  { projectId, locator }: { readonly projectId: string; readonly locator: string },
): Promise<string> {
  return changeUser(
    { ...ctx, caller: serviceCaller(ctx, projectId) },
    { locator, create: true },
    async (_, user) => user.id,
  );
}
