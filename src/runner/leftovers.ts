import { lstat, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Folders of browsers are named after the process that owns them, so that those of a runner that
 * was killed can be told from those in use: its id, when it started (ids are used again), and in
 * which space of ids it lives (containers may share a folder).
 */
const runFolderPrefix = 'purser-run-';

const namePattern = /^purser-run-(\d+)-(\d+)-(\d+)-[A-Za-z0-9_]+$/;
/** Of owners whom we cannot see. No run lives longer. */
const strangersMsMax = 2 * 24 * 60 * 60_000;

/** What the name of a folder of this process begins with; a random part follows. */
export async function ownFolderPrefix(): Promise<string> {
  const { space, startedAt } = await ownPlace();
  return `${runFolderPrefix}${space}-${process.pid}-${startedAt}-`;
}

/** Removes folders whose owner is gone. @returns how many */
export async function sweepLeftovers(input: {
  readonly ids: readonly number[];
  readonly now: Date;
}): Promise<number> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(runFolderPrefix));
  let count = 0;
  for (const name of names) {
    const path = join(tmpdir(), name);
    const found = await lstat(path).catch(() => undefined);
    // Whoever else may write there can make such names, too.
    if (!found?.isDirectory() || !input.ids.includes(found.uid)) continue;
    if (await isInUse(name, input.now.getTime() - found.mtimeMs)) continue;
    await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 }).catch(
      () => undefined,
    );
    count += 1;
  }
  return count;
}

async function isInUse(name: string, ageMs: number): Promise<boolean> {
  const [, space, pid, startedAt] = namePattern.exec(name) ?? [];
  if (space === undefined || space !== (await ownPlace()).space) return ageMs < strangersMsMax;
  return (await startOf(Number(pid))) === startedAt;
}

let place: Promise<{ readonly space: string; readonly startedAt: string }> | undefined;

function ownPlace() {
  place ??= (async () => ({
    space: /\d+/.exec(await readlink('/proc/self/ns/pid').catch(() => ''))?.[0] ?? '0',
    startedAt: (await startOf(process.pid)) ?? '0',
  }))();
  return place;
}

/**
 * When a process started, in ticks since the machine did; undefined when there is none. Where that
 * cannot be read: 0 while it runs.
 */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name stands in parentheses and may hold any character.
  if (text !== undefined) return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  if (process.platform === 'linux') return undefined;
  try {
    process.kill(pid, 0);
    return '0';
  } catch {
    return undefined;
  }
}
