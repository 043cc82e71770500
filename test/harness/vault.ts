import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { pino } from 'pino';
import { paymentMethodRoutes } from '../../src/areas/payment-methods/routes.ts';
import {
  createDirectoryPusher,
  type DirectoryPusher,
} from '../../src/areas/vault-directory/index.ts';
import type { Config } from '../../src/config/config.ts';
import { withoutMainSide } from '../../src/config/vault/load-vault-config.ts';
import type { KekConfig, VaultConfig } from '../../src/config/vault/vault-config.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { internalPublicKey } from '../../src/lib/net/signed-requests.ts';
import { Secret } from '../../src/lib/sealing/secret.ts';
import type { Running } from '../../src/processes/lifecycle.ts';
import { composeVaultCtx, migrateVault } from '../../src/processes/vault/compose.ts';
import { runVault } from '../../src/processes/vault/run.ts';
import { createVaultClient, type VaultProvider } from '../../src/providers/vault/index.ts';
import { asRole } from '../../src/store/grants.ts';
import { createStore } from '../../src/store/pool.ts';
import { unsealedRows } from '../../src/store/row-mac.ts';
import { vaultServiceRole } from '../../src/vault/grants.ts';
import type { VaultCtx } from '../../src/vault/index.ts';
import { testConfig } from './config.ts';
import { startTestDatabase, type TestDatabase } from './database.ts';
import { type CallAnswer, type CallOptions, sendCall, startTestApi, type TestApi } from './http.ts';

export interface TestVault {
  /** Address of the vault without a path. */
  readonly origin: string;
  readonly ctx: VaultCtx;
  /** As `purser vault|payouts` has it: the database's owner. */
  readonly operator: VaultCtx;
  readonly config: VaultConfig;
  readonly database: TestDatabase;
  /** The API host, whose reads, updates and deletions go to this vault. */
  readonly api: TestApi;
  /** As these processes of the main side reach the vault. */
  readonly clients: Readonly<Record<'api' | 'worker', VaultProvider>>;
  readonly directory: DirectoryPusher;
  /** Calls the vault host with the API's server key unless told otherwise. */
  call(method: string, path: string, options?: CallOptions): Promise<CallAnswer>;
  /** Ends the vault's server; its database and the API go on. */
  stopVault(): Promise<void>;
  /** Starts it again on the same port. */
  startVault(): Promise<void>;
  close(): Promise<void>;
}

export interface TestVaultOptions {
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly rateLimits?: Config['rateLimits'];
  readonly keks?: readonly KekConfig[];
  /** The sandbox bank when absent. */
  readonly payouts?: VaultConfig['payouts'];
  /** New destinations wait for nothing when absent. */
  readonly newDestinationWaitHours?: number;
}

export const vaultSeeds = {
  vault: seedOf('vault'),
  api: seedOf('api'),
  worker: seedOf('worker'),
  runner: seedOf('runner'),
};

export function seedOf(name: string): Secret<Uint8Array> {
  return new Secret(new Uint8Array(createHash('sha256').update(`vault tests: ${name}`).digest()));
}

export function fileKek(id: string): KekConfig {
  return { id, kind: 'file', key: seedOf(`key-encryption key ${id}`) };
}

/** A configuration of the vault as its environment would make it. */
export function testVaultConfig(
  databaseUrl: string,
  options: TestVaultOptions & { readonly port?: number } = {},
): VaultConfig {
  const { environment, serviceDomain, keySigning, logLevel } = testConfig();
  const port = options.port ?? 0;
  return {
    service: withoutMainSide({
      environment,
      serviceDomain,
      keySigning: { publicKey: keySigning.publicKey },
      logLevel,
      api: { host: '127.0.0.1', port, baseUrl: 'http://127.0.0.1/api', trustedProxies: 0 },
      metrics: undefined,
      rateLimits: options.rateLimits,
      database: { url: new Secret(databaseUrl), poolSize: 10 },
      keyEncryptionKeys: [],
    }),
    keks: options.keks ?? [fileKek('first')],
    signingSeed: vaultSeeds.vault,
    peers: new Map([
      ['api', internalPublicKey(vaultSeeds.api.reveal())],
      ['worker', internalPublicKey(vaultSeeds.worker.reveal())],
    ]),
    runnerPublicKey: internalPublicKey(vaultSeeds.runner.reveal()),
    payouts: options.payouts ?? [{ kind: 'sandbox' }],
    newDestinationWaitHours: options.newDestinationWaitHours ?? 0,
  };
}

/** A client as one process of the main side has it. */
export function testVaultClient(
  origin: string,
  name: 'api' | 'worker',
  clock: Clock = systemClock,
  log: Logger = pino({ level: 'silent' }),
): VaultProvider {
  return createVaultClient({
    origin,
    identity: { name, seed: vaultSeeds[name] },
    vaultPublicKey: internalPublicKey(vaultSeeds.vault.reveal()),
    clock,
    log,
  });
}

/**
 * A throw-away database of a vault, whose `store` is its owner; the running vault's rights are
 * granted.
 */
export async function startVaultDatabase(
  options: { readonly poolSize?: number } = {},
): Promise<TestDatabase> {
  const database = await startTestDatabase({ empty: true, poolSize: 4, ...options });
  await migrateVault(database.store);
  return database;
}

/**
 * A vault with a database of its own, and an API host before it; the vault knows the API's keys.
 */
export async function startTestVault(options: TestVaultOptions = {}): Promise<TestVault> {
  const { clock = systemClock, log = pino({ level: 'silent' }) } = options;
  const database = await startVaultDatabase();
  const config = testVaultConfig(asRole(database.url, vaultServiceRole), options);
  const ctx = await composeVaultCtx(config, { log, process: 'vault-test', clock });
  const operator = {
    ...ctx,
    store: createStore({ url: database.url, poolSize: 2, rowMacs: unsealedRows }),
  };
  let running: (Running & { readonly port: number }) | undefined = await runVault(ctx, config, {
    checkAnswers: true,
  });
  const { port } = running;
  const origin = `http://127.0.0.1:${port}`;
  const clients = {
    api: testVaultClient(origin, 'api', clock, log),
    worker: testVaultClient(origin, 'worker', clock, log),
  };
  const api = await startTestApi({
    routes: paymentMethodRoutes,
    clock,
    log,
    providers: { vault: clients.api },
  });
  const directory = createDirectoryPusher({
    ...api.ctx,
    providers: { ...api.ctx.providers, vault: clients.worker },
  });
  await directory.run();

  const stopVault = async () => {
    await running?.stop();
    running = undefined;
  };
  return {
    origin,
    ctx,
    operator,
    config,
    database,
    api,
    clients,
    directory,
    call: (method, path, call = {}) =>
      sendCall(`${origin}/api${path}`, method, { key: api.serverKey, ...call }),
    stopVault,
    startVault: async () => {
      const again = {
        ...ctx,
        config: testVaultConfig(asRole(database.url, vaultServiceRole), { ...options, port })
          .service,
      };
      running = await runVault(again, config, { checkAnswers: true });
    },
    async close() {
      await stopVault();
      await api.close();
      await ctx.store.close();
      await operator.store.close();
      await database.close();
    },
  };
}
