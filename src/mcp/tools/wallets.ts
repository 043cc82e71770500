import { z } from 'zod';
import { ask, defineTool, path, type Tool } from '../tool.ts';
import { delegateView, signerView, walletArgument, walletPath } from './limits.ts';

const walletView = z.object({
  chainType: z.string(),
  type: z.string(),
  address: z.string(),
  alias: z.string().optional(),
  owner: z.string().optional(),
  config: z
    .object({ adminSigner: z.unknown(), delegatedSigners: z.array(signerView).optional() })
    .optional(),
});
const adminView = z.object({ type: z.string() });

const tokenView = z.object({
  symbol: z.string().optional(),
  decimals: z.number(),
  balance: z.string(),
  balanceUSD: z.string().optional(),
  chain: z.string().optional(),
  address: z.string().optional(),
});
const balancesView = z.object({
  nativeToken: tokenView,
  tokens: z.array(tokenView),
  unknownSymbols: z.array(z.string()).optional(),
});

export const walletTools: readonly Tool[] = [
  defineTool({
    name: 'get_wallet',
    title: 'Read a wallet',
    description:
      'The address of a wallet, and the delegated signers through which an agent may act for it.',
    input: z.strictObject({ wallet: walletArgument }),
    examples: [{ wallet: 'userId:alice:evm' }],
    kind: 'reads',
    operations: ['getWallet'],
    run: async (ctx, { wallet }) => {
      const { data } = await ask(ctx, { method: 'GET', path: walletPath(wallet) }, walletView);
      const { config, ...view } = data;
      const admin = adminView.safeParse(config?.adminSigner).data;
      return {
        says: 'The wallet. What a delegated signer may do is told by get_limits.',
        data: {
          ...view,
          ...(admin && { adminSigner: admin }),
          delegatedSigners: config?.delegatedSigners ?? [],
        },
      };
    },
  }),
  defineTool({
    name: 'get_balances',
    title: 'Read what a wallet holds',
    description:
      'Balances in the smallest unit of each token: divide by 10 to the power of `decimals`.',
    input: z.strictObject({
      wallet: walletArgument,
      tokens: z.string().min(1).max(1_000).describe('Symbols with commas between: usdc,eth.'),
      chains: z
        .string()
        .min(1)
        .max(1_000)
        .optional()
        .describe('Chain names with commas between: base-sepolia.'),
    }),
    examples: [{ wallet: 'userId:alice:evm', tokens: 'usdxm', chains: 'base-sepolia' }],
    kind: 'reads',
    operations: ['getWalletBalances'],
    run: async (ctx, { wallet, tokens, chains }) => {
      const query = new URLSearchParams({ tokens, ...(chains !== undefined && { chains }) });
      const { data } = await ask(
        ctx,
        { method: 'GET', path: `${walletPath(wallet)}/balances?${query}` },
        balancesView,
      );
      return { says: 'The balances, in smallest units.', data };
    },
  }),
  defineTool({
    name: 'get_limits',
    title: 'Read what a delegated signer may do',
    description:
      'Token, recipients, spending limit per interval (seconds) and expiry of a delegated signer. The contract of the wallet enforces them: what is above is refused whoever asks.',
    input: z.strictObject({
      wallet: walletArgument,
      signer: z.string().min(1).max(1_500).describe('Its locator, from get_wallet.'),
    }),
    examples: [
      { wallet: 'userId:alice:evm', signer: 'server:0x9858effd232b4033e47d90003d41ec34ecaeda94' },
    ],
    kind: 'reads',
    operations: ['getSigner'],
    run: async (ctx, { wallet, signer }) => {
      const { data } = await ask(
        ctx,
        { method: 'GET', path: `${walletPath(wallet)}${path`/signers/${signer}`}` },
        delegateView,
      );
      return {
        says: 'What this signer may do. Without scopes it is not limited, and transfer_tokens does not use it.',
        data,
      };
    },
  }),
];
