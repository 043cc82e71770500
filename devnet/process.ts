import { type ChildProcess, spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from './errors.ts';

/**
 * A process beyond its pid, which the system gives to others later: the stamp says when it was
 * started.
 */
export interface ProcessRef {
  readonly pid: number;
  readonly stamp: string;
}

const pollMs = 20;
const watchPollMs = 250;

/**
 * When the process of this pid was started, in the system's own terms; undefined when it is gone or
 * only waits to be reaped.
 */
export function stampOf(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (process.platform === 'linux') return stampOnLinux(pid);
  const answer = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const line = answer.stdout?.trim() ?? '';
  return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
}

function stampOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; after it come the state (field 3) and, as field
    // 22, the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    // Ticks since boot alone repeat after a reboot.
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
}

/** This process as others see it. */
export function ownRef(): ProcessRef {
  return { pid: process.pid, stamp: stampOf(process.pid) ?? '' };
}

/** Whether exactly this process still runs. */
export function isAlive(ref: ProcessRef): boolean {
  return stampOf(ref.pid) === ref.stamp;
}

/**
 * Whether the process of this pid works in `folder`: how a server is told from a stranger who got
 * its pid.
 */
export function worksIn(pid: number, folder: string): boolean {
  try {
    if (process.platform === 'linux')
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES')) return false;
    throw error;
  }
  return (
    spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
  ).includes(folder);
}

/** Waits until the process is gone; false when it outlives `timeoutMs`. */
export async function waitForEnd(ref: ProcessRef, timeoutMs: number): Promise<boolean> {
  for (const endAt = Date.now() + timeoutMs; ; await delay(pollMs)) {
    if (!isAlive(ref)) return true;
    if (Date.now() > endAt) return false;
  }
}

/**
 * Ends a process: sends each signal in turn and waits for its time.
 * @returns false when it outlived all of them
 */
export async function endProcess(
  ref: ProcessRef,
  signals: readonly (readonly [NodeJS.Signals, number])[],
): Promise<boolean> {
  for (const [signal, waitMs] of signals) {
    if (!isAlive(ref)) return true;
    try {
      process.kill(ref.pid, signal);
    } catch (error) {
      if (!hasCode(error, 'ESRCH')) throw error;
    }
    if (await waitForEnd(ref, waitMs)) return true;
  }
  return !isAlive(ref);
}

/**
 * Resolves when the process is gone. That of a process which is not our child can only be looked
 * for.
 */
export function watchEnd(ref: ProcessRef, child?: ChildProcess): Promise<void> {
  if (!isAlive(ref)) return Promise.resolve();
  return new Promise((resolve) => {
    if (child) return void child.once('exit', () => resolve());
    const timer = setInterval(() => {
      if (isAlive(ref)) return;
      clearInterval(timer);
      resolve();
    }, watchPollMs);
    timer.unref();
  });
}
