import { ServiceError } from '../../../lib/errors.ts';
import { RpcTransportError } from '../../../lib/net/json-rpc.ts';

/** What a caller may read of a node's failure; the node's own words go to the log. */
export function nodeError(error: unknown, chain: string): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof RpcTransportError && error.kind !== 'malformed')
    return new ServiceError('provider-unavailable', {
      message: `The node of "${chain}" is not reachable: retry later.`,
      cause: error,
    });
  return new ServiceError('upstream-error', {
    message: `The node of "${chain}" answered wrongly: retry later.`,
    cause: error,
  });
}
