import type { AnyRoute } from '../http/route.ts';
import { activityRoutes } from './activity/routes.ts';
import { balancesRoutes } from './balances/routes.ts';
import { fundingRoutes } from './funding/routes.ts';
import { nftRoutes } from './nfts/routes.ts';
import { signatureRoutes } from './signatures/routes.ts';
import { signerCodeRoutes } from './signer-codes/routes.ts';
import { transactionRoutes } from './transactions/routes.ts';
import { transferRoutes } from './transfers/routes.ts';
import { walletRoutes } from './wallets/routes.ts';

/** Everything that is served below `{base_url}`. A new area adds one line. */
export const routes: readonly AnyRoute[] = [
  ...walletRoutes,
  ...transactionRoutes,
  ...signatureRoutes,
  ...transferRoutes,
  ...signerCodeRoutes,
  ...balancesRoutes,
  ...activityRoutes,
  ...fundingRoutes,
  ...nftRoutes,
];
