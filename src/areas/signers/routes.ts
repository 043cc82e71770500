import { type AnyRoute, route } from '../../http/routes/route.ts';
import { transactionView } from '../transactions/index.ts';
import { transactionSchema } from '../transactions/schema.ts';
import { findActingWallet, findWallet } from '../wallets/index.ts';
import { walletParamsSchema } from '../wallets/schema.ts';
import { addSigner } from './add.ts';
import { findSigner } from './find.ts';
import { removeSigner } from './remove.ts';
import {
  addSignerBodySchema,
  delegatedSignerSchema,
  removeSignerQuerySchema,
  signerParamsSchema,
} from './schema.ts';
import { showSigner } from './view.ts';

const base = '/2025-06-09/wallets/:walletLocator/signers';
const walletRefusals = ['invalid-locator', 'not-authorized', 'wallet-not-found'] as const;

export const signerRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: base,
    operationId: 'addSigner',
    summary: 'Add a delegated signer',
    description:
      'Registers a signer that may act for the wallet on one chain. A recovery signer approves: by default a signature request (`chains[chain].id`), with `deployImmediately` a transaction; once approved it is sent to the chain, which enforces `expiresAt` and `scopes`. Adding a signer anew with other settings replaces them. An api-key admin signer approves by itself.',
    tag: 'Signers',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets.create'] },
    params: walletParamsSchema,
    body: addSignerBodySchema,
    responses: {
      201: { description: 'The registration is under way.', schema: delegatedSignerSchema },
    },
    errors: [
      ...walletRefusals,
      'chain-not-supported',
      'token-not-supported',
      'WALLET_TYPE_NOT_SUPPORTED',
      'signer-type-not-supported',
      'DEVICE_SIGNER_NOT_SUPPORTED',
      'approver-required',
      'approver-invalid',
      'signer-already-exists',
      'conflict',
      'transaction-simulation-failed',
      'upstream-error',
    ],
    handler: async (ctx, { params, body }) => {
      const wallet = await findActingWallet(ctx, params.walletLocator);
      return {
        status: 201,
        body: await showSigner(ctx, wallet, await addSigner(ctx, { wallet, body })),
      };
    },
  }),
  route({
    method: 'GET',
    path: `${base}/:signer`,
    operationId: 'getSigner',
    summary: 'Read a delegated signer',
    tag: 'Signers',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets.read'] },
    params: signerParamsSchema,
    responses: {
      200: {
        description: 'The signer, with what is known of it on each chain.',
        schema: delegatedSignerSchema,
      },
    },
    errors: [...walletRefusals, 'signer-not-found'],
    handler: async (ctx, { params }) => {
      const wallet = await findWallet(ctx, params.walletLocator);
      return {
        status: 200,
        body: await showSigner(ctx, wallet, await findSigner(ctx, wallet, params.signer)),
      };
    },
  }),
  route({
    method: 'DELETE',
    path: `${base}/:signer`,
    operationId: 'removeSigner',
    summary: 'Remove a delegated signer from a chain',
    description:
      'Starts a transaction that a recovery signer approves. The signer stays until it has succeeded.',
    tag: 'Signers',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets.create'] },
    params: signerParamsSchema,
    query: removeSignerQuerySchema,
    responses: {
      200: { description: 'The transaction that removes it.', schema: transactionSchema },
    },
    errors: [
      ...walletRefusals,
      'signer-not-found',
      'signer-not-removable',
      'chain-not-supported',
      'approver-required',
      'approver-invalid',
      'conflict',
      'transaction-simulation-failed',
      'upstream-error',
    ],
    handler: async (ctx, { params, query }) => {
      const wallet = await findActingWallet(ctx, params.walletLocator);
      return {
        status: 200,
        body: transactionView(await removeSigner(ctx, { wallet, signer: params.signer, ...query })),
      };
    },
  }),
];
