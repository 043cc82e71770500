import { readFileSync } from 'node:fs';

const limitsFile = '/proc/self/limits';

/**
 * For glibc’s allocator (mallopt(3), M_PERTURB): what is freed is overwritten at once. A block in a
 * thread’s own cache is not, so there is none.
 */
export const overwriteFreed = 'glibc.malloc.perturb=165:glibc.malloc.tcache_count=0';

/**
 * What decides how long numbers and keys stay in memory, or leave it. Absent: this system has no
 * such thing, and is not asked.
 */
export interface ProcessMemory {
  /** What Linux says of this process. */
  readonly limits?: string;
  readonly glibcVersion?: string;
  /** `GLIBC_TUNABLES` as the process was started with it. */
  readonly tunables?: string;
}

/**
 * Numbers and the keys that open all others lie in memory while they are used: nothing writes it to
 * a disk, and what is freed is overwritten.
 * @throws Error one sentence that says how to start the vault
 */
export function checkProcessMemory(memory: ProcessMemory): void {
  const coreDumps = /^Max core file size\s+(\S+)/m.exec(memory.limits ?? '')?.[1] ?? '0';
  if (coreDumps !== '0')
    throw new Error(
      `The vault may write core dumps (limit: ${coreDumps}), which would hold numbers and keys: start it with \`ulimit -c 0\`, LimitCORE=0 (systemd) or \`ulimits: core: 0\` (compose).`,
    );
  const tunables = (memory.tunables ?? '').split(':');
  if (
    memory.glibcVersion !== undefined &&
    overwriteFreed.split(':').some((each) => !tunables.includes(each))
  )
    throw new Error(
      `The vault’s memory would keep the numbers of requests after it is freed: start it with GLIBC_TUNABLES=${overwriteFreed} in its environment.`,
    );
}

/** `env`: what the process was started with. */
export function readProcessMemory(
  env: Readonly<Record<string, string | undefined>>,
): ProcessMemory {
  const report = process.report.getReport() as {
    readonly header?: { readonly glibcVersionRuntime?: string };
  };
  return {
    limits: readLimits(),
    glibcVersion: report.header?.glibcVersionRuntime,
    tunables: env.GLIBC_TUNABLES,
  };
}

function readLimits(): string {
  try {
    return readFileSync(limitsFile, 'utf8');
  } catch {
    return '';
  }
}
