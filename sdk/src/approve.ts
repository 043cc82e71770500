import { ApprovalRefusedError } from './evm/refusal.ts';
import type { Review } from './evm/review.ts';
import type { PurserSigner } from './signers/signer.ts';

interface PendingMember {
  readonly message: string;
  readonly signer: { readonly locator: string };
}

interface PendingEntry {
  readonly message?: string;
  readonly signer: { readonly locator: string };
  readonly quorumApprovals?: {
    readonly remaining: number;
    readonly pending: readonly PendingMember[];
  };
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

interface Approving<T> {
  readonly signers: readonly PurserSigner[];
  readonly review: ((object: T, review: Review) => void | Promise<void>) | undefined;
  /**
   * Reads what the signatures of these signers would mean.
   * @throws ApprovalRefusedError when it is not what was asked for
   */
  readonly read: (object: T, locators: readonly string[]) => Review | Promise<Review>;
  readonly post: (approvals: PostedApproval[]) => Promise<T>;
}

/**
 * Approves every pending entry that one of `signers` can approve, in one call; answers the object
 * unchanged when none can.
 * @throws ApprovalRefusedError when a message is not the hash of what the object shows: then nobody
 * is asked
 */
export async function approvePending<T extends Approvable>(
  object: T,
  { signers, review, read, post }: Approving<T>,
): Promise<T> {
  if (object.status !== 'awaiting-approval') return object;
  const asked = (object.approvals?.pending ?? [])
    .flatMap(membersToAsk)
    .flatMap(({ message, signer }) => {
      const own = signers.find((candidate) => isSameLocator(candidate.locator, signer.locator));
      return own ? [{ message, own, locator: signer.locator }] : [];
    });
  if (asked.length === 0) return object;
  const shown = await read(
    object,
    asked.map(({ own }) => own.locator),
  );
  for (const { message } of asked)
    if (!isSameHash(message, shown.hash))
      throw new ApprovalRefusedError(
        'message',
        `the message ${message.slice(0, 80)} is not the hash of what is shown, ${shown.hash}.`,
      );
  await review?.(object, shown);
  const approvals: PostedApproval[] = [];
  for (const { own, locator } of asked) {
    const { hash, signedTypedData: typedData } = shown;
    const approval = await own.approve({
      message: hash,
      ...(typedData && { typedData }),
      object,
      review: shown,
    });
    approvals.push({ signer: locator, ...approval });
  }
  return post(approvals);

  function membersToAsk(entry: PendingEntry): readonly PendingMember[] {
    const quorum = entry.quorumApprovals;
    if (!quorum)
      return entry.message === undefined ? [] : [{ message: entry.message, signer: entry.signer }];
    const own = quorum.pending.filter((member) =>
      signers.some(({ locator }) => isSameLocator(locator, member.signer.locator)),
    );
    return own.slice(0, quorum.remaining);
  }
}

/** Hexadecimal is written in both cases; base58 and base64 are not. */
function isSameHash(message: string, hash: string): boolean {
  return message === hash || (hash.startsWith('0x') && message.toLowerCase() === hash);
}

/** Addresses differ in case between spellings; ids of passkeys and device keys do not. */
function isSameLocator(a: string, b: string): boolean {
  if (a === b) return true;
  return /^(external-wallet|server):0x/.test(a) && a.toLowerCase() === b.toLowerCase();
}
