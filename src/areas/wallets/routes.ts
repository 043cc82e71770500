import { type AnyRoute, route } from '../../http/routes/route.ts';
import {
  createMyWalletBodySchema,
  createWalletBodySchema,
  walletParamsSchema,
  walletSchema,
} from './schema.ts';
import { walletView } from './view.ts';
import { createMyWallet, createWallet, findWallet, listDelegates } from './wallets.ts';

const created = {
  201: { description: 'Created.', schema: walletSchema },
  200: {
    description: 'The owner, or the idempotency key, had this wallet already.',
    schema: walletSchema,
  },
};
const refusals = [
  'invalid-locator',
  'chain-not-supported',
  'wallet-already-exists',
  'WALLET_TYPE_NOT_SUPPORTED',
  'DEVICE_SIGNER_NOT_SUPPORTED',
  'signer-type-not-supported',
] as const;

export const walletRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/2025-06-09/wallets',
    operationId: 'createWallet',
    summary: 'Create a wallet',
    tag: 'Wallets',
    family: 'W',
    auth: { keys: 'server', user: 'none', scopes: ['wallets.create'] },
    replayedStatus: { 201: 200 },
    body: createWalletBodySchema,
    responses: created,
    errors: refusals,
    handler: async (ctx, { body }) => {
      const result = await createWallet(ctx, body);
      return {
        status: result.created ? 201 : 200,
        body: walletView(result.wallet, await listDelegates(ctx, result.wallet)),
      };
    },
  }),
  route({
    method: 'POST',
    path: '/2025-06-09/wallets/me',
    operationId: 'createMyWallet',
    summary: 'Create the wallet of the end user',
    tag: 'Wallets',
    family: 'W',
    auth: { keys: 'client', user: 'required', scopes: ['wallets.create'] },
    replayedStatus: { 201: 200 },
    body: createMyWalletBodySchema,
    responses: created,
    errors: refusals,
    handler: async (ctx, { body }) => {
      const result = await createMyWallet(ctx, body);
      return {
        status: result.created ? 201 : 200,
        body: walletView(result.wallet, await listDelegates(ctx, result.wallet)),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/2025-06-09/wallets/:walletLocator',
    operationId: 'getWallet',
    summary: 'Read a wallet',
    tag: 'Wallets',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets.read'] },
    params: walletParamsSchema,
    responses: { 200: { description: 'The wallet.', schema: walletSchema } },
    errors: ['invalid-locator', 'not-authorized', 'wallet-not-found'],
    handler: async (ctx, { params }) => {
      const wallet = await findWallet(ctx, params.walletLocator);
      return { status: 200, body: walletView(wallet, await listDelegates(ctx, wallet)) };
    },
  }),
];
