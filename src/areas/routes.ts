import type { AnyRoute } from '../http/routes/route.ts';
import { activityRoutes } from './activity/routes.ts';
import { agentCheckoutRoutes } from './agent-checkouts/routes.ts';
import { approvalLinkRoutes } from './approval-page/routes.ts';
import { balancesRoutes } from './balances/routes.ts';
import { browserProfileRoutes } from './browser-profiles/routes.ts';
import { buyerProfileRoutes } from './buyer-profiles/routes.ts';
import { fundingRoutes } from './funding/routes.ts';
import { identityRoutes, userRoutes } from './identity/routes.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { linkedWalletRoutes } from './linked-wallets/routes.ts';
import { nftRoutes } from './nfts/routes.ts';
import { orderRoutes } from './orders/api/routes.ts';
import { paymentMethodRoutes } from './payment-methods/routes.ts';
import { signatureRoutes } from './signatures/routes.ts';
import { signerCodeRoutes } from './signer-codes/routes.ts';
import { signerRoutes } from './signers/routes.ts';
import { transactionRoutes } from './transactions/routes.ts';
import { transferRoutes } from './transfers/routes.ts';
import { walletRoutes } from './wallets/routes.ts';
import { webhookRoutes } from './webhooks/api/routes.ts';

/** Everything that is served below `{base_url}`. A new area adds one line. */
export const routes: readonly AnyRoute[] = [
  ...walletRoutes,
  ...signerRoutes,
  ...transactionRoutes,
  ...signatureRoutes,
  ...transferRoutes,
  ...signerCodeRoutes,
  ...approvalLinkRoutes,
  ...balancesRoutes,
  ...activityRoutes,
  ...fundingRoutes,
  ...nftRoutes,
  ...orderRoutes,
  ...paymentMethodRoutes,
  ...userRoutes,
  ...identityRoutes,
  ...linkedWalletRoutes,
  ...ledgerRoutes,
  ...buyerProfileRoutes,
  ...browserProfileRoutes,
  ...agentCheckoutRoutes,
  ...webhookRoutes,
];
