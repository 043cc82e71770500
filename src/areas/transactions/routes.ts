import { type AnyRoute, route } from '../../http/routes/route.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { readApprovals } from '../approvals/index.ts';
import { submitApprovalsBodySchema } from '../approvals/schema.ts';
import { findActingWallet, findWallet } from '../wallets/index.ts';
import { walletParamsSchema } from '../wallets/schema.ts';
import { submitApprovals } from './approvals.ts';
import {
  createTransactionBodySchema,
  listTransactionsQuerySchema,
  transactionListSchema,
  transactionParamsSchema,
  transactionSchema,
} from './schema.ts';
import { createTransaction, getTransaction, listTransactions } from './transactions.ts';
import { transactionView } from './view.ts';

const base = '/2025-06-09/wallets/:walletLocator/transactions';
const notFound = ['invalid-locator', 'not-authorized', 'wallet-not-found'] as const;

export const transactionRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: base,
    operationId: 'createTransaction',
    summary: 'Create a transaction',
    tag: 'Transactions',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:transactions.create'] },
    params: walletParamsSchema,
    body: createTransactionBodySchema,
    responses: {
      201: {
        description: 'Created; awaiting approvals, or on its way.',
        schema: transactionSchema,
      },
    },
    errors: [
      ...notFound,
      'chain-not-supported',
      'transaction-invalid',
      'signer-expired',
      'signer-scope-violation',
      'insufficient-balance',
      'sanctioned-address',
      'transaction-simulation-failed',
      'upstream-error',
    ],
    handler: async (ctx, { params, body }) => {
      const wallet = await findActingWallet(ctx, params.walletLocator);
      const record = await createTransaction(ctx, { wallet, params: body.params as JsonObject });
      return { status: 201, body: transactionView(record) };
    },
  }),
  route({
    method: 'GET',
    path: base,
    operationId: 'listTransactions',
    summary: 'List the transactions of a wallet, newest first',
    tag: 'Transactions',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:transactions.read'] },
    params: walletParamsSchema,
    query: listTransactionsQuerySchema,
    responses: { 200: { description: 'One page.', schema: transactionListSchema } },
    errors: notFound,
    handler: async (ctx, { params, query }) => {
      const wallet = await findWallet(ctx, params.walletLocator);
      const records = await listTransactions(ctx, { wallet, ...query });
      return { status: 200, body: { transactions: records.map(transactionView) } };
    },
  }),
  route({
    method: 'GET',
    path: `${base}/:transactionId`,
    operationId: 'getTransaction',
    summary: 'Read a transaction',
    tag: 'Transactions',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:transactions.read'] },
    params: transactionParamsSchema,
    responses: { 200: { description: 'The transaction.', schema: transactionSchema } },
    errors: [...notFound, 'transaction-not-found'],
    handler: async (ctx, { params }) => {
      const wallet = await findWallet(ctx, params.walletLocator);
      return {
        status: 200,
        body: transactionView(await getTransaction(ctx, { wallet, id: params.transactionId })),
      };
    },
  }),
  route({
    method: 'POST',
    path: `${base}/:transactionId/approvals`,
    operationId: 'submitTransactionApprovals',
    summary: 'Submit approvals of a transaction',
    tag: 'Transactions',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:transactions.sign'] },
    params: transactionParamsSchema,
    body: submitApprovalsBodySchema,
    responses: {
      201: { description: 'The transaction with these approvals.', schema: transactionSchema },
    },
    errors: [
      ...notFound,
      'transaction-not-found',
      'signer-not-approver',
      'invalid-signature',
      'approval-already-submitted',
      'approvals-complete',
      'approval-window-closed',
    ],
    handler: async (ctx, { params, body }) => {
      const wallet = await findActingWallet(ctx, params.walletLocator);
      const approvals = readApprovals(body);
      return {
        status: 201,
        body: transactionView(
          await submitApprovals(ctx, { wallet, id: params.transactionId, approvals }),
        ),
      };
    },
  }),
];
