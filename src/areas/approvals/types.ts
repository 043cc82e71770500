import type { QuorumSigner, Signer, SubmittedApproval } from '../../chains/family.ts';
import type { Json, JsonObject } from '../../lib/json/json.ts';

/**
 * Approvals as the areas keep them, with whole signers inside. What answers show of them is in
 * `view.ts`.
 */

export interface PendingApproval {
  readonly signer: Signer;
  /** What the signer signs. */
  readonly message: string;
}

export interface SubmittedEntry extends PendingApproval {
  readonly signature: Json;
  readonly metadata?: JsonObject;
  /** Epoch milliseconds. */
  readonly submittedAt: number;
}

/**
 * One entry for m of n members; it stays pending until `remaining` is 0 (supplement, section 21).
 */
export interface QuorumEntry {
  readonly signer: QuorumSigner;
  readonly quorumApprovals: {
    readonly threshold: number;
    readonly remaining: number;
    readonly pending: readonly PendingApproval[];
    readonly submitted: readonly SubmittedEntry[];
  };
}

export interface Approvals {
  /** Entries needed; absent where nobody is asked: api-key signers and mpc wallets. */
  readonly required?: number;
  readonly pending: readonly (PendingApproval | QuorumEntry)[];
  readonly submitted: readonly (SubmittedEntry | QuorumEntry)[];
}

/** Approvals at the moment an object is made. */
export interface FirstApprovals {
  readonly approvals: Approvals;
  /** True: nobody needs to be asked. */
  readonly complete: boolean;
  /**
   * What the family is handed when complete. An api-key signer's own approval stands here only:
   * answers do not show it.
   */
  readonly given: readonly SubmittedApproval[];
}

/** An approval as a caller posts it. */
export interface ApprovalInput {
  /** Locator of the approving signer; of a quorum's member. */
  readonly signer: string;
  readonly signature: Json;
  readonly metadata?: JsonObject;
}

export function isQuorumEntry(
  entry: PendingApproval | SubmittedEntry | QuorumEntry,
): entry is QuorumEntry {
  return 'quorumApprovals' in entry;
}
