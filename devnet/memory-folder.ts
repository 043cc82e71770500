import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux keeps files in memory. */
const memory = '/dev/shm';
/** A container has 64 MB there by default: too little for the databases of a test run. */
const freeMinBytes = 4 * 1024 ** 3;

/**
 * Makes a folder for what nobody wants to keep: in memory where there is room, else on the disk.
 * Folders there whose process is gone are removed first, since nothing else gives the memory back.
 * @param prefix of its name, e.g. `purser-pg-`
 */
export function makeThrowAwayFolder(prefix: string): string {
  if (!hasRoom()) return mkdtempSync(join(tmpdir(), prefix));
  for (const name of readdirSync(memory)) {
    const maker = name.startsWith(prefix) && /^\d+(?=-)/.exec(name.slice(prefix.length));
    if (maker && !isAlive(Number(maker[0])))
      rmSync(join(memory, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(memory, `${prefix}${process.pid}-`));
}

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(memory);
    return process.platform === 'linux' && bavail * bsize >= freeMinBytes;
  } catch {
    return false;
  }
}

/** Also when it is somebody else's. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
