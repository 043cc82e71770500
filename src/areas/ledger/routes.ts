import { type AnyRoute, type RouteAuth, route } from '../../http/routes/route.ts';
import { listAccountEntries, listAccounts, listOrderEntries, readTrialBalance } from './ledger.ts';
import {
  accountParamsSchema,
  accountsQuerySchema,
  entriesQuerySchema,
  ledgerAccountsPageSchema,
  ledgerEntriesPageSchema,
  orderParamsSchema,
  trialBalanceQuerySchema,
  trialBalanceSchema,
} from './schema.ts';

/** `orders` stands for its three scopes, so a key with it carries this one. */
const auth: RouteAuth = { keys: 'server', user: 'none', scopes: ['orders.read'] };
const tag = 'Ledger';

export const ledgerRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/unstable/orders/:orderId/ledger',
    operationId: 'listOrderLedgerEntries',
    summary: 'List the ledger entries of an order',
    description: 'In the order in which they were recorded. An order that moved no money has none.',
    tag,
    family: 'O',
    auth,
    params: orderParamsSchema,
    query: entriesQuerySchema,
    responses: { 200: { description: 'A page of entries.', schema: ledgerEntriesPageSchema } },
    errors: ['order-not-found'],
    handler: async (ctx, { params, query }) => ({
      status: 200,
      body: await listOrderEntries(ctx, { ...query, orderId: params.orderId }),
    }),
  }),
  route({
    method: 'GET',
    path: '/unstable/ledger/accounts',
    operationId: 'listLedgerAccounts',
    summary: 'List accounts with their balances',
    description: 'By account and asset. With `at`, accounts that were opened later show 0.',
    tag,
    family: 'O',
    auth,
    query: accountsQuerySchema,
    responses: { 200: { description: 'A page of balances.', schema: ledgerAccountsPageSchema } },
    errors: [],
    handler: async (ctx, { query }) => ({ status: 200, body: await listAccounts(ctx, query) }),
  }),
  route({
    method: 'GET',
    path: '/unstable/ledger/accounts/:account/entries',
    operationId: 'listLedgerAccountEntries',
    summary: 'List the entries of an account',
    description:
      'Newest first, each with all its postings. An account that nothing was posted to has none.',
    tag,
    family: 'O',
    auth,
    params: accountParamsSchema,
    query: entriesQuerySchema,
    responses: { 200: { description: 'A page of entries.', schema: ledgerEntriesPageSchema } },
    errors: [],
    handler: async (ctx, { params, query }) => ({
      status: 200,
      body: await listAccountEntries(ctx, { ...query, account: params.account }),
    }),
  }),
  route({
    method: 'GET',
    path: '/unstable/ledger/trial-balance',
    operationId: 'getLedgerTrialBalance',
    summary: 'Read the trial balance',
    description: 'Per asset: debits and credits, which are equal, and the accounts behind them.',
    tag,
    family: 'O',
    auth,
    query: trialBalanceQuerySchema,
    responses: { 200: { description: 'The trial balance.', schema: trialBalanceSchema } },
    errors: [],
    handler: async (ctx, { query }) => ({ status: 200, body: await readTrialBalance(ctx, query) }),
  }),
];
