import type { PublicRoute } from '../http/routes/public-routes.ts';
import type { SocketRoute } from '../http/routes/socket-routes.ts';
import {
  commerceProfileRoute,
  liveRoutes,
  liveStreamRoute,
  sandboxAnswerRoutes,
} from './agent-checkouts/index.ts';
import { approvalPageRoutes } from './approval-page/index.ts';
import { createCardRoutes } from './card-payments/index.ts';
import { kycCallbackRoute, sandboxInquiryRoutes } from './identity/index.ts';
import { followCard } from './orders/index.ts';

/**
 * What is served below `{base_url}` without an API key: signed callbacks of companies, and pages. A
 * new area adds one line.
 */
export const publicRoutes: readonly PublicRoute[] = [
  kycCallbackRoute,
  ...sandboxInquiryRoutes,
  ...createCardRoutes(followCard),
  ...liveRoutes,
  ...sandboxAnswerRoutes,
  ...approvalPageRoutes,
  commerceProfileRoute,
];

/** WebSockets, which ask for no key either. */
export const socketRoutes: readonly SocketRoute[] = [liveStreamRoute];
