import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { move, statesBefore } from '../../machine/machine.ts';
import { applyDecline, declinedError } from '../approvals/index.ts';
import type { WalletRecord } from '../wallets/index.ts';
import { targetOf } from './approvals.ts';
import { signatureMachine } from './machine.ts';
import { isId } from './signatures.ts';
import { lockSignature, type SignatureRecord, updateApprovals } from './store.ts';
import { endSignatures } from './store-ends.ts';

/**
 * A signer says no. It is asked no more; where nobody else can take its place the request has
 * failed.
 * @throws signature-not-found, signer-not-approver, approvals-complete, approval-window-closed
 */
export async function declineSignature(
  ctx: RequestCtx,
  input: { readonly wallet: WalletRecord; readonly id: string; readonly signerLocator: string },
): Promise<SignatureRecord> {
  const { wallet, id, signerLocator } = input;
  return ctx.store.transaction(async (tx) => {
    const current = isId(id) ? await lockSignature(tx, { walletId: wallet.id, id }) : undefined;
    if (!current) throw new ServiceError('signature-not-found');
    const { approvals, isOver } = applyDecline(ctx, targetOf(wallet, current), signerLocator);
    const asked = {
      ...current,
      approvals,
      status: move(signatureMachine, current.status, 'declined-in-part'),
    };
    await updateApprovals(tx, current.status, asked);
    if (!isOver) return asked;
    const status = move(signatureMachine, current.status, 'declined');
    const end = { id, status, error: declinedError('signature'), at: ctx.clock.now() };
    await endSignatures(tx, { from: statesBefore(signatureMachine, 'declined'), ends: [end] });
    return { ...asked, status, error: end.error, completedAt: end.at };
  });
}
