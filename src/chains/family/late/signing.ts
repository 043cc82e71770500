import type { JsonObject } from '../../../lib/json/json.ts';
import type { CustodyKeys } from '../capabilities/custody.ts';
import type { Operations } from '../capabilities/operations.ts';

/**
 * What the relay asks a wallet's key in custody for: one signature of bytes that it built for an
 * approved operation.
 */
export interface LateSignInput {
  readonly projectId: string;
  readonly walletId: string;
  /** As it was approved. */
  readonly operation: JsonObject;
  readonly built: Uint8Array;
}

/**
 * How a key in custody signs what the relay built. It signs nothing that is not the operation:
 * see `ChainEntrances.signBuilt`.
 */
export interface LateSigning {
  /**
   * Whether an operation that custody alone approves is handed over unsigned, and its key signs when
   * it is sent.
   */
  isLate(operation: JsonObject): boolean;
  /** True of an operation that takes nothing from its wallet, whoever asks for it. */
  movesNothing?(operation: JsonObject): boolean;
  /**
   * What is signed of the bytes that were built.
   * @param signer address of the key that is to sign
   * @throws Error where they do anything but this operation, or the key has no part in it
   */
  signedBytes(operation: JsonObject, built: Uint8Array, signer: string): Uint8Array;
}

/**
 * Of a family whose wallets are keys alone: nobody approves an operation, custody does by handing
 * it over.
 */
export function signsLate(
  late: Omit<LateSigning, 'isLate'>,
): Pick<CustodyKeys, 'custodyDigest' | 'custodyApproval' | 'late'> &
  Pick<Operations, 'checkApproval'> {
  const refuse = (): never => {
    throw new Error(
      'Keys of these wallets sign what the relay builds, and approve nothing before.',
    );
  };
  return {
    late: { ...late, isLate: () => true },
    custodyDigest: refuse,
    custodyApproval: refuse,
    checkApproval: async () => false,
  };
}
