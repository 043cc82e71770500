import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabaseIfMissing, startPostgres } from '../devnet/index.ts';
import { publicKeyOfSeed } from '../src/areas/api-keys/index.ts';
import { formatKey, hashSecret } from '../src/areas/api-keys/key-format.ts';
import { systemClock } from '../src/lib/clock.ts';
import { internalPublicKey } from '../src/lib/net/signed-requests.ts';
import { migrateVault } from '../src/processes/vault/compose.ts';
import { asRole } from '../src/store/grants.ts';
import { createStore } from '../src/store/pool.ts';
import type { Store } from '../src/store/types.ts';
import { vaultServiceRole } from '../src/vault/grants.ts';
import { applyPush } from '../src/vault/server/directory.ts';
import { overwriteFreed } from '../src/vault/server/process-memory.ts';
import { findFreePort, startProcess, waitUntilReady } from '../test/harness/processes.ts';
import type { BenchOptions } from './measure.ts';
import { profileArgs } from './service.ts';

/**
 * The vault in production mode with a key-encryption key of the settings, and a PostgreSQL that
 * writes through to disk.
 */
export interface BenchVault {
  readonly store: Store;
  readonly databaseUrl: string;
  readonly projectId: string;
  readonly serverKey: string;
  /** Ends in `/api`. */
  readonly vaultUrl: string;
  close(): Promise<void>;
}

/** More often than the vault asks for: no worker runs here to say it. */
const confirmEveryMs = 20_000;
const projectId = '0b1f4a4e-6f0e-4b52-9d0e-0a51c5f1a001';

export async function startBenchVault(options: BenchOptions): Promise<BenchVault> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-bench-vault-'));
  const stops: (() => Promise<unknown> | void)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
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
    await createDatabaseIfMissing(postgres.url('postgres'), 'vault');
    const databaseUrl = postgres.url('vault');
    const store = createStore({ url: databaseUrl, poolSize: 2 });
    stops.push(() => store.close());
    await migrateVault(store);

    const seed = randomBytes(32);
    const secret = randomBytes(16).toString('hex');
    const serverKey = formatKey(
      { kind: 'server', environment: 'production', projectId, secret },
      seed,
    );
    const confirm = () => tellKey(store, hashSecret(secret).toString('hex'));
    await confirm();
    const timer = setInterval(() => void confirm(), confirmEveryMs);
    stops.push(() => clearInterval(timer));

    const port = await findFreePort();
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
    const child = startProcess({
      name: 'vault',
      program: options.fromSource ? 'bin/vault.ts' : 'dist/bin/vault.js',
      nodeArgs: profileArgs(options.profileDir, 'vault'),
      env: {
        NODE_ENV: 'production',
        PURSER_ENVIRONMENT: 'production',
        GLIBC_TUNABLES: overwriteFreed,
        METRICS_PORT: 'off',
        RATE_LIMIT_WRITES_PER_MINUTE: 'off',
        RATE_LIMIT_READS_PER_MINUTE: 'off',
        VAULT_HOST: '127.0.0.1',
        VAULT_PORT: String(port),
        VAULT_URL: 'https://vault.purser.example/api',
        VAULT_DATABASE_URL: asRole(databaseUrl, vaultServiceRole),
        VAULT_KEY_ENCRYPTION_KEYS: `bench=${hex(randomBytes(32))}`,
        VAULT_SIGNING_SEED: hex(randomBytes(32)),
        VAULT_PEERS: `worker=${hex(internalPublicKey(randomBytes(32)))}`,
        KEY_SIGNING_PUBLIC_KEY: hex(publicKeyOfSeed(seed)),
        PAYOUT_PROVIDERS: 'off',
      },
      outputFile: join(folder, 'vault.log'),
    });
    stops.push(() => child.stop());
    await waitUntilReady(`http://127.0.0.1:${port}/ready`, child);
    return {
      store,
      databaseUrl,
      projectId,
      serverKey,
      vaultUrl: `http://127.0.0.1:${port}/api`,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const epoch = '0b1f4a4e-6f0e-4b52-9d0e-0a51c5f1a002';
const nobody = { issuers: [], removedIssuers: [] };

async function tellKey(store: Store, secretHash: string): Promise<void> {
  const ctx = { store, clock: systemClock };
  const at = await applyPush(ctx, {
    epoch,
    reset: false,
    from: '1',
    to: '1',
    latest: '1',
    keys: [],
    ...nobody,
  });
  if (at.accepted) return;
  const list: string[] = [];
  const key = {
    id: '0b1f4a4e-6f0e-4b52-9d0e-0a51c5f1a003',
    projectId,
    kind: 'server' as const,
    name: 'bench',
    secretHash,
    hint: 'bench',
    scopes: ['payment-methods'],
    allowedOrigins: list,
    allowedAppIds: list,
    allowedExtensionIds: list,
    createdAt: systemClock.now().toISOString(),
    revokedAt: null,
    rotatedFrom: null,
  };
  await applyPush(ctx, {
    epoch,
    reset: true,
    from: '0',
    to: '1',
    latest: '1',
    keys: [key],
    ...nobody,
  });
}
