import { type AnyRoute, route } from '../../http/routes/route.ts';
import { transactionSchema, transactionView } from '../transactions/index.ts';
import {
  createTransferBodySchema,
  getTransferParamsSchema,
  transferParamsSchema,
} from './schema.ts';
import { createTransfer, getTransfer } from './transfers.ts';

const path = '/2025-06-09/wallets/:walletLocator/tokens/:tokenLocator/transfers';

export const transferRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path,
    operationId: 'createTransfer',
    summary: 'Transfer tokens, gas-sponsored',
    tag: 'Transfers',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:transactions.create'] },
    params: transferParamsSchema,
    body: createTransferBodySchema,
    responses: {
      201: { description: 'The transaction that makes the transfer.', schema: transactionSchema },
    },
    errors: [
      'invalid-locator',
      'not-authorized',
      'wallet-not-found',
      'chain-not-supported',
      'token-not-supported',
      'invalid-recipient',
      'insufficient-balance',
      'transaction-invalid',
      'transaction-simulation-failed',
      'project:addon.required',
      'kyc-required',
      'sanctioned-address',
      'signer-expired',
      'signer-scope-violation',
      'upstream-error',
    ],
    handler: async (ctx, { params, body }) => ({
      status: 201,
      body: transactionView(await createTransfer(ctx, { ...params, body })),
    }),
  }),
  route({
    method: 'GET',
    path: `${path}/:transactionId`,
    operationId: 'getTransfer',
    summary: 'Read a transfer',
    tag: 'Transfers',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:transactions.read'] },
    params: getTransferParamsSchema,
    responses: {
      200: { description: 'The transaction of the transfer.', schema: transactionSchema },
    },
    errors: ['invalid-locator', 'not-authorized', 'wallet-not-found', 'transfer-not-found'],
    handler: async (ctx, { params }) => ({
      status: 200,
      body: transactionView(
        await getTransfer(ctx, {
          walletLocator: params.walletLocator,
          tokenLocator: params.tokenLocator,
          id: params.transactionId,
        }),
      ),
    }),
  }),
];
