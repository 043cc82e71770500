import { z } from 'zod';
import { type AnyRoute, route } from '../../http/routes/route.ts';
import { walletParamsSchema } from '../wallets/schema.ts';
import { readWalletBalances } from './balances.ts';
import { balancesListSchema, balancesObjectSchema, balancesQuerySchema } from './schema.ts';

export const balancesRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/2025-06-09/wallets/:walletLocator/balances',
    operationId: 'getWalletBalances',
    summary: 'Read what a wallet holds',
    description:
      'Without `chains` the answer depends on this wallet alone: it covers the chains on which the wallet has transactions or transfers. ' +
      '`nativeToken` is the native coin of the first chain read, summed over the chains that share it. ' +
      'Native coins of other chains are among `tokens`, asked for or not. ' +
      'A token asked for is answered for every chain read: with zero where the chain does not have it. ' +
      'Symbols that no network here knows are named in `unknownSymbols`, in the list form by an entry without chains; ' +
      'when nothing else was asked for they are refused.',
    tag: 'Wallets',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:balance.read'] },
    params: walletParamsSchema,
    query: balancesQuerySchema,
    responses: {
      200: {
        description: 'The balances: an object, or with the header `x-client-name` a list.',
        schema: z.union([balancesObjectSchema, balancesListSchema]),
      },
    },
    errors: [
      'invalid-locator',
      'not-authorized',
      'wallet-not-found',
      'chain-not-supported',
      'token-not-supported',
      'upstream-error',
      'provider-unavailable',
    ],
    handler: async (ctx, { params, query }) => ({
      status: 200,
      body: await readWalletBalances(ctx, { walletLocator: params.walletLocator, query }),
    }),
  }),
];
