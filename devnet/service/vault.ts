import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { developmentVaultEnvironment } from '../../src/config/development-config.ts';
import type { Running } from '../../src/processes/lifecycle.ts';
import { migrateVault } from '../../src/processes/vault/compose.ts';
import { createStore } from '../../src/store/pool.ts';
import { keepChild } from './child.ts';

export interface DevVault extends Running {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Resolves once it answers. @throws Error one sentence */
  readonly ready: Promise<void>;
}

const readyMaxMs = 90_000;
const pollMs = 100;

/** Runs the vault as a process of its own and starts it again when it ends by itself. */
export async function keepVault(input: {
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** The same database as its owner, who migrates it. */
  readonly ownerUrl: string;
  readonly port: number;
  readonly print: (text: string) => void;
}): Promise<DevVault> {
  await migrateAsOwner(input.ownerUrl);
  const origin = `http://127.0.0.1:${input.port}`;
  const logFile = join(input.dataDir, 'vault.log');
  const child = keepChild({
    program: fileURLToPath(new URL('../../bin/vault.ts', import.meta.url)),
    env: developmentVaultEnvironment(input),
    logFile,
    title: 'The vault',
    withoutIt: 'payment methods are refused',
    print: input.print,
  });
  const ready = waitUntilReady(origin, logFile);
  ready.catch(() => undefined);
  return { name: 'vault', origin, ready, stop: child.stop };
}

async function migrateAsOwner(url: string): Promise<void> {
  const store = createStore({ url, poolSize: 1, applicationName: 'purser-vault-migrate' });
  try {
    await migrateVault(store);
  } finally {
    await store.close();
  }
}

async function waitUntilReady(origin: string, logFile: string): Promise<void> {
  for (const endAtMs = performance.now() + readyMaxMs; ; await delay(pollMs)) {
    const answer = await fetch(`${origin}/ready`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => undefined,
    );
    if (answer?.ok) return;
    if (performance.now() > endAtMs)
      throw new Error(`The vault does not get ready: see ${logFile}.`);
  }
}
