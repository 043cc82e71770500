import { z } from 'zod';
import { ask, attempt, defineTool, path, repeated, type Tool, type ToolCtx } from '../tool.ts';
import { approvable, linkForUser, signOwn, standing, withoutMessages } from './approvals.ts';
import {
  chainOf,
  chooseSigner,
  requireDelegate,
  requireLimits,
  signerArgument,
  walletArgument,
  walletPath,
} from './limits.ts';

const transactionView = z.object({
  ...approvable,
  sendParams: z
    .object({
      token: z.string(),
      params: z.object({
        recipient: z.string(),
        recipientAddress: z.string(),
        amount: z.string().optional(),
      }),
    })
    .optional(),
  onChain: z
    .object({ txId: z.string().optional(), explorerLink: z.string().optional() })
    .optional(),
});

const readTransaction = async (ctx: ToolCtx, wallet: string, id: string) =>
  (
    await ask(
      ctx,
      { method: 'GET', path: `${walletPath(wallet)}${path`/transactions/${id}`}` },
      transactionView,
    )
  ).data;

export const transferTools: readonly Tool[] = [
  defineTool({
    name: 'transfer_tokens',
    title: 'Pay from a wallet',
    description:
      'Sends tokens through a delegated signer that has a spending limit, and through no other: admin signers, wallets without delegated signers and signers without a limit are refused. The contract of the wallet enforces token, recipients, limit and expiry. Where this MCP server has the secret of the signer it signs; else the transfer waits for whoever has it.',
    input: z.strictObject({
      wallet: walletArgument,
      token: z
        .string()
        .min(1)
        .max(400)
        .describe('<chain>:<symbol or contract>, e.g. base-sepolia:usdxm.'),
      recipient: z
        .string()
        .min(1)
        .max(400)
        .describe('An address, or a user locator such as email:bob@example.com.'),
      amount: z
        .string()
        .regex(
          /^\d{1,30}(?:\.\d{1,30})?$/,
          'must be a decimal amount in whole tokens such as "2.5"',
        )
        .describe('In whole tokens, as a decimal text: "2.5".'),
      signer: signerArgument,
      attempt,
    }),
    examples: [
      {
        wallet: 'userId:alice:evm',
        token: 'base-sepolia:usdxm',
        recipient: 'email:bob@example.com',
        amount: '2.5',
      },
    ],
    kind: 'writes',
    operations: [
      'getSigner',
      'createTransfer',
      'submitTransactionApprovals',
      'getTransaction',
      'createTransactionApprovalLink',
    ],
    run: async (ctx, { wallet, token, recipient, amount, signer: named }, idempotencyKey) => {
      const chain = chainOf(token);
      const signer = chooseSigner(ctx, { signer: named, chain });
      requireLimits(await requireDelegate(ctx, { wallet, signer }));
      const created = await ask(
        ctx,
        {
          method: 'POST',
          path: `${walletPath(wallet)}/tokens/${path`${token}`}/transfers`,
          body: { recipient, amount, signer },
          idempotencyKey,
        },
        transactionView,
      );
      // A repeated call is answered as the first one was: what became of it is read.
      const open = created.isReplayed
        ? await readTransaction(ctx, wallet, created.data.id)
        : created.data;
      await signOwn(ctx, { wallet, of: 'transactions', chain, signer, open });
      const now = await readTransaction(ctx, wallet, open.id);
      const link = await linkForUser(ctx, { wallet, of: 'transactions', open: now });
      return {
        says: `${standing(now, 'transfer', link)}${repeated(created.isReplayed)}`,
        data: { ...withoutMessages(now), ...(link && { link }) },
      };
    },
  }),
  defineTool({
    name: 'get_transaction',
    title: 'Read a transfer',
    description: 'How a transfer or another transaction of a wallet stands.',
    input: z.strictObject({ wallet: walletArgument, transactionId: z.string().min(1).max(100) }),
    examples: [
      { wallet: 'userId:alice:evm', transactionId: '6f1c1d1e-5b1a-4a52-9d0b-0d6f2f6f3c11' },
    ],
    kind: 'reads',
    operations: ['getTransaction', 'createTransactionApprovalLink'],
    run: async (ctx, { wallet, transactionId }) => {
      const now = await readTransaction(ctx, wallet, transactionId);
      const link = await linkForUser(ctx, { wallet, of: 'transactions', open: now });
      return {
        says: standing(now, 'transaction', link),
        data: { ...withoutMessages(now), ...(link && { link }) },
      };
    },
  }),
];
