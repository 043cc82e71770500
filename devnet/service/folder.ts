import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Running } from '../../src/processes/lifecycle.ts';
import { lockFolder } from '../folder-lock.ts';

const probeName = '.probe';
/** What `npm start` keeps in a data folder; anything else in there is not ours to delete. */
const ownNames = /^(?:postgres|chains|secrets|purser\.log|vault\.log|dev\.json(?:\.\d+)?)$/;

/**
 * Makes the data folder ready and keeps other starts out of it until it is stopped.
 * @throws Error one sentence: it is no folder, cannot be made or written, or is in use
 */
export async function openDataFolder(
  dataDir: string,
  options: { readonly reset: boolean },
): Promise<Running> {
  try {
    makeFolder(dataDir);
    const probe = join(dataDir, `${probeName}.${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `The data folder ${dataDir} cannot be used (${reason}): name a folder that this user can write with --data.`,
      {
        cause,
      },
    );
  }
  const lock = await lockFolder(dataDir);
  try {
    if (options.reset) await emptyFolder(dataDir);
  } catch (error) {
    lock.release();
    throw error;
  }
  return { name: 'data folder', stop: async () => lock.release() };
}

/** One level after the other: below /proc, `mkdir` with `recursive` never comes back. */
function makeFolder(path: string): void {
  const missing: string[] = [];
  let folder = path;
  for (; !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder))
    missing.unshift(folder);
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file`);
  for (const one of missing) mkdirIfMissing(one);
}

function mkdirIfMissing(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another start was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function emptyFolder(dataDir: string): Promise<void> {
  // Read when asked only: a plain start has no use for them this early.
  const { removeDevnet, removePostgres } = await import('../index.ts');
  await removePostgres(join(dataDir, 'postgres'));
  await removeDevnet(join(dataDir, 'chains'));
  for (const name of readdirSync(dataDir))
    if (ownNames.test(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
}
