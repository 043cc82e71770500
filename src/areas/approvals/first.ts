import {
  isQuorum,
  type QuorumSigner,
  type Signer,
  type SubmittedApproval,
} from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { custodyPurposeOf, type WalletRecord } from '../wallets/index.ts';
import { requireShown, type ShownApproval } from './shown.ts';
import type { FirstApprovals, PendingApproval, SubmittedEntry } from './types.ts';

export interface FirstApprovalsInput extends ShownApproval {
  readonly wallet: WalletRecord;
  /** Who acts: a single signer, or a quorum as a whole. */
  readonly signer: Signer;
  /** Of a quorum, those that are asked; absent: all of them. */
  readonly members?: readonly Signer[] | undefined;
  /** Asked beside the signer, each for an approval of its own. */
  readonly coSigners?: readonly Signer[] | undefined;
}

/**
 * Who is asked for an approval, and what the service approves itself: for api-key signers, wherever
 * they stand, and with keys that are wallets. Where its key signs when the relay sends, the approval
 * is that nobody else is asked; among the members of a quorum it counts, and is given at once.
 */
export async function makeFirstApprovals(
  ctx: Pick<Ctx, 'store' | 'clock' | 'providers'>,
  input: FirstApprovalsInput,
): Promise<FirstApprovals> {
  const { message, coSigners = [] } = input;
  const { approvals, given, complete } = await approveBySigner(ctx, input);
  if (coSigners.length === 0) return { approvals, given, complete };
  // What the service gave waits with the others: it is shown, as that of a quorum's member is.
  const own =
    approvals.submitted.length > 0
      ? []
      : given.map((one) => ({ ...one, message, submittedAt: ctx.clock.now().getTime() }));
  const pending = [...approvals.pending, ...coSigners.map((signer) => ({ signer, message }))];
  const submitted = [...approvals.submitted, ...own];
  return {
    approvals: { required: pending.length + submitted.length, pending, submitted },
    complete: false,
    given: [],
  };
}

async function approveBySigner(
  ctx: Pick<Ctx, 'store' | 'clock' | 'providers'>,
  input: FirstApprovalsInput,
): Promise<FirstApprovals> {
  const { signer, message } = input;
  if (signer.type === 'api-key') {
    if (input.family.late?.isLate(input.signable)) {
      requireShown(ctx, input);
      return { approvals: { pending: [], submitted: [] }, complete: true, given: [] };
    }
    const given = [await approveInCustody(ctx, input, signer)];
    return { approvals: { pending: [], submitted: [] }, complete: true, given };
  }
  if (isQuorum(signer)) return makeQuorumApprovals(ctx, input, signer);
  return {
    approvals: { required: 1, pending: [{ signer, message }], submitted: [] },
    complete: false,
    given: [],
  };
}

async function makeQuorumApprovals(
  ctx: Pick<Ctx, 'store' | 'clock' | 'providers'>,
  input: FirstApprovalsInput,
  signer: QuorumSigner,
): Promise<FirstApprovals> {
  const { threshold, members } = signer;
  const pending: PendingApproval[] = [];
  const submitted: SubmittedEntry[] = [];
  for (const member of input.members ?? members) {
    const entry = { signer: member, message: input.message };
    if (member.type !== 'api-key' || submitted.length === threshold) pending.push(entry);
    else {
      const { signature } = await approveInCustody(ctx, input, member);
      submitted.push({ ...entry, signature, submittedAt: ctx.clock.now().getTime() });
    }
  }
  const remaining = threshold - submitted.length;
  const complete = remaining === 0;
  const entry = {
    signer,
    quorumApprovals: { threshold, remaining, pending: complete ? [] : pending, submitted },
  };
  return {
    approvals: {
      required: 1,
      pending: complete ? [] : [entry],
      submitted: complete ? [entry] : [],
    },
    complete,
    given: complete ? submitted : [],
  };
}

async function approveInCustody(
  ctx: Pick<Ctx, 'store' | 'providers'>,
  input: FirstApprovalsInput,
  signer: Signer,
): Promise<SubmittedApproval> {
  const { family, wallet, signable } = input;
  const keyId = signer['keyId'];
  if (typeof keyId !== 'string') throw new Error(`signer ${signer.locator} names no custody key`);
  requireShown(ctx, input);
  const name = {
    keyId,
    projectId: wallet.projectId,
    purpose: custodyPurposeOf(wallet),
    walletId: wallet.id,
  };
  const sign = (bytes: Uint8Array) => ctx.providers.custody.sign(ctx.store, { ...name, bytes });
  const approval = family.custodyApproval(signer, await sign(family.custodyDigest(signable)));
  // Only the key of the wallet itself: others sign operations and messages alone.
  const extra = wallet.type === 'mpc' ? family.custodyExtra?.digest(signable) : undefined;
  return extra ? family.custodyExtra!.add(approval, await sign(extra)) : approval;
}
