import { type AnyRoute, route } from '../../http/routes/route.ts';
import { balancesListSchema } from '../balances/schema.ts';
import { fundWallet } from './funding.ts';
import { fundingParamsSchema, fundWalletBodySchema } from './schema.ts';

export const fundingRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/v1-alpha2/wallets/:walletLocator/balances',
    operationId: 'fundWallet',
    summary: 'Fund a test wallet with the test stablecoin',
    tag: 'Wallets',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets.fund'] },
    params: fundingParamsSchema,
    body: fundWalletBodySchema,
    responses: {
      201: {
        description: 'Confirmed; what the wallet holds of the token now.',
        schema: balancesListSchema,
      },
    },
    errors: [
      'invalid-locator',
      'not-authorized',
      'wallet-not-found',
      'forbidden',
      'chain-not-supported',
      'token-not-supported',
      'upstream-error',
      'provider-unavailable',
    ],
    handler: async (ctx, { params, body }) => ({
      status: 201,
      body: await fundWallet(ctx, { walletLocator: params.walletLocator, body }),
    }),
  }),
];
