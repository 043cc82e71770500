import type { JsonObject } from '../../../lib/json/json.ts';
import type { CustodyKeys } from '../capabilities/custody.ts';
import type { Operations } from '../capabilities/operations.ts';

/**
 * What the relay asks the key of a wallet for: one signature of bytes that it built for an approved
 * operation.
 */
export interface LateSignInput {
  readonly projectId: string;
  readonly walletId: string;
  /** As it was approved. */
  readonly operation: JsonObject;
  readonly built: Uint8Array;
}

/**
 * How the key of a wallet signs what the relay built. It signs nothing that is not the operation:
 * see `ChainEntrances.signBuilt`.
 */
export interface LateSigning {
  /**
   * Whether an operation is handed over unsigned: what its key signs holds something that does not
   * wait.
   */
  isLate(operation: JsonObject): boolean;
  /**
   * What is signed of the bytes that were built.
   * @throws Error where they do anything but this operation
   */
  signedBytes(operation: JsonObject, built: Uint8Array): Uint8Array;
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
