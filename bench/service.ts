import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabaseIfMissing, startPostgres } from '../devnet/index.ts';
import { issueKey } from '../src/areas/api-keys/index.ts';
import { createProject } from '../src/areas/projects/index.ts';
import { migrationsFolder } from '../src/config/folders.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemIds } from '../src/lib/id.ts';
import { migrate } from '../src/store/migrate.ts';
import { createStore } from '../src/store/pool.ts';
import { createRowMacs } from '../src/store/row-mac.ts';
import type { Store } from '../src/store/types.ts';
import {
  findFreePort,
  type ServiceProcess,
  startProcess,
  waitUntilReady,
} from '../test/harness/processes.ts';
import {
  makeProductionSecrets,
  type ProductionSecrets,
  productionEnv,
} from '../test/harness/production.ts';
import type { BenchOptions } from './measure.ts';

/**
 * The service in production mode for a measurement: a PostgreSQL that writes through to disk, and
 * processes of their own.
 */
export interface BenchService {
  readonly store: Store;
  readonly databaseUrl: string;
  readonly secrets: ProductionSecrets;
  readonly projectId: string;
  readonly serverKey: string;
  /** Starts an API process. @returns the address that ends in `/api` */
  startApi(): Promise<string>;
  startWorker(): Promise<void>;
  /** Holds every process while something else is measured, and lets them go on. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

export interface BenchServiceInput {
  readonly options: BenchOptions;
  readonly secrets?: ProductionSecrets;
  readonly rpcUrls?: Readonly<Record<string, string>>;
  readonly extra?: Readonly<Record<string, string>>;
}

/**
 * Rate limits and budgets are off: what is measured is the service. Logs are written as in
 * production, to a file.
 */
const unlimited = {
  RATE_LIMIT_WRITES_PER_MINUTE: 'off',
  RATE_LIMIT_READS_PER_MINUTE: 'off',
  EVM_GAS_PROJECT_DAY_MAX_WEI_BASE: '1000000000000000000000',
  EVM_GAS_OWNER_DAY_MAX_WEI_BASE: '1000000000000000000000',
};
const scopes = [
  'wallets.create',
  'wallets.read',
  'wallets:transactions.create',
  'wallets:transactions.read',
  'wallets:transactions.sign',
  'wallets:signatures.create',
  'wallets:balance.read',
  'wallets:nfts.transfer',
  'users.read',
];

export async function startBenchService({
  options,
  secrets = makeProductionSecrets(),
  rpcUrls = {},
  extra = {},
}: BenchServiceInput): Promise<BenchService> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-bench-'));
  const running: ServiceProcess[] = [];
  const stops: (() => Promise<unknown>)[] = [
    async () => rmSync(folder, { recursive: true, force: true }),
  ];
  const close = async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  try {
    const postgres = await startPostgres({
      dataDir: join(folder, 'postgres'),
      log: () => undefined,
    });
    stops.push(() => postgres.stop());
    await createDatabaseIfMissing(postgres.url('postgres'), 'purser');
    const databaseUrl = postgres.url('purser');
    const base = { databaseUrl, secrets, rpcUrls, extra: { ...unlimited, ...extra } };
    const config = loadConfig(productionEnv({ ...base, process: 'purser' }), { process: 'purser' });
    const store = createStore({
      url: databaseUrl,
      poolSize: 2,
      rowMacs: createRowMacs(config.keyEncryptionKeys),
    });
    stops.push(() => store.close());
    await migrate(store, migrationsFolder());
    const ctx = { store, clock: systemClock, ids: systemIds, config };
    const project = await createProject(ctx, { name: 'Bench' });
    const { key: serverKey } = await issueKey(ctx, {
      projectId: project.id,
      kind: 'server',
      scopes,
    });

    const start = async (program: 'api' | 'worker') => {
      const [port, metricsPort] = [await findFreePort(), await findFreePort()];
      const child = startProcess({
        name: program,
        program: options.fromSource ? `bin/${program}.ts` : `dist/bin/${program}.js`,
        nodeArgs: profileArgs(options.profileDir, program),
        env: productionEnv({ ...base, process: program, port, metricsPort }),
        outputFile: join(folder, `${program}-${port}.log`),
      });
      running.push(child);
      stops.push(() => {
        process.kill(child.pid, 'SIGCONT');
        return child.stop();
      });
      await waitUntilReady(
        program === 'api'
          ? `http://127.0.0.1:${port}/ready`
          : `http://127.0.0.1:${metricsPort}/metrics`,
        child,
      );
      return port;
    };
    return {
      store,
      databaseUrl,
      secrets,
      projectId: project.id,
      serverKey,
      startApi: async () => `http://127.0.0.1:${await start('api')}/api`,
      startWorker: async () => void (await start('worker')),
      pause: () => running.forEach(({ pid }) => process.kill(pid, 'SIGSTOP')),
      resume: () => running.forEach(({ pid }) => process.kill(pid, 'SIGCONT')),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** For Node.js, so that it writes a CPU profile as it ends. */
export function profileArgs(profileDir: string | undefined, program: string): string[] {
  if (profileDir === undefined) return [];
  mkdirSync(profileDir, { recursive: true });
  return [
    '--cpu-prof',
    `--cpu-prof-dir=${profileDir}`,
    `--cpu-prof-name=${program}-${Date.now()}.cpuprofile`,
  ];
}
