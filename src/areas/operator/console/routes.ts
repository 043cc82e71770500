import type { PublicRoute } from '../../../http/routes/public-routes.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { callerRoutes } from './access/callers.ts';
import { userRoutes } from './access/users.ts';
import { actionRoutes } from './actions.ts';
import { bookRoutes } from './books.ts';
import { checkoutRoutes } from './checkouts.ts';
import { healthRoutes } from './health.ts';
import { liquidityRoutes } from './liquidity.ts';
import { heldRoutes } from './money/held.ts';
import { pageRoutes } from './pages.ts';
import { readRoutes } from './reads.ts';
import { signInRoutes } from './sign-in.ts';
import { streamRoutes } from './stream.ts';
import { walletRoutes } from './wallets.ts';
import { webhookRoutes } from './webhooks.ts';

const nothing = async () => {
  throw new ServiceError('route-not-found', { message: 'The console has no such route.' });
};

/** Everything below `/console`; without CONSOLE_URL none of it is served. */
export const consoleRoutes: readonly PublicRoute[] = [
  ...signInRoutes,
  ...actionRoutes,
  ...readRoutes,
  ...bookRoutes,
  ...healthRoutes,
  ...walletRoutes,
  ...checkoutRoutes,
  ...liquidityRoutes,
  ...webhookRoutes,
  ...callerRoutes,
  ...userRoutes,
  ...heldRoutes,
  ...streamRoutes,
  { method: 'GET', path: '/api', handler: nothing },
  { method: 'GET', path: '/api/*', handler: nothing },
  ...pageRoutes,
];
