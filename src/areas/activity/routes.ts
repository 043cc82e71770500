import { type AnyRoute, route } from '../../http/routes/route.ts';
import { listTransfers } from './activity.ts';
import { activityPageSchema, activityParamsSchema, activityQuerySchema } from './schema.ts';

export const activityRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/unstable/wallets/:walletLocator/transfers',
    operationId: 'listWalletTransfers',
    summary: 'List what a wallet sent and received',
    tag: 'Wallets',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets.read'] },
    params: activityParamsSchema,
    query: activityQuerySchema,
    responses: { 200: { description: 'A page of transfers.', schema: activityPageSchema } },
    errors: ['invalid-locator', 'not-authorized', 'wallet-not-found', 'chain-not-supported'],
    handler: async (ctx, { params, query }) => ({
      status: 200,
      body: await listTransfers(ctx, { walletLocator: params.walletLocator, query }),
    }),
  }),
];
