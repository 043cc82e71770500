import { type AnyRoute, route } from '../../http/routes/route.ts';
import type { LinkedWallet } from './link.ts';
import { getLinkedWallet, linkWallet } from './linked-wallets.ts';
import { linkedWalletParamsSchema, linkedWalletSchema, linkWalletBodySchema } from './schema.ts';

const path = '/2025-06-09/users/:userLocator/linked-wallets/:address';
const ownership =
  'A wallet belongs to one user. Without `proof` the link is unverified and the answer carries `verificationChallenge`, a text for the wallet to sign within 15 minutes; it works once. A claim without proof gives way to another user’s proof: then the 409 carries a `verificationChallenge` for that user. Outside production proofs are optional.';

export const linkedWalletRoutes: readonly AnyRoute[] = [
  route({
    method: 'PUT',
    path,
    operationId: 'linkWallet',
    summary: 'Link an external wallet',
    description: ownership,
    tag: 'Linked wallets',
    family: 'U',
    auth: { keys: 'both', user: 'required', scopes: ['users.create'] },
    params: linkedWalletParamsSchema,
    body: linkWalletBodySchema,
    responses: { 200: { description: 'The linked wallet.', schema: linkedWalletSchema } },
    errors: [
      'invalid-locator',
      'chain-not-supported',
      'invalid-proof',
      'user-not-found',
      'wallet-linked-to-other-user',
      'conflict',
      'upstream-error',
    ],
    handler: async (ctx, { params, body }) => ({
      status: 200,
      body: linkedWalletView(
        await linkWallet(ctx, { locator: params.userLocator, address: params.address, ...body }),
      ),
    }),
  }),
  route({
    method: 'GET',
    path,
    operationId: 'getLinkedWallet',
    summary: 'Read a linked wallet',
    tag: 'Linked wallets',
    family: 'U',
    auth: { keys: 'both', user: 'required', scopes: ['users.read'] },
    params: linkedWalletParamsSchema,
    responses: { 200: { description: 'The linked wallet.', schema: linkedWalletSchema } },
    errors: ['invalid-locator', 'user-not-found', 'linked-wallet-not-found'],
    handler: async (ctx, { params }) => ({
      status: 200,
      body: linkedWalletView(
        await getLinkedWallet(ctx, { locator: params.userLocator, address: params.address }),
      ),
    }),
  }),
];

function linkedWalletView(wallet: LinkedWallet) {
  const { address, chain, verificationChallenge } = wallet;
  return {
    address,
    chain,
    type: 'external-wallet',
    ownership:
      verificationChallenge === undefined
        ? { verified: true }
        : { verified: false, verificationChallenge },
  };
}
