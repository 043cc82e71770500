import type { JsonObject } from '../../../lib/json/json.ts';
import type { LateSigning } from '../late/signing.ts';
import type { Signer, SubmittedApproval } from './signers.ts';

/** How keys that the service holds act in the family. */
export interface CustodyKeys {
  /** Curve of the family's custody keys. */
  readonly custodyCurve: 'secp256k1' | 'ed25519';
  /** Address of a custody public key, for api-key signers. */
  addressOfPublicKey(publicKey: Uint8Array): string;
  /**
   * Bytes that a custody key signs for its own approval of an operation or a signature request, and
   * the approval made of that signature. Computed anew too: a hash is never signed because it is
   * stored.
   */
  custodyDigest(operation: JsonObject): Uint8Array;
  custodyApproval(signer: Signer, signature: Uint8Array): SubmittedApproval;
  /**
   * What the key of an mpc wallet signs beside an operation so that it can run, and the approval
   * with that. Absent where the operation is all there is to sign.
   */
  readonly custodyExtra?: {
    /** Undefined: nothing for this one. */
    digest(signable: JsonObject): Uint8Array | undefined;
    add(approval: SubmittedApproval, signature: Uint8Array): SubmittedApproval;
  };
  /**
   * Operations that custody alone approves are handed over unsigned, and its key signs what the
   * relay sends, when it sends it. Absent: custody approves operations like other signers.
   */
  readonly late?: LateSigning;
}
