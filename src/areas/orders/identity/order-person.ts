import type { Ctx } from '../../../context.ts';
import { changeUser } from '../../users/index.ts';
import { serviceCaller } from './service-caller.ts';

/** Id of the person whom a locator names, made when nobody knows them yet: limits and identity checks need somebody to hold on to. */
export function ensurePerson(ctx: Ctx, { projectId, locator }: { readonly projectId: string; readonly locator: string }): Promise<string> {
  return changeUser({ ...ctx, caller: serviceCaller(ctx, projectId) }, { locator, create: true }, async (_, user) => user.id);
}
