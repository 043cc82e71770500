import { z } from 'zod';
import { ask, attempt, defineTool, path, repeated, type Tool, type ToolCtx } from '../tool.ts';
import { approvable, linkForUser, signOwn, standing, withoutMessages } from './approvals.ts';
import {
  chooseSigner,
  requireDelegate,
  signerArgument,
  walletArgument,
  walletPath,
} from './limits.ts';

const signatureView = z.object({
  ...approvable,
  type: z.string(),
  outputSignature: z.string().max(20_000).optional(),
});

const readSignature = async (ctx: ToolCtx, wallet: string, id: string) =>
  (
    await ask(
      ctx,
      { method: 'GET', path: `${walletPath(wallet)}${path`/signatures/${id}`}` },
      signatureView,
    )
  ).data;

export const signatureTools: readonly Tool[] = [
  defineTool({
    name: 'sign_message',
    title: 'Ask for a signature of a text',
    description:
      'Asks for the signature of a wallet under a text, through a delegated signer. Typed data is not signed by agents: permits, which move money, are typed data. A signer whose permissions are limited to transfers cannot sign texts.',
    input: z.strictObject({
      wallet: walletArgument,
      chain: z.string().min(1).max(100).describe('Chain name, e.g. base-sepolia.'),
      message: z.string().min(1).max(5_000),
      signer: signerArgument,
      attempt,
    }),
    examples: [
      { wallet: 'userId:alice:evm', chain: 'base-sepolia', message: 'I am Alice’s agent.' },
    ],
    kind: 'writes',
    operations: [
      'getSigner',
      'createSignature',
      'submitSignatureApprovals',
      'getSignature',
      'createSignatureApprovalLink',
    ],
    run: async (ctx, { wallet, chain, message, signer: named }, idempotencyKey) => {
      const signer = chooseSigner(ctx, { signer: named, chain });
      await requireDelegate(ctx, { wallet, signer });
      const created = await ask(
        ctx,
        {
          method: 'POST',
          path: `${walletPath(wallet)}/signatures`,
          body: { type: 'message', params: { message, chain, signer } },
          idempotencyKey,
        },
        signatureView,
      );
      const open = created.isReplayed
        ? await readSignature(ctx, wallet, created.data.id)
        : created.data;
      await signOwn(ctx, { wallet, of: 'signatures', chain, signer, open });
      const now = await readSignature(ctx, wallet, open.id);
      const link = await linkForUser(ctx, { wallet, of: 'signatures', open: now });
      return {
        says: `${standing(now, 'signature', link)}${repeated(created.isReplayed)}`,
        data: { ...withoutMessages(now), ...(link && { link }) },
      };
    },
  }),
  defineTool({
    name: 'get_signature',
    title: 'Read a signature',
    description: 'How a signature request of a wallet stands, and the signature once it is there.',
    input: z.strictObject({ wallet: walletArgument, signatureId: z.string().min(1).max(100) }),
    examples: [{ wallet: 'userId:alice:evm', signatureId: '6f1c1d1e-5b1a-4a52-9d0b-0d6f2f6f3c11' }],
    kind: 'reads',
    operations: ['getSignature', 'createSignatureApprovalLink'],
    run: async (ctx, { wallet, signatureId }) => {
      const now = await readSignature(ctx, wallet, signatureId);
      const link = await linkForUser(ctx, { wallet, of: 'signatures', open: now });
      return {
        says: standing(now, 'signature', link),
        data: { ...withoutMessages(now), ...(link && { link }) },
      };
    },
  }),
];
