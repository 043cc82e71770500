import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DevnetError } from './errors.ts';
import { isAlive, ownRef } from './process.ts';

export interface FolderLock {
  release(): void;
}

const attemptsMax = 15;
const prefix = 'in-use-by-';

/**
 * Makes this process the only one that works in `folder`. A dead holder's claim counts for nothing,
 * so `kill -9` leaves no lock behind.
 *
 * Every contender writes a claim under a name of its own and then looks for others: of two at once
 * at least one sees the other and steps back, so there are never two holders, and removing a dead
 * process's claim can never hit a live one.
 * @throws DevnetError when another live process holds it, or when it cannot be written
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  for (let attempt = 1; ; attempt++) {
    const { claim, other } = tryClaim(folder);
    if (other === undefined) return { release: () => rmSync(join(folder, claim), { force: true }) };
    if (attempt === attemptsMax) {
      throw new DevnetError(
        `The data folder ${folder} is in use by another Purser (process ${other}): stop that one first, or name another data folder.`,
      );
    }
    await delay(20 + Math.random() * 60);
  }
}

/** @returns the claim, or the process that holds the folder, and then no claim is left */
function tryClaim(folder: string): { claim: string; other?: number } {
  try {
    mkdirSync(folder, { recursive: true });
    const claim = writeClaim(folder);
    const other = findLiveClaim(folder, claim);
    if (other !== undefined) rmSync(join(folder, claim), { force: true });
    return { claim, other };
  } catch (cause) {
    throw new DevnetError(
      `The data folder ${folder} cannot be used (${cause instanceof Error ? cause.message : String(cause)}): name a folder that this user can write.`,
      { cause },
    );
  }
}

function writeClaim(folder: string): string {
  const { pid, stamp } = ownRef();
  const name = `${prefix}${pid}-${Buffer.from(stamp).toString('base64url')}-${randomBytes(4).toString('hex')}`;
  writeFileSync(join(folder, name), '');
  return name;
}

/** The pid of a live process that claims the folder. Claims of dead ones are removed on the way. */
function findLiveClaim(folder: string, ownClaim: string): number | undefined {
  for (const name of readdirSync(folder)) {
    const match = /^in-use-by-(\d+)-([\w-]+)-[0-9a-f]{8}$/.exec(name);
    if (!match || name === ownClaim) continue;
    const ref = { pid: Number(match[1]), stamp: Buffer.from(match[2]!, 'base64url').toString() };
    if (isAlive(ref)) return ref.pid;
    rmSync(join(folder, name), { force: true });
  }
  return undefined;
}
