import { bytesOfHex } from '../bytes.ts';
import type { Review } from '../evm/review.ts';
import type { TypedData } from '../evm/typed-data.ts';

/** What a signer is asked to approve: an entry of `approvals.pending`. */
export interface ApprovalRequest {
  /**
   * The hash of what is signed (of `typedData` on EVM): a client of `createPurser` computes it, and
   * refuses any other.
   */
  readonly message: string;
  /** For wallets that show what they sign (EIP-712). */
  readonly typedData?: TypedData;
  /** What it means, read out of what is hashed. */
  readonly review?: Review;
  /** The transaction or signature that it belongs to: what to show to whoever approves. */
  readonly object?: object;
}

/** What is posted for it, without the locator. */
export interface Approval {
  readonly signature: string | { readonly r: string; readonly s: string };
  readonly metadata?: Record<string, unknown>;
}

/** Somebody who approves with a key of the caller's: the service never sees it. */
export interface PurserSigner {
  /** As it stands in `approvals.pending[].signer.locator`. */
  readonly locator: string;
  /** How a create body names the signer. */
  readonly input: Readonly<Record<string, unknown>> & { readonly type: string };
  approve(request: ApprovalRequest): Promise<Approval>;
}

/** The 32 bytes that a P-256 key signs as a message, or has as the challenge. */
export function signedBytesOf(
  message: string,
  review: Review | undefined,
): Uint8Array<ArrayBuffer> {
  return review?.signedBytes ? Uint8Array.from(review.signedBytes) : bytesOfHex(message);
}
