import type { PublicRoute } from '../../http/routes/public-routes.ts';
import { type CardEventHandler, createCardCallbackRoute } from './callbacks.ts';
import { createSandboxCardRoutes } from './sandbox-page.ts';

export { type CardEventHandler, pruneCardEvents } from './callbacks.ts';
export { runSandboxCard } from './sandbox-run.ts';

/**
 * Callbacks of acquirers, and the sandbox's payment page; `handle` is told what is to be looked at.
 */
export function createCardRoutes(handle: CardEventHandler): readonly PublicRoute[] {
  return [createCardCallbackRoute(handle), ...createSandboxCardRoutes(handle)];
}
