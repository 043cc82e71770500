import { type AnyRoute, route } from '../../http/routes/route.ts';
import { findActingWallet } from '../wallets/index.ts';
import { requestCode } from './request-code.ts';
import {
  codeSignatureSchema,
  requestCodeBodySchema,
  signerCodeSchema,
  signerParamsSchema,
  signWithCodeBodySchema,
} from './schema.ts';
import { signWithCode } from './sign.ts';

const base = '/2025-06-09/wallets/:walletLocator/signers/:signer';
const auth = { keys: 'both', user: 'optional', scopes: ['wallets:transactions.sign'] } as const;
const notFound = ['invalid-locator', 'not-authorized', 'wallet-not-found'] as const;

export const signerCodeRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: `${base}/codes`,
    operationId: 'requestSignerCode',
    summary: 'Send a one-time code to an e-mail or phone signer',
    description: `Only while an approval of this signer is pending: \`message\` names it. The code is bound to \`devicePublicKey\`, ends in ten
minutes and takes five tries. A new code ends an earlier one of the same signer and device.

At most five codes per signer and twenty per wallet in an hour.`,
    tag: 'Signers',
    family: 'W',
    auth,
    params: signerParamsSchema,
    body: requestCodeBodySchema,
    responses: { 201: { description: 'Sent.', schema: signerCodeSchema } },
    errors: [...notFound, 'signer-not-approver', 'code-not-deliverable', 'provider-unavailable'],
    handler: async (ctx, { params, body }) => {
      const wallet = await findActingWallet(ctx, params.walletLocator);
      const { codeId, sentTo, expiresAt } = await requestCode(ctx, {
        wallet,
        signer: params.signer,
        ...body,
      });
      return { status: 201, body: { codeId, sentTo, expiresAt: expiresAt.toISOString() } };
    },
  }),
  route({
    method: 'POST',
    path: `${base}/signatures`,
    operationId: 'signWithSignerCode',
    summary: 'Sign the message of a pending approval as an e-mail or phone signer',
    description: `The signature is posted as an approval afterwards. With the right \`code\` a session of ten minutes begins, in which the device
signs further pending approvals of this signer in this wallet without a code.

\`deviceSignature\` is ECDSA P-256 with SHA-256 over these lines, joined by a line feed (U+000A), none at the end:
\`purser signer request 1\`; the wallet's \`address\`; the signer's locator in normalised form; \`codeId\`; \`code\`, or nothing where none is sent;
\`nonce\`; the SHA-256 of \`message\` in lower-case hexadecimal.`,
    tag: 'Signers',
    family: 'W',
    auth,
    params: signerParamsSchema,
    body: signWithCodeBodySchema,
    responses: { 201: { description: 'Signed.', schema: codeSignatureSchema } },
    errors: [
      ...notFound,
      'code-not-found',
      'invalid-code',
      'invalid-signature',
      'signer-not-approver',
      'conflict',
    ],
    handler: async (ctx, { params, body }) => {
      const wallet = await findActingWallet(ctx, params.walletLocator);
      const { signature, sessionExpiresAt } = await signWithCode(ctx, {
        wallet,
        signer: params.signer,
        ...body,
      });
      return { status: 201, body: { signature, sessionExpiresAt: sessionExpiresAt.toISOString() } };
    },
  }),
];
