import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkProgram } from './link.ts';

/**
 * `tsx programs/solana-wallet/build.ts` compiles wallet.c to wallet.so. The compiler is that of
 * Debian's package clang-19.
 */

export const folder = dirname(fileURLToPath(import.meta.url));
export const programPath = join(folder, 'wallet.so');
/** Other versions give other bytes. */
export const compilerVersion = '19.1.7';
/** Not cpu v3: SBPF extends the sign in 32-bit operations where that does not. */
const compilerFlags = [
  '-target',
  'bpf',
  '-mcpu=v2',
  '-O2',
  '-ffreestanding',
  '-fno-builtin',
  '-Wall',
  '-Wextra',
  '-Werror',
  '-mllvm',
  '-bpf-stack-size=4096',
];
const timeoutMs = 60_000;

/** @returns why there is none that builds the same bytes; undefined when there is one */
export function missingCompiler(compiler: string): string | undefined {
  const { status, stdout, error } = spawnSync(compiler, ['--version'], {
    encoding: 'utf8',
    timeout: timeoutMs,
  });
  if (error || status !== 0)
    return `${compiler} is not installed (Debian: apt-get install clang-19; or name another in CLANG)`;
  const version = /clang version (\S+)/.exec(stdout)?.[1];
  return version === compilerVersion
    ? undefined
    : `${compiler} is of version ${version}, not ${compilerVersion}`;
}

/** @throws Error with the compiler's words */
export function buildProgram(compiler: string): Buffer {
  const work = mkdtempSync(join(tmpdir(), 'purser-solana-wallet-'));
  try {
    const object = join(work, 'wallet.o');
    const { status, stderr } = spawnSync(
      compiler,
      [...compilerFlags, '-c', 'wallet.c', '-o', object],
      {
        cwd: folder,
        encoding: 'utf8',
        timeout: timeoutMs,
      },
    );
    if (status !== 0) throw new Error(`The program does not compile: ${stderr}`);
    return linkProgram(readFileSync(object)).file;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const compiler = process.env.CLANG ?? 'clang-19';
  const missing = missingCompiler(compiler);
  if (missing !== undefined) {
    console.error(`The program was not built: ${missing}.`);
    process.exit(1);
  }
  writeFileSync(programPath, buildProgram(compiler));
  console.log(`${programPath}: ${readFileSync(programPath).length} bytes`);
}
