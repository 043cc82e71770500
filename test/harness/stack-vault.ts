import type { Logger } from 'pino';
import { developmentVaultEnvironment } from '../../src/config/development-config.ts';
import { loadVaultConfig } from '../../src/config/vault/load-vault-config.ts';
import type { VaultConfig } from '../../src/config/vault/vault-config.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Running } from '../../src/processes/lifecycle.ts';
import { composeVaultCtx } from '../../src/processes/vault/compose.ts';
import { runVault } from '../../src/processes/vault/run.ts';
import { asRole } from '../../src/store/grants.ts';
import type { Store } from '../../src/store/types.ts';
import { vaultServiceRole } from '../../src/vault/grants.ts';
import type { VaultCtx } from '../../src/vault/index.ts';
import { freePort } from './dev-process.ts';
import { type CallAnswer, type CallOptions, sendCall } from './http.ts';
import { startVaultDatabase } from './vault.ts';

/**
 * The vault of a stack, in this process but with a database and keys of its own, and the sandbox
 * bank behind it.
 */
export interface StackVault {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly config: VaultConfig;
  /** Of the database's owner; the running vault has a role with less. */
  readonly store: Store;
  readonly ctx: VaultCtx;
  /** As `purser vault|payouts` has it: the database's owner. */
  readonly operator: VaultCtx;
  /** Calls the vault's host, e.g. `/unstable/payment-methods`, with the key that is given. */
  call(method: string, path: string, options: CallOptions): Promise<CallAnswer>;
  /** Ends its server and its work; its database goes on. Twice is harmless. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
}

/**
 * Starts the vault that belongs to a data folder's secrets; what must be closed later is added to
 * `parts`.
 */
export async function startStackVault(input: {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly parts: Running[];
}): Promise<StackVault> {
  const { clock, log, parts } = input;
  const database = await startVaultDatabase({ poolSize: 2 });
  parts.push({ name: 'vault database', stop: () => database.close() });
  const port = await freePort();
  const config = loadVaultConfig(
    developmentVaultEnvironment({
      dataDir: input.dataDir,
      databaseUrl: asRole(database.url, vaultServiceRole),
      port,
    }),
  );
  const ctx = await composeVaultCtx(config, { log, process: 'vault-test', clock });
  parts.push({ name: 'vault store', stop: () => ctx.store.close() });
  let running: Running | undefined;
  const vault: StackVault = {
    origin: `http://127.0.0.1:${port}`,
    config,
    store: database.store,
    ctx,
    operator: { ...ctx, store: database.store },
    call: (method, path, options) =>
      sendCall(`http://127.0.0.1:${port}/api${path}`, method, options),
    async stop() {
      await running?.stop();
      running = undefined;
    },
    async start() {
      running ??= await runVault(ctx, config, { checkAnswers: true });
    },
  };
  await vault.start();
  parts.push({ name: 'vault', stop: () => vault.stop() });
  return vault;
}
