import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Memory of a process and everything below it, in MiB. On Linux pages that several processes share
 * count once (PSS); elsewhere resident sizes are added up.
 */
export function readTreeMemoryMiB(rootPid: number): {
  readonly mib: number;
  readonly processes: number;
} {
  const table = listProcesses();
  const pids = [rootPid];
  for (const pid of pids)
    pids.push(...table.filter((row) => row.parent === pid).map((row) => row.pid));
  const kib = pids.map(
    (pid) => readPssKiB(pid) ?? table.find((row) => row.pid === pid)?.rssKiB ?? 0,
  );
  return { mib: kib.reduce((sum, one) => sum + one, 0) / 1_024, processes: pids.length };
}

function listProcesses(): { pid: number; parent: number; rssKiB: number }[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, rssKiB] = line.trim().split(/\s+/).map(Number);
      return { pid: pid!, parent: parent!, rssKiB: rssKiB! };
    });
}

function readPssKiB(pid: number): number | undefined {
  try {
    return Number(
      /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1],
    );
  } catch {
    return undefined;
  }
}
