import type { Caller, Ctx } from '../../../context.ts';

/** As whom the service itself asks other areas, where no request is behind it: it reaches the whole project. */
export function serviceCaller(ctx: Pick<Ctx, 'config'>, projectId: string): Caller {
  return { projectId, environment: ctx.config.environment, keyKind: 'server', keyId: 'service', scopes: new Set() };
}
