import { type AnyRoute, route } from '../../http/routes/route.ts';
import { listNfts } from './nfts.ts';
import { nftsParamsSchema, nftsQuerySchema, nftsSchema } from './schema.ts';

export const nftRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/2025-06-09/wallets/:walletLocator/nfts',
    operationId: 'listWalletNfts',
    summary: 'List the collectibles a wallet holds',
    tag: 'Wallets',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:nfts.read'] },
    params: nftsParamsSchema,
    query: nftsQuerySchema,
    responses: {
      200: { description: 'A page of collectibles, the latest arrival first.', schema: nftsSchema },
    },
    errors: ['invalid-locator', 'not-authorized', 'wallet-not-found', 'chain-not-supported'],
    handler: async (ctx, { params, query }) => ({
      status: 200,
      body: await listNfts(ctx, { walletLocator: params.walletLocator, query }),
    }),
  }),
];
