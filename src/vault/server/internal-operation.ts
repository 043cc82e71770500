import type { z } from 'zod';
import type { VaultCtx } from '../vault.ts';

/** Processes of the main side that may ask the vault something. */
export type VaultPeer = 'api' | 'worker';

/**
 * One thing that the main side can ask of the vault: `POST /internal/v1/<name>`, JSON in, JSON out.
 */
export interface InternalOperation<Schema extends z.ZodType = z.ZodType> {
  /** Words and dots, e.g. `payment-methods.get`. */
  readonly name: string;
  /** Who may ask it; every other peer is refused. */
  readonly peers: readonly VaultPeer[];
  readonly input: Schema;
  /**
   * What is answered must be JSON and free of account and card numbers. A `ServiceError` reaches
   * the asking process as itself.
   */
  readonly run: (
    ctx: VaultCtx & { readonly peer: VaultPeer },
    input: z.output<Schema>,
  ) => Promise<unknown>;
  /** Whether a call and its answer say that there is nothing; see `SignedOperation`. */
  readonly isIdle?: (answer: unknown, input: unknown) => boolean;
}

export type AnyInternalOperation = Omit<InternalOperation, 'run'> & {
  readonly run: (ctx: VaultCtx & { readonly peer: VaultPeer }, input: never) => Promise<unknown>;
};

/** Declares an operation with an inferred input type. */
export function internalOperation<Schema extends z.ZodType>(
  operation: InternalOperation<Schema>,
): AnyInternalOperation {
  return operation as unknown as AnyInternalOperation;
}
