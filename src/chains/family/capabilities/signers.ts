import type { Json, JsonObject } from '../../../lib/json/json.ts';
import type { ResolvedToken } from './tokens.ts';

export const signerTypes = [
  'external-wallet',
  'server',
  'api-key',
  'passkey',
  'email',
  'phone',
  'device',
  'quorum',
] as const;
export type SignerType = (typeof signerTypes)[number];

/**
 * A signer as it is kept and answered. `locator` is what the caller sent, character by character
 * (supplement, section 19).
 */
export interface Signer {
  readonly type: SignerType;
  readonly locator: string;
  readonly address?: string;
  readonly [field: string]: Json | undefined;
}

/**
 * m of n signers that act together (supplement, section 21). Members may be any type but `device`
 * and `quorum`.
 */
export interface QuorumSigner extends Signer {
  readonly type: 'quorum';
  readonly threshold: number;
  readonly members: readonly Signer[] & Json;
}

export function isQuorum(signer: Signer): signer is QuorumSigner {
  return signer.type === 'quorum';
}

/** What a delegated signer may do: plain transfers of one token (supplement, section 5). */
export interface TransferScope {
  readonly type: 'transfer';
  readonly token: ResolvedToken;
  /** Absent: to anybody. */
  readonly recipients?: readonly string[];
  /** `intervalSeconds` absent: for ever. */
  readonly spendingLimit?: { readonly amountMinor: bigint; readonly intervalSeconds?: number };
}

/** A delegated signer as the chain enforces it. No scopes: everything but managing signers. */
export interface Delegate {
  readonly signer: Signer;
  readonly expiresAt?: Date;
  readonly scopes: readonly TransferScope[];
}

/** One submitted approval of one signer. */
export interface SubmittedApproval {
  readonly signer: Signer;
  readonly signature: Json;
  readonly metadata?: JsonObject;
}
