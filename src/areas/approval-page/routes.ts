import { z } from 'zod';
import { type AnyRoute, route } from '../../http/routes/route.ts';
import { getSignature } from '../signatures/index.ts';
import { signatureParamsSchema } from '../signatures/schema.ts';
import { getTransaction } from '../transactions/index.ts';
import { transactionParamsSchema } from '../transactions/schema.ts';
import { findActingWallet } from '../wallets/index.ts';
import { signerNameSchema } from '../wallets/schema.ts';
import {
  linkSecondsDefault,
  linkSecondsMax,
  linkSecondsMin,
  type MadeLink,
  makeLink,
} from './make-link.ts';

const base = '/2025-06-09/wallets/:walletLocator';

const bodySchema = z
  .strictObject({
    signer: signerNameSchema
      .optional()
      .describe('Who is to approve; needed where several are asked, e.g. members of a quorum.'),
    expiresInSeconds: z
      .int()
      .min(linkSecondsMin)
      .max(linkSecondsMax)
      .optional()
      .describe(`${linkSecondsDefault} when absent.`),
  })
  .meta({ id: 'CreateApprovalLinkBody' });

const linkSchema = z
  .looseObject({
    url: z
      .string()
      .describe('The page. What stands behind the `#` opens it: hand it to this signer alone.'),
    signer: z.string().describe('Locator of the signer that it is for.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'ApprovalLink' });

const description = `A page of this service, for the person behind one signer: what is asked of them in words, the hash computed in their own
browser, and two buttons. It is for this object and this signer alone, and ends with \`expiresAt\` or with the approval window, whatever is sooner.
Nobody approves by having the link: the signer's passkey, wallet or code does. See the guide *The approval page*.`;

const common = {
  method: 'POST',
  family: 'W',
  description,
  body: bodySchema,
  responses: { 201: { description: 'The link.', schema: linkSchema } },
} as const;
const refusals = [
  'invalid-locator',
  'not-authorized',
  'wallet-not-found',
  'signer-not-approver',
  'approvals-complete',
  'approval-window-closed',
] as const;

export const approvalLinkRoutes: readonly AnyRoute[] = [
  route({
    ...common,
    path: `${base}/transactions/:transactionId/approval-links`,
    operationId: 'createTransactionApprovalLink',
    summary: 'Make a link to the page on which a signer approves a transaction',
    tag: 'Transactions',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:transactions.sign'] },
    params: transactionParamsSchema,
    errors: [...refusals, 'transaction-not-found'],
    handler: async (ctx, { params, body }) => {
      const wallet = await findActingWallet(ctx, params.walletLocator);
      const object = await getTransaction(ctx, { wallet, id: params.transactionId });
      return answer(makeLink(ctx, { kind: 'transaction', wallet, object, ...body }));
    },
  }),
  route({
    ...common,
    path: `${base}/signatures/:signatureId/approval-links`,
    operationId: 'createSignatureApprovalLink',
    summary: 'Make a link to the page on which a signer approves a signature',
    tag: 'Signatures',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets:signatures.create'] },
    params: signatureParamsSchema,
    errors: [...refusals, 'signature-not-found'],
    handler: async (ctx, { params, body }) => {
      const wallet = await findActingWallet(ctx, params.walletLocator);
      const object = await getSignature(ctx, { wallet, id: params.signatureId });
      return answer(makeLink(ctx, { kind: 'signature', wallet, object, ...body }));
    },
  }),
];

const answer = ({ url, signer, expiresAt }: MadeLink) => ({
  status: 201,
  body: { url, signer, expiresAt: expiresAt.toISOString() },
});
