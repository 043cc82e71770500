import { z } from 'zod';
import type { RequestCtx } from '../../context.ts';
import type { PublicRoute } from '../../http/routes/public-routes.ts';
import { ServiceError } from '../../lib/errors.ts';
import { readApprovals } from '../approvals/index.ts';
import { submitApprovalsBodySchema } from '../approvals/schema.ts';
import { readWalletBalances } from '../balances/index.ts';
import { balancesQuerySchema } from '../balances/schema.ts';
import { declineSignature, submitSignatureApprovals } from '../signatures/index.ts';
import { requestCode, signWithCode } from '../signer-codes/index.ts';
import { requestCodeBodySchema, signWithCodeBodySchema } from '../signer-codes/schema.ts';
import { declineTransaction, submitApprovals } from '../transactions/index.ts';
import { type LinkCall, readRoute, requireOwn, writeRoute } from './guard.ts';
import { hashSigner } from './link.ts';
import { lookAtObject, objectView, openObject, signerOfLink } from './look.ts';

const wallet = '/2025-06-09/wallets/:walletLocator';

/**
 * What the page asks: its own look, and of the interface what one signer needs, under the
 * interface's own paths.
 */
export const pageCallRoutes: readonly PublicRoute[] = [
  readRoute('/look', lookAtObject),
  readRoute(`${wallet}/balances`, async (ctx, { link, query }) => {
    const { data, error } = balancesQuerySchema.safeParse(Object.fromEntries(query));
    if (error)
      throw new ServiceError('validation-error', {
        message: 'tokens: name those that it is about.',
      });
    return readWalletBalances(ctx, { walletLocator: link.walletAddress, query: data });
  }),
  writeRoute(
    `${wallet}/transactions/:objectId/approvals`,
    submitApprovalsBodySchema,
    async (ctx, call) => {
      requireOwn(call, 'transaction');
      return approve(ctx, call, call.body);
    },
  ),
  writeRoute(
    `${wallet}/signatures/:objectId/approvals`,
    submitApprovalsBodySchema,
    async (ctx, call) => {
      requireOwn(call, 'signature');
      return approve(ctx, call, call.body);
    },
  ),
  writeRoute('/decline', z.strictObject({}), async (ctx, call) => {
    const { link, wallet: own } = call;
    const input = { wallet: own, id: link.objectId, signerLocator: await askedLocator(ctx, call) };
    await (link.kind === 'transaction'
      ? declineTransaction(ctx, input)
      : declineSignature(ctx, input));
    return lookAtObject(ctx, call);
  }),
  writeRoute(`${wallet}/signers/:signer/codes`, requestCodeBodySchema, async (ctx, call) => {
    await requireOwnMessage(ctx, call, call.body.message);
    const sent = await requestCode(ctx, {
      wallet: call.wallet,
      signer: call.params.signer!,
      ...call.body,
    });
    return { codeId: sent.codeId, sentTo: sent.sentTo, expiresAt: sent.expiresAt };
  }),
  writeRoute(`${wallet}/signers/:signer/signatures`, signWithCodeBodySchema, async (ctx, call) => {
    await requireOwnMessage(ctx, call, call.body.message);
    return signWithCode(ctx, { wallet: call.wallet, signer: call.params.signer!, ...call.body });
  }),
];

async function approve(
  ctx: RequestCtx,
  call: LinkCall,
  body: z.output<typeof submitApprovalsBodySchema>,
): Promise<unknown> {
  const approvals = readApprovals(body);
  if (
    approvals.length === 0 ||
    approvals.some(({ signer }) => hashSigner(signer) !== call.link.signerHash)
  )
    throw new ServiceError('forbidden', {
      message: 'This link is for the approval of one signer, and for no other.',
    });
  const input = { wallet: call.wallet, id: call.link.objectId, approvals };
  const opened =
    call.link.kind === 'transaction'
      ? ({ kind: 'transaction', record: await submitApprovals(ctx, input) } as const)
      : ({ kind: 'signature', record: await submitSignatureApprovals(ctx, input) } as const);
  const { signer } = signerOfLink(opened.record.approvals, call.link);
  return opened.kind === 'transaction'
    ? objectView({ ...opened, signable: opened.record.operation }, signer)
    : objectView({ ...opened, signable: opened.record.signable }, signer);
}

/** @throws signer-not-approver when the link's signer is not asked (any more) */
async function askedLocator(ctx: RequestCtx, call: LinkCall): Promise<string> {
  const { signer, isAsked } = signerOfLink(
    (await openObject(ctx, call)).record.approvals,
    call.link,
  );
  if (!signer || !isAsked)
    throw new ServiceError('signer-not-approver', {
      message: 'Nothing is asked of you here any more.',
    });
  return signer.locator;
}

/**
 * A code approves what the link is about, for its signer alone.
 * @throws forbidden, signer-not-approver
 */
async function requireOwnMessage(ctx: RequestCtx, call: LinkCall, message: string): Promise<void> {
  const locator = await askedLocator(ctx, call);
  const { record } = await openObject(ctx, call);
  const messages = record.approvals.pending.flatMap((entry) =>
    'quorumApprovals' in entry ? entry.quorumApprovals.pending : [entry],
  );
  const isOwn = messages.some((one) => one.signer.locator === locator && one.message === message);
  if (
    !isOwn ||
    call.params.signer !== locator ||
    call.params.walletLocator !== call.link.walletAddress
  )
    throw new ServiceError('forbidden', {
      message: 'This link is for the approval of one signer, and for no other.',
    });
}
