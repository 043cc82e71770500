import type { AddressInfo } from 'node:net';
import { createKeyWait } from '../../areas/api-keys/index.ts';
import { vaultMigrationsFolder } from '../../config/folders.ts';
import type { VaultConfig } from '../../config/vault/vault-config.ts';
import { closeServer } from '../../http/close-server.ts';
import { createServer, type ServerOptions } from '../../http/server.ts';
import { wipeConnections } from '../../http/wipe-body.ts';
import { runScheduledJobs } from '../../jobs/every.ts';
import { readInternalPublicKey } from '../../lib/net/signed-requests.ts';
import { cardOperations } from '../../vault/cards/card-for-run.ts';
import type { VaultCtx } from '../../vault/index.ts';
import { paymentMethodOperations } from '../../vault/methods/operations.ts';
import { ownerRefOf } from '../../vault/methods/payment-methods.ts';
import { createVaultRoutes } from '../../vault/methods/routes.ts';
import { availableRails } from '../../vault/payouts/disburse.ts';
import { createPayouts } from '../../vault/payouts/service.ts';
import { clockOperations } from '../../vault/server/clock-operation.ts';
import { createDirectoryGuard, directoryOperations } from '../../vault/server/directory.ts';
import { addInternalRoutes } from '../../vault/server/internal-server.ts';
import { vaultScheduledJobs } from '../../vault/server/scheduled-jobs.ts';
import { createStoredAnswers } from '../../vault/server/stored-answers.ts';
import type { Running } from '../lifecycle.ts';

/** Serves the vault until it is stopped. @throws Error one sentence when the port is taken */
export async function runVault(
  base: VaultCtx,
  config: Pick<
    VaultConfig,
    'peers' | 'signingSeed' | 'payouts' | 'newDestinationWaitHours' | 'runnerPublicKey'
  >,
  options: Pick<ServerOptions, 'checkAnswers' | 'onFinished'> = {},
): Promise<Running & { readonly port: number }> {
  const payouts = createPayouts(base, config.payouts, config);
  const ctx: VaultCtx = {
    ...base,
    vault: { ...base.vault, payableRails: (type) => availableRails(payouts.ctx, type) },
  };
  const server = createServer(ctx, {
    routes: createVaultRoutes(ctx.vault),
    publicRoutes: payouts.publicRoutes,
    migrationsFolder: vaultMigrationsFolder(),
    storedAnswers: createStoredAnswers(ctx, ctx.vault),
    checkOpen: createDirectoryGuard(ctx),
    keyWait: createKeyWait(ctx),
    hashUser: async (projectId, owner) => ownerRefOf(ctx, projectId, owner),
    ownRequestIds: true,
    ...options,
  });
  wipeConnections(server);
  server.addHook('onResponse', (request, reply, done) => {
    // Whoever calls may put a number anywhere; only reads that worked had none.
    if (request.url.startsWith('/api') && (request.method !== 'GET' || reply.statusCode >= 400))
      ctx.vault.scrubber.note();
    done();
  });
  addInternalRoutes(server, ctx, {
    operations: [
      ...paymentMethodOperations,
      ...cardOperations(config.runnerPublicKey),
      ...payouts.operations,
      ...directoryOperations,
      ...clockOperations,
    ],
    peers: new Map([...config.peers].map(([name, key]) => [name, readInternalPublicKey(key)])),
    signingSeed: config.signingSeed,
  });
  const { host, port } = ctx.config.api;
  await server.listen({ host, port }).catch((cause: NodeJS.ErrnoException) => {
    const reason =
      cause.code === 'EADDRINUSE'
        ? 'is in use by another program: stop that one, or choose another port'
        : `cannot be opened (${cause.code ?? cause.message})`;
    throw new Error(`Port ${port} on ${host} ${reason}.`, { cause });
  });
  const jobs = runScheduledJobs(vaultScheduledJobs(ctx), ctx.log);
  const paying = payouts.start();
  ctx.log.info({ host, port }, 'the vault listens');
  return {
    name: 'vault',
    port: (server.server.address() as AddressInfo).port,
    stop: async () => {
      await closeServer(server);
      await jobs.stop();
      await paying.stop();
      ctx.vault.userKeys.forget();
      ctx.vault.scrubber.stop();
    },
  };
}
