import type { KeyObject } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import {
  addSignedRoutes,
  readSignedInput,
  type SignedOperation,
} from '../../http/routes/signed-routes.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Secret } from '../../lib/sealing/secret.ts';
import type { VaultCtx } from '../vault.ts';
import type { AnyInternalOperation, VaultPeer } from './internal-operation.ts';

export interface InternalServerOptions {
  readonly operations: readonly AnyInternalOperation[];
  /** Public keys of the processes that may ask. */
  readonly peers: ReadonlyMap<VaultPeer, KeyObject>;
  /** Ed25519 seed of the vault: signs its answers. */
  readonly signingSeed: Secret<Uint8Array>;
}

/** A push of the directory is the largest request. */
const bodyLimitBytes = 4 * 1_024 * 1_024;

/** Adds `POST /internal/v1/<operation>`, signed both ways, to a server that does not listen yet. */
export function addInternalRoutes(
  server: FastifyInstance,
  ctx: VaultCtx,
  options: InternalServerOptions,
): void {
  addSignedRoutes(server, ctx, {
    prefix: '/internal/v1/',
    operations: options.operations.map((operation) => serveOperation(ctx, operation)),
    peers: options.peers,
    signingSeed: options.signingSeed,
  });
}

function serveOperation(ctx: VaultCtx, operation: AnyInternalOperation): SignedOperation {
  return {
    name: operation.name,
    bodyLimitBytes,
    run: async ({ input, ...call }) => {
      // Only names of `options.peers` get this far.
      const peer = call.peer as VaultPeer;
      if (!operation.peers.includes(peer))
        throw new ServiceError('forbidden', {
          message: `The process "${peer}" may not ask the vault for ${operation.name}.`,
        });
      return operation.run(
        { ...ctx, peer },
        readSignedInput(operation.name, operation.input, input) as never,
      );
    },
    ...(operation.isIdle && { isIdle: operation.isIdle }),
  };
}
