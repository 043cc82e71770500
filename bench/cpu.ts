import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * CPU seconds of a measurement by who took them: rates on a shared machine move with its other
 * tenants, these hardly do.
 */

export type CpuPart = 'API' | 'worker' | 'PostgreSQL' | 'node' | 'load generator';
/** Milliseconds since each process began. */
export type CpuTimes = ReadonlyMap<CpuPart, number>;

/** `/proc` counts in hundredths of a second. */
const tickMs = 10;
const parts: readonly (readonly [CpuPart, RegExp])[] = [
  ['API', /bin\/api\.[jt]s/],
  ['worker', /bin\/worker\.[jt]s/],
  ['PostgreSQL', /postgres/],
  ['node', /anvil/],
  ['load generator', /load-http/],
];

interface Process {
  readonly pid: number;
  readonly parentPid: number;
  readonly command: string;
  readonly cpuMs: number;
}

/** CPU that the processes below this one have taken so far; empty where there is no `/proc`. */
export function readCpu(): CpuTimes {
  const times = new Map<CpuPart, number>();
  if (!existsSync('/proc/self/stat')) return times;
  const byPid = new Map(readProcesses().map((process) => [process.pid, process]));
  for (const { pid, command, cpuMs } of byPid.values()) {
    const part = parts.find(([, pattern]) => pattern.test(command))?.[0];
    if (part !== undefined && isBelow(byPid, pid)) times.set(part, (times.get(part) ?? 0) + cpuMs);
  }
  return times;
}

/** Milliseconds by part between two readings, for one of `count`. */
export function cpuOfOne(before: CpuTimes, after: CpuTimes, count: number): CpuTimes {
  return new Map([...after].map(([part, ms]) => [part, (ms - (before.get(part) ?? 0)) / count]));
}

function isBelow(byPid: ReadonlyMap<number, Process>, pid: number): boolean {
  for (let at: number | undefined = byPid.get(pid)?.parentPid; at; at = byPid.get(at)?.parentPid)
    if (at === process.pid) return true;
  return false;
}

function readProcesses(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name of the program stands in parentheses and may hold spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [
        {
          pid: Number(name),
          parentPid: Number(fields[1]),
          command,
          cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs,
        },
      ];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}
