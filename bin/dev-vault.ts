import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { developmentVaultEnvironment } from '../src/config/development-config.ts';
import { vaultMigrationsFolder } from '../src/config/folders.ts';
import { migrate } from '../src/store/migrate.ts';
import { createStore } from '../src/store/pool.ts';
import type { Running } from './lifecycle.ts';

export interface DevVault extends Running {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Resolves once it answers. @throws Error one sentence */
  readonly ready: Promise<void>;
}

const program = fileURLToPath(new URL('vault.ts', import.meta.url));
const readyMaxMs = 90_000;
const pollMs = 100;
const stopMaxMs = 15_000;
/** More ends than this within the window are no accident. */
const endsMax = 5;
const endsWindowMs = 10 * 60_000;
const pauseMs = 500;

/**
 * Runs the vault as a process of its own and starts it again when it ends by itself. It gets its own variables and nothing
 * else of ours, writes its own log, and ends when we do, however that happens.
 */
export async function keepVault(input: {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly port: number;
  readonly print: (text: string) => void;
}): Promise<DevVault> {
  await migrateVault(input.databaseUrl);
  const origin = `http://127.0.0.1:${input.port}`;
  const logFile = join(input.dataDir, 'vault.log');
  const env = developmentVaultEnvironment(input);
  const stopping = new AbortController();
  let child = startVault(env, logFile);

  async function keep(): Promise<void> {
    for (const endedAtMs: number[] = []; ; ) {
      await ended(child);
      if (stopping.signal.aborted) return;
      endedAtMs.push(performance.now());
      if (endedAtMs.filter((ms) => ms > performance.now() - endsWindowMs).length > endsMax) {
        input.print(`The vault ended by itself too often and stays down; payment methods are refused. See ${logFile}.`);
        return;
      }
      input.print('The vault ended by itself; starting it again.');
      await delay(pauseMs);
      if (stopping.signal.aborted) return;
      child = startVault(env, logFile);
    }
  }

  const kept = keep();
  const ready = waitUntilReady(origin, logFile);
  ready.catch(() => undefined);
  return {
    name: 'vault',
    origin,
    ready,
    async stop() {
      stopping.abort();
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMaxMs);
      child.kill('SIGTERM');
      await ended(child);
      clearTimeout(timer);
      await kept;
    },
  };
}

async function migrateVault(url: string): Promise<void> {
  const store = createStore({ url, poolSize: 1, applicationName: 'purser-vault-migrate' });
  try {
    await migrate(store, vaultMigrationsFolder());
  } finally {
    await store.close();
  }
}

function startVault(env: Readonly<Record<string, string>>, logFile: string): ChildProcess {
  const output = openSync(logFile, 'a', 0o600);
  try {
    // A session of its own, so that Ctrl-C reaches us alone; standard input ends when we do.
    return spawn(process.execPath, ['--import', 'tsx', program, '--with-parent'], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      detached: true,
      stdio: ['pipe', output, output],
      env: { ...env, PATH: '/usr/local/bin:/usr/bin:/bin' },
    });
  } finally {
    closeSync(output);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function waitUntilReady(origin: string, logFile: string): Promise<void> {
  for (const endAtMs = performance.now() + readyMaxMs; ; await delay(pollMs)) {
    const answer = await fetch(`${origin}/ready`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (answer?.ok) return;
    if (performance.now() > endAtMs) throw new Error(`The vault does not get ready: see ${logFile}.`);
  }
}
