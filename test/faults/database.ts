import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabaseIfMissing, type Postgres, startPostgres } from '../../devnet/index.ts';
import { migrationsFolder } from '../../src/config/folders.ts';
import { migrateVault } from '../../src/processes/vault/compose.ts';
import { grantRights } from '../../src/store/grants.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createStore } from '../../src/store/pool.ts';
import type { Store } from '../../src/store/types.ts';

/**
 * A PostgreSQL of its own, which can be killed: the main database and the vault's are both on it.
 */
export interface FaultDatabase {
  readonly urls: Readonly<Record<'main' | 'vault', string>>;
  /** For looking into them, past the service. */
  readonly stores: Readonly<Record<'main' | 'vault', Store>>;
  /** Ends the connections of all programs, as a failover does. */
  dropConnections(): Promise<void>;
  /**
   * Ends the server at once (SIGKILL: not even its own parts are told) and starts it again, which
   * recovers from its log.
   */
  kill(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void>;
  /** What a program that is dead had leased is free at once: the time of its leases passes. */
  endLeases(of: 'api' | 'worker' | 'vault'): Promise<void>;
  close(): Promise<void>;
}

/** By program: tables with leases of its, and where they are. */
const leased = {
  api: { store: 'main', tables: ['idempotency_keys'] },
  worker: { store: 'main', tables: ['flows', 'webhook_lanes', 'evm_watched_chains'] },
  vault: { store: 'vault', tables: ['flows', 'idempotency_keys'] },
} as const;

const patienceMs = 60_000;

/**
 * A statement of the test's own: it waits until the server is there.
 * @throws what the statement throws for longer than that
 */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (const endAt = Date.now() + patienceMs; ; await delay(100)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > endAt) throw error;
    }
  }
}

export async function startFaultDatabase(folder: string): Promise<FaultDatabase> {
  const dataDir = join(folder, 'postgres');
  const log = () => undefined;
  let postgres: Postgres = await startPostgres({ dataDir, log });
  for (const name of ['purser', 'vault'])
    await createDatabaseIfMissing(postgres.url('postgres'), name);
  const urls = { main: postgres.url('purser'), vault: postgres.url('vault') };
  const open = (url: string) => createStore({ url, poolSize: 3, applicationName: 'faults' });
  const stores = { main: open(urls.main), vault: open(urls.vault) };
  // What a process wrote outlives the process; only a machine that loses its power would need the
  // disk to have it.
  await stores.main.query({ text: 'alter system set fsync = off' });
  await stores.main.query({ text: 'select pg_reload_conf()' });
  await migrate(stores.main, migrationsFolder());
  await grantRights(stores.main);
  await migrateVault(stores.vault);
  return {
    urls,
    stores,
    async dropConnections() {
      await persist(() =>
        stores.main.query({
          text: `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'purser-%' and pid <> pg_backend_pid()`,
        }),
      );
    },
    async kill(signal) {
      process.kill(postgres.pid, signal);
      await postgres.ended;
      await postgres.stop();
      postgres = await startPostgres({ dataDir, log, timeoutMs: 90_000 });
    },
    async endLeases(of) {
      const { store, tables } = leased[of];
      for (const table of tables)
        await persist(() =>
          stores[store].query({
            text: `update ${table} set lease_until = now() where lease_until > now()`,
          }),
        );
    },
    async close() {
      await stores.main.close();
      await stores.vault.close();
      await postgres.stop();
    },
  };
}
