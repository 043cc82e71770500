import type { PurserSigner } from './signers/signer.ts';

interface PendingMember {
  readonly message: string;
  readonly signer: { readonly locator: string };
}

interface PendingEntry {
  readonly message?: string;
  readonly signer: { readonly locator: string };
  readonly quorumApprovals?: { readonly remaining: number; readonly pending: readonly PendingMember[] };
}

interface Approvable {
  readonly status: string;
  readonly approvals?: { readonly pending?: readonly PendingEntry[] };
}

interface PostedApproval {
  signer: string;
  signature: string | { r: string; s: string };
  metadata?: Record<string, unknown>;
}

interface Approvers<T> {
  readonly signers: readonly PurserSigner[];
  readonly review: ((object: T) => void | Promise<void>) | undefined;
}

/** Approves every pending entry that one of `signers` can approve, in one call; answers the object unchanged when none can. */
export async function approvePending<T extends Approvable>(
  object: T,
  { signers, review }: Approvers<T>,
  post: (approvals: PostedApproval[]) => Promise<T>,
): Promise<T> {
  if (object.status !== 'awaiting-approval') return object;
  const asked = (object.approvals?.pending ?? []).flatMap(membersToAsk).flatMap(({ message, signer }) => {
    const own = signers.find((candidate) => isSameLocator(candidate.locator, signer.locator));
    return own ? [{ message, own, locator: signer.locator }] : [];
  });
  if (asked.length === 0) return object;
  await review?.(object);
  const approvals: PostedApproval[] = [];
  for (const { message, own, locator } of asked) approvals.push({ signer: locator, ...(await own.approve({ message, object })) });
  return post(approvals);

  function membersToAsk(entry: PendingEntry): readonly PendingMember[] {
    const quorum = entry.quorumApprovals;
    if (!quorum) return entry.message === undefined ? [] : [{ message: entry.message, signer: entry.signer }];
    const own = quorum.pending.filter((member) => signers.some(({ locator }) => isSameLocator(locator, member.signer.locator)));
    return own.slice(0, quorum.remaining);
  }
}

/** Addresses differ in case between spellings; ids of passkeys and device keys do not. */
function isSameLocator(a: string, b: string): boolean {
  if (a === b) return true;
  return /^(external-wallet|server):0x/.test(a) && a.toLowerCase() === b.toLowerCase();
}
