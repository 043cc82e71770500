import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createDatabaseIfMissing, startPostgres } from '../../devnet/index.ts';
import { issueKey, publicKeyOfSeed } from '../../src/areas/api-keys/index.ts';
import { createProject } from '../../src/areas/projects/index.ts';
import { migrationsFolder } from '../../src/config/folders.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemIds } from '../../src/lib/id.ts';
import { internalPublicKey } from '../../src/lib/net/signed-requests.ts';
import { Secret } from '../../src/lib/sealing/secret.ts';
import { migrateVault } from '../../src/processes/vault/compose.ts';
import { createVaultClient, type VaultProvider } from '../../src/providers/vault/index.ts';
import { apiRole, asRole, grantRights, workerRole } from '../../src/store/grants.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createStore } from '../../src/store/pool.ts';
import { createRowMacs } from '../../src/store/row-mac.ts';
import type { Store } from '../../src/store/types.ts';
import { vaultServiceRole } from '../../src/vault/grants.ts';
import { overwriteFreed } from '../../src/vault/server/process-memory.ts';
import { freePort as findFreePort } from './dev-process.ts';
import { type ServiceProcess, startProcess, waitUntilReady } from './processes.ts';
import { settingsFor } from './settings-for.ts';

/**
 * API, worker and vault as processes of their own, on a PostgreSQL whose files can be looked into.
 */
export interface VaultWorld {
  /** Each ends in `/api`. */
  readonly baseUrl: string;
  readonly vaultUrl: string;
  readonly metricsUrls: readonly string[];
  readonly projectId: string;
  readonly serverKey: string;
  /** Asks the vault as the worker does. */
  readonly asWorker: VaultProvider;
  readonly processes: Readonly<Record<'api' | 'worker' | 'vault', ServiceProcess>>;
  readonly stores: Readonly<Record<'main' | 'vault', Store>>;
  /** What every file of the databases holds, write-ahead log included, after a checkpoint. */
  readDatabaseFiles(): Promise<Buffer[]>;
  /** Every row of every table as text, bytes as hexadecimal digits. */
  dumpDatabases(): Promise<string>;
  close(): Promise<void>;
}

export interface VaultWorldOptions {
  /** For the vault's Node.js. */
  readonly vaultNodeArgs?: readonly string[];
}

export async function startVaultWorld(options: VaultWorldOptions = {}): Promise<VaultWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-vault-world-'));
  const stops: (() => Promise<unknown> | void)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
  ];
  const close = async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  try {
    const dataDir = join(folder, 'postgres');
    const postgres = await startPostgres({ dataDir, log: () => undefined });
    stops.push(() => postgres.stop());
    for (const name of ['purser', 'vault'])
      await createDatabaseIfMissing(postgres.url('postgres'), name);
    const keyEncryptionKey = randomBytes(32);
    const stores = {
      main: createStore({
        url: postgres.url('purser'),
        poolSize: 2,
        rowMacs: createRowMacs([{ id: 'one', key: new Secret(new Uint8Array(keyEncryptionKey)) }]),
      }),
      vault: createStore({ url: postgres.url('vault'), poolSize: 2 }),
    };
    stops.push(
      () => stores.main.close(),
      () => stores.vault.close(),
    );
    await migrate(stores.main, migrationsFolder());
    await grantRights(stores.main);
    await migrateVault(stores.vault);

    const [port, vaultPort, ...metricsPorts] = [
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
    ] as [number, number, ...number[]];
    const [vault, api, worker, signing] = [
      randomBytes(32),
      randomBytes(32),
      randomBytes(32),
      randomBytes(32),
    ];
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
    const shared = {
      PURSER_ENVIRONMENT: 'development',
      METRICS_HOST: '127.0.0.1',
      SERVICE_DOMAIN: 'localhost',
      LOG_LEVEL: 'debug',
    };
    const main = {
      ...shared,
      HOST: '127.0.0.1',
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}/api`,
      DATABASE_URL: postgres.url('purser'),
      KEY_SIGNING_SEED: hex(signing),
      KEY_ENCRYPTION_KEYS: `one=${hex(keyEncryptionKey)}`,
      TREASURY_KEY_ENCRYPTION_KEYS: `one=${hex(randomBytes(32))}`,
      VAULT_ORIGIN: `http://127.0.0.1:${vaultPort}`,
      VAULT_PUBLIC_KEY: hex(internalPublicKey(vault)),
    };
    const envs = {
      api: settingsFor('api', {
        ...main,
        DATABASE_URL: asRole(postgres.url('purser'), apiRole),
        METRICS_PORT: String(metricsPorts[0]),
        VAULT_API_SEED: hex(api),
      }),
      worker: settingsFor('worker', {
        ...main,
        DATABASE_URL: asRole(postgres.url('purser'), workerRole),
        METRICS_PORT: String(metricsPorts[1]),
        VAULT_WORKER_SEED: hex(worker),
      }),
      vault: {
        ...shared,
        GLIBC_TUNABLES: overwriteFreed,
        METRICS_PORT: String(metricsPorts[2]),
        VAULT_URL: `http://127.0.0.1:${vaultPort}/api`,
        VAULT_HOST: '127.0.0.1',
        VAULT_PORT: String(vaultPort),
        VAULT_DATABASE_URL: asRole(postgres.url('vault'), vaultServiceRole),
        VAULT_KEY_ENCRYPTION_KEYS: `one=${hex(randomBytes(32))}`,
        VAULT_SIGNING_SEED: hex(vault),
        VAULT_PEERS: `api=${hex(internalPublicKey(api))},worker=${hex(internalPublicKey(worker))}`,
        KEY_SIGNING_PUBLIC_KEY: hex(publicKeyOfSeed(signing)),
      },
    };
    const ctx = {
      store: stores.main,
      clock: systemClock,
      ids: systemIds,
      config: loadConfig(settingsFor('purser', main), { process: 'purser' }),
    };
    const project = await createProject(ctx, { name: 'World' });
    const { key: serverKey } = await issueKey(ctx, { projectId: project.id, kind: 'server' });

    const start = (name: 'api' | 'worker' | 'vault') => {
      const own = name === 'vault' ? { nodeArgs: options.vaultNodeArgs } : {};
      const child = startProcess({ name, program: `bin/${name}.ts`, env: envs[name], ...own });
      stops.push(() => child.stop());
      return child;
    };
    const processes = { vault: start('vault'), api: start('api'), worker: start('worker') };
    await waitUntilReady(`http://127.0.0.1:${vaultPort}/ready`, processes.vault);
    await waitUntilReady(`http://127.0.0.1:${port}/ready`, processes.api);
    await waitForDirectory(stores.vault);
    return {
      baseUrl: main.BASE_URL,
      vaultUrl: envs.vault.VAULT_URL,
      metricsUrls: metricsPorts.map((one) => `http://127.0.0.1:${one}/metrics`),
      projectId: project.id,
      serverKey,
      asWorker: createVaultClient({
        origin: main.VAULT_ORIGIN,
        identity: { name: 'worker', seed: new Secret(new Uint8Array(worker)) },
        vaultPublicKey: internalPublicKey(vault),
        clock: systemClock,
        log: pino({ level: 'silent' }),
      }),
      processes,
      stores,
      async readDatabaseFiles() {
        await stores.main.query({ text: 'checkpoint' });
        return filesBelow(dataDir).flatMap((path) => readIfThere(path));
      },
      dumpDatabases: async () => (await Promise.all(Object.values(stores).map(dump))).join('\n'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * A running server removes files of its own: what is gone again before it is read holds nothing.
 */
function readIfThere(path: string): Buffer[] {
  try {
    return [readFileSync(path)];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Until the vault has its copy of the keys. */
async function waitForDirectory(store: Store): Promise<void> {
  for (
    const endAt = Date.now() + 60_000;
    ;
    await new Promise((resolve) => setTimeout(resolve, 50))
  ) {
    const { rows } = await store.query<{ confirmed_at: Date | null }>({
      text: 'select confirmed_at from directory_state',
    });
    if (rows[0]?.confirmed_at) return;
    if (Date.now() > endAt) throw new Error('the vault was not told about API keys');
  }
}

async function dump(store: Store): Promise<string> {
  const { rows: tables } = await store.query<{ name: string }>({
    text: `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  });
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await store.query<{ row: string }>({
      text: `select t::text as row from ${name} t`,
    });
    texts.push(`${name}\n${rows.map(({ row }) => row).join('\n')}`);
  }
  return texts.join('\n');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false);
}
