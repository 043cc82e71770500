import { RpcError } from '@mysten/sui/grpc';
import { ServiceError } from '../../../lib/errors.ts';

/** Codes of gRPC with which a node says no to what was asked; others are about the node. */
const refusals: ReadonlySet<string> = new Set([
  'INVALID_ARGUMENT',
  'FAILED_PRECONDITION',
  'NOT_FOUND',
  'UNIMPLEMENTED',
  'OUT_OF_RANGE',
]);

/** What the node refuses, with its own words; undefined: it did not answer, or wrongly. */
export function refusalOf(
  error: unknown,
): { readonly code: string; readonly message: string } | undefined {
  return error instanceof RpcError && refusals.has(error.code)
    ? { code: error.code, message: error.message }
    : undefined;
}

/** What a caller may read of a node's failure; the node's own words go to the log. */
export function nodeError(error: unknown, chain: string): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof RpcError && refusalOf(error) === undefined)
    return new ServiceError('provider-unavailable', {
      message: `The node of "${chain}" is not reachable: retry later.`,
      cause: error,
    });
  return new ServiceError('upstream-error', {
    message: `The node of "${chain}" answered wrongly: retry later.`,
    cause: error,
  });
}
