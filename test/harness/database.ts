import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../devnet/postgres.ts';
import type { Config } from '../../src/config/config.ts';
import { grantRights } from '../../src/store/grants.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createStore } from '../../src/store/pool.ts';
import { createRowMacs } from '../../src/store/row-mac.ts';
import type { Store } from '../../src/store/types.ts';
import { testConfig } from './config.ts';
import { expectLedgerBalanced } from './ledger.ts';

export interface TestDatabase {
  readonly url: string;
  readonly store: Store;
  close(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Connections of `store`; default 10. */
  readonly poolSize?: number;
  /**
   * Of the process whose rows `store` writes and checks; those of {@link testConfig} when absent.
   */
  readonly keyEncryptionKeys?: Config['keyEncryptionKeys'];
  /** An empty database instead of a migrated one. */
  readonly empty?: boolean;
  /** Only for tests that damage the books: `close` does not look whether the ledger is in order. */
  readonly damagesLedger?: boolean;
}

const templateName = 'purser_template';
export const migrationsFolder = fileURLToPath(new URL('../../migrations/main', import.meta.url));

/**
 * A throw-away database with every migration of `migrations/main` applied, on the server that the
 * test run shares. Outside of vitest (benches, scripts) it starts a server of its own and stops it
 * on `close`. `close` fails when the books of the ledger are not in order.
 */
export async function startTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const sharedUrl = process.env.PURSER_TEST_SERVER_URL;
  const own = sharedUrl === undefined ? await startSharedServer() : undefined;
  const serverUrl = sharedUrl ?? own!.url;
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnServer(
    serverUrl,
    // Copied page by page through the log, which is the default, it takes five times the work.
    `create database ${name} template ${options.empty ? 'template0' : templateName} strategy file_copy`,
  );
  const url = databaseUrl(serverUrl, name);
  const store = createStore({
    url,
    poolSize: options.poolSize ?? 10,
    rowMacs: createRowMacs(options.keyEncryptionKeys ?? testConfig().keyEncryptionKeys),
    applicationName: 'purser-test',
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await store.close();
    try {
      if (!options.damagesLedger) await checkBooks(url);
    } finally {
      await runOnServer(serverUrl, `drop database if exists ${name} with (force)`);
      await own?.close();
    }
  };
  return { url, store, close: () => (closing ??= close()) };
}

export interface TestServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a server and migrates its template database. Durability is off: nothing outlives the run.
 */
export async function startSharedServer(): Promise<TestServer> {
  const server = await startPostgres({ ephemeral: true, log: () => undefined });
  const url = server.url('postgres');
  try {
    await runOnServer(url, `create database ${templateName}`);
    const store = createStore({ url: server.url(templateName), poolSize: 1 });
    try {
      await migrate(store, migrationsFolder);
      await grantRights(store);
    } finally {
      await store.close();
    }
    return { url, close: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  return serverUrl.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}

/** On a connection of its own: the test may have closed, or broken, those that it had. */
async function checkBooks(url: string): Promise<void> {
  const store = createStore({ url, poolSize: 1 });
  try {
    await expectLedgerBalanced(store);
  } finally {
    await store.close();
  }
}

async function runOnServer(serverUrl: string, text: string): Promise<void> {
  const store = createStore({ url: serverUrl, poolSize: 1 });
  try {
    await store.query({ text });
  } finally {
    await store.close();
  }
}
