import { readFileSync } from 'node:fs';

const limitsFile = '/proc/self/limits';

/**
 * A core dump would put numbers, and the keys that open all others, on a disk. `limits` is what Linux says of this process; other
 * systems have no such file, and are not asked.
 * @throws Error one sentence when this process may write one
 */
export function checkCoreDumps(limits = readLimits()): void {
  const soft = /^Max core file size\s+(\S+)/m.exec(limits)?.[1];
  if (soft === undefined || soft === '0') return;
  throw new Error(
    `The vault may write core dumps (limit: ${soft}), which would hold numbers and keys: start it with \`ulimit -c 0\`, LimitCORE=0 (systemd) or \`ulimits: core: 0\` (compose).`,
  );
}

function readLimits(): string {
  try {
    return readFileSync(limitsFile, 'utf8');
  } catch {
    return '';
  }
}
