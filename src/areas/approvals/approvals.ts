import type { Signer } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { isSameSigner, type WalletRecord } from '../wallets/index.ts';
import { requireShown, type ShownApproval } from './shown.ts';
import {
  type ApprovalInput,
  type Approvals,
  isQuorumEntry,
  type PendingApproval,
  type QuorumEntry,
  type SubmittedEntry,
} from './types.ts';

/** What approvals are about: a transaction or a signature request. */
export interface ApprovalTarget {
  readonly noun: 'transaction' | 'signature';
  readonly wallet: WalletRecord;
  readonly status: 'awaiting-approval' | 'pending' | 'success' | 'failed';
  readonly approvals: Approvals;
  readonly validUntil: Date;
}

export interface AppliedApprovals {
  readonly approvals: Approvals;
  /** What was added, one per input and in its order. */
  readonly added: readonly SubmittedEntry[];
  /** True: nobody needs to be asked any more. */
  readonly complete: boolean;
}

/**
 * Approvals of a target with these added: all or none. Signatures are not checked here, see
 * {@link checkApprovals}.
 * @throws validation-error, signer-not-approver, approval-already-submitted (transactions),
 * approvals-complete, approval-window-closed
 */
export function applyApprovals(
  ctx: RequestCtx,
  target: ApprovalTarget,
  inputs: readonly ApprovalInput[],
): AppliedApprovals {
  for (const input of inputs) refuseClosed(ctx, target, input);
  const taken = new Set<PendingApproval>();
  const added = inputs.map((input): SubmittedEntry => {
    const asked = findAsked(ctx, target, input);
    if (taken.has(asked))
      throw new ServiceError('validation-error', {
        message: 'approvals: the same signer stands in the list twice.',
      });
    taken.add(asked);
    const { signature, metadata } = input;
    return {
      ...asked,
      signature,
      ...(metadata === undefined ? {} : { metadata }),
      submittedAt: ctx.clock.now().getTime(),
    };
  });
  const approvals = moveTaken(
    target.approvals,
    new Map([...taken].map((asked, index) => [asked, added[index]!])),
  );
  return { approvals, added, complete: approvals.pending.length === 0 };
}

export interface AppliedDecline {
  readonly approvals: Approvals;
  /**
   * True: without this signer it can never be approved. False: the other members of the quorum are
   * still enough.
   */
  readonly isOver: boolean;
}

/**
 * Approvals of a target of which this signer has said no: it is asked no more.
 * @throws signer-not-approver, approval-already-submitted (transactions), approvals-complete,
 * approval-window-closed
 */
export function applyDecline(
  ctx: RequestCtx,
  target: ApprovalTarget,
  signerLocator: string,
): AppliedDecline {
  const input = { signer: signerLocator };
  refuseClosed(ctx, target, input);
  const asked = findAsked(ctx, target, input);
  let isOver = false;
  const pending = target.approvals.pending.map((entry) => {
    if (!isQuorumEntry(entry)) {
      if (entry === asked) isOver = true;
      return entry;
    }
    const left = entry.quorumApprovals.pending.filter((member) => member !== asked);
    if (left.length < entry.quorumApprovals.remaining) isOver = true;
    return { ...entry, quorumApprovals: { ...entry.quorumApprovals, pending: left } };
  });
  return { approvals: { ...target.approvals, pending }, isOver };
}

/** What a transaction or signature says of itself that somebody has declined. */
export const declinedError = (noun: ApprovalTarget['noun']) => ({
  reason: 'unknown' as const,
  message: `A signer has declined it, and without this approval the ${noun} cannot go on: nothing was done.`,
});

/**
 * @throws invalid-signature when one of the signatures does not sign `signable`; internal-error
 *   when that is not what the signers were shown
 */
export async function checkApprovals(
  ctx: Pick<RequestCtx, 'store'>,
  target: Omit<ShownApproval, 'message'>,
  approvals: readonly SubmittedEntry[],
): Promise<void> {
  for (const approval of approvals) {
    requireShown(ctx, { ...target, message: approval.message });
    if (await target.family.checkApproval(target.signable, approval)) continue;
    throw new ServiceError('invalid-signature', {
      message: `The signature of ${approval.signer.locator} does not verify: sign the \`message\` of its pending approval with the key of this signer.`,
    });
  }
}

/**
 * Existing clients post an empty list when nothing is pending: they get the object back.
 * @throws validation-error otherwise
 */
export function acceptEmptyList(target: Pick<ApprovalTarget, 'noun' | 'approvals'>): void {
  if (target.approvals.pending.length === 0) return;
  throw new ServiceError('validation-error', {
    message: `approvals: send at least one approval; approvals.pending of the ${target.noun} names the signers and their messages.`,
  });
}

/**
 * What the family is handed once the approvals are complete: of a quorum as many as its threshold,
 * the earliest.
 */
export function givenApprovals(approvals: Approvals): readonly SubmittedEntry[] {
  return approvals.submitted.flatMap((entry) =>
    isQuorumEntry(entry)
      ? entry.quorumApprovals.submitted.slice(0, entry.quorumApprovals.threshold)
      : [entry],
  );
}

/**
 * The signer of this locator if an open target asks it to sign this message, with the id of its
 * custody key.
 */
export function findAskedSigner(
  ctx: RequestCtx,
  target: Pick<ApprovalTarget, 'wallet' | 'approvals'>,
  input: { signerLocator: string; message: string },
): Signer | undefined {
  return pendingOf(target.approvals).find(
    ({ signer, message }) =>
      message === input.message && isSameSigner(ctx, target.wallet, signer, input.signerLocator),
  )?.signer;
}

function refuseClosed(
  ctx: RequestCtx,
  target: ApprovalTarget,
  input: Pick<ApprovalInput, 'signer'>,
): void {
  const { noun, status, validUntil } = target;
  const approvedAlready = submittedOf(target.approvals).some(({ signer }) =>
    isSameSigner(ctx, target.wallet, signer, input.signer),
  );
  if (noun === 'transaction' && approvedAlready)
    throw new ServiceError('approval-already-submitted');
  if (status === 'failed')
    throw new ServiceError('approval-window-closed', {
      message: `The ${noun} has failed already and takes no approvals: create a new one.`,
    });
  if (status !== 'awaiting-approval')
    throw new ServiceError(
      'approvals-complete',
      noun === 'transaction' ? {} : { message: 'The signature is completed already.' },
    );
  if (validUntil <= ctx.clock.now())
    throw new ServiceError('approval-window-closed', {
      message: `The approval window of the ${noun} has passed: create a new one.`,
    });
}

function findAsked(
  ctx: RequestCtx,
  target: ApprovalTarget,
  input: Pick<ApprovalInput, 'signer'>,
): PendingApproval {
  const pending = pendingOf(target.approvals);
  const asked = pending.find(({ signer }) =>
    isSameSigner(ctx, target.wallet, signer, input.signer),
  );
  if (asked) return asked;
  throw new ServiceError('signer-not-approver', {
    message: `This signer has no pending approval here. Pending: ${pending.map(({ signer }) => signer.locator).join(', ')}.`,
  });
}

/** Every signer that may approve now, members of quorums among them. */
function pendingOf(approvals: Approvals): readonly PendingApproval[] {
  return approvals.pending.flatMap((entry) =>
    isQuorumEntry(entry) ? entry.quorumApprovals.pending : [entry],
  );
}

function submittedOf(approvals: Approvals): readonly { readonly signer: Signer }[] {
  const fromQuorums = approvals.pending.flatMap((entry) =>
    isQuorumEntry(entry) ? entry.quorumApprovals.submitted : [],
  );
  return [
    ...fromQuorums,
    ...approvals.submitted.flatMap((entry) =>
      isQuorumEntry(entry) ? entry.quorumApprovals.submitted : [entry],
    ),
  ];
}

function moveTaken(
  approvals: Approvals,
  taken: ReadonlyMap<PendingApproval, SubmittedEntry>,
): Approvals {
  const pending: (PendingApproval | QuorumEntry)[] = [];
  const submitted = [...approvals.submitted];
  for (const entry of approvals.pending) {
    const moved = isQuorumEntry(entry) ? moveMembers(entry, taken) : (taken.get(entry) ?? entry);
    const isDone = isQuorumEntry(moved)
      ? moved.quorumApprovals.remaining === 0
      : 'signature' in moved;
    if (isDone) submitted.push(moved as SubmittedEntry | QuorumEntry);
    else pending.push(moved);
  }
  return { ...approvals, pending, submitted };
}

function moveMembers(
  entry: QuorumEntry,
  taken: ReadonlyMap<PendingApproval, SubmittedEntry>,
): QuorumEntry {
  const { threshold, ...before } = entry.quorumApprovals;
  const submitted = [
    ...before.submitted,
    ...before.pending.flatMap((asked) => taken.get(asked) ?? []),
  ];
  const remaining = Math.max(0, threshold - submitted.length);
  // Nobody is asked any more once it is enough.
  const pending = remaining === 0 ? [] : before.pending.filter((asked) => !taken.has(asked));
  return { signer: entry.signer, quorumApprovals: { threshold, remaining, pending, submitted } };
}
