import { type AnyRoute, route } from '../../http/routes/route.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { readApprovals } from '../approvals/index.ts';
import { submitApprovalsBodySchema } from '../approvals/schema.ts';
import { findActingWallet, findWallet } from '../wallets/index.ts';
import { walletParamsSchema } from '../wallets/schema.ts';
import { submitSignatureApprovals } from './approvals.ts';
import { createSignature } from './create.ts';
import {
  createSignatureBodySchema,
  listSignaturesQuerySchema,
  signatureListSchema,
  signatureParamsSchema,
  signatureSchema,
} from './schema.ts';
import { getSignature, listSignatures } from './signatures.ts';
import { signatureView } from './view.ts';

const base = '/2025-06-09/wallets/:walletLocator/signatures';
const notFound = ['invalid-locator', 'not-authorized', 'wallet-not-found'] as const;

export const signatureRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: base,
    operationId: 'createSignature',
    summary: 'Ask for a signature of the wallet',
    tag: 'Signatures',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:signatures.create'] },
    params: walletParamsSchema,
    body: createSignatureBodySchema,
    responses: {
      201: { description: 'Created; awaiting approvals, or signed.', schema: signatureSchema },
    },
    errors: [
      ...notFound,
      'chain-not-supported',
      'signature-type-not-supported',
      'transaction-invalid',
      'signer-expired',
      'signer-scope-violation',
      'upstream-error',
    ],
    handler: async (ctx, { params, body }) => {
      const wallet = await findActingWallet(ctx, params.walletLocator);
      const record = await createSignature(ctx, {
        wallet,
        type: body.type,
        params: body.params as JsonObject,
      });
      return { status: 201, body: signatureView(record) };
    },
  }),
  route({
    method: 'GET',
    path: base,
    operationId: 'listSignatures',
    summary: 'List the signatures of a wallet, newest first',
    tag: 'Signatures',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:signatures.read'] },
    params: walletParamsSchema,
    query: listSignaturesQuerySchema,
    responses: { 200: { description: 'One page.', schema: signatureListSchema } },
    errors: notFound,
    handler: async (ctx, { params, query }) => {
      const wallet = await findWallet(ctx, params.walletLocator);
      const records = await listSignatures(ctx, { wallet, ...query });
      return { status: 200, body: { signatures: records.map(signatureView) } };
    },
  }),
  route({
    method: 'GET',
    path: `${base}/:signatureId`,
    operationId: 'getSignature',
    summary: 'Read a signature',
    tag: 'Signatures',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:signatures.read'] },
    params: signatureParamsSchema,
    responses: { 200: { description: 'The signature.', schema: signatureSchema } },
    errors: [...notFound, 'signature-not-found'],
    handler: async (ctx, { params }) => {
      const wallet = await findWallet(ctx, params.walletLocator);
      return {
        status: 200,
        body: signatureView(await getSignature(ctx, { wallet, id: params.signatureId })),
      };
    },
  }),
  route({
    method: 'POST',
    path: `${base}/:signatureId/approvals`,
    operationId: 'submitSignatureApprovals',
    summary: 'Submit approvals of a signature',
    tag: 'Signatures',
    family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:signatures.create'] },
    params: signatureParamsSchema,
    body: submitApprovalsBodySchema,
    responses: {
      201: { description: 'The signature with these approvals.', schema: signatureSchema },
    },
    errors: [
      ...notFound,
      'signature-not-found',
      'signer-not-approver',
      'signer-expired',
      'signer-scope-violation',
      'invalid-signature',
      'approvals-complete',
      'approval-window-closed',
    ],
    handler: async (ctx, { params, body }) => {
      const wallet = await findActingWallet(ctx, params.walletLocator);
      const record = await submitSignatureApprovals(ctx, {
        wallet,
        id: params.signatureId,
        approvals: readApprovals(body),
      });
      return { status: 201, body: signatureView(record) };
    },
  }),
];
