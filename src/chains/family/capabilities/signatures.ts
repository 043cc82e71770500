import type { JsonObject } from '../../../lib/json/json.ts';
import type { Delegate, Signer, SubmittedApproval } from './signers.ts';
import type { FamilyWallet } from './wallets.ts';

export type SignatureType = 'message' | 'typed-data' | 'auth-entries';

export interface PrepareSignatureInput {
  readonly wallet: FamilyWallet;
  readonly type: SignatureType;
  /** `params` of the create body without `signer`, unchecked (supplement, section 8). */
  readonly params: JsonObject;
  readonly signer: Signer;
  /** Present when a delegate signs. */
  readonly delegate?: Delegate;
  readonly now: Date;
}

export interface PreparedSignature {
  readonly chain: string;
  /** `params` as answered, `signer` is added by the area. */
  readonly params: JsonObject;
  /**
   * Opaque; handed back to {@link Operations.checkApproval}, `custodyDigest` and
   * `completeSignature`.
   */
  readonly request: JsonObject;
  /** What each signer approves. */
  readonly message: string;
  readonly validUntil: Date;
}

/** Who verified a signed message: the key of the address, or the contract at it. */
export type MessageVerifier = 'key' | 'contract';

/** Signatures that wallets give without a transaction. */
export interface Signatures {
  /**
   * @throws signature-type-not-supported, chain-not-supported, validation-error,
   * signer-scope-violation (a scoped delegate)
   */
  prepareSignature(input: PrepareSignatureInput): Promise<PreparedSignature>;
  /** `outputSignature` of a request whose approvals are complete. */
  completeSignature(
    wallet: FamilyWallet,
    request: JsonObject,
    approvals: readonly SubmittedApproval[],
  ): Promise<string>;
}

/** Signed text, for proofs of who controls an address. */
export interface Messages {
  /**
   * Who says that `signature` by `address` is over this text: its key, which holds on every chain,
   * or the smart wallet that stands there on `chain`, which holds on that chain only. Undefined:
   * nobody.
   * @throws chain-not-supported, provider-unavailable, upstream-error when only a node can tell,
   * and it cannot be asked
   */
  verifyMessage(input: {
    readonly address: string;
    readonly message: string;
    readonly signature: string;
    readonly chain: string;
  }): Promise<MessageVerifier | undefined>;
}
