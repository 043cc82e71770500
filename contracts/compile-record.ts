/**
 * What the committed artifacts were compiled from and what came out, as digests beside them:
 * whether somebody changed a source, a compiler setting or an artifact alone is seen without half a
 * minute of compiling.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
export const contractsDir = dirname(fileURLToPath(import.meta.url));
const recordName = 'compiled.json';
/**
 * The compiler, what the sources import, and what computes addresses: each in one exact version.
 */
const packages = ['solc', '@openzeppelin/contracts', 'viem'];

/** SHA-256 in hex digits. */
export interface CompileRecord {
  /** Of `src/*.sol`, `safe/*`, `compile.ts` and the versions of the packages. */
  readonly inputs: string;
  /** Of `artifacts/*` and `generated.ts`. */
  readonly outputs: string;
}

/** @param folder laid out as contracts/ is; that itself when absent */
export function digestCompilation(folder = contractsDir): CompileRecord {
  const versions = packages.map(
    (name) => `${name} ${(require(`${name}/package.json`) as { version: string }).version}`,
  );
  return {
    inputs: digestOf([
      ...versions,
      ...filesIn(folder, 'src').filter(([name]) => name.endsWith('.sol')),
      ...filesIn(folder, 'safe'),
      fileOf(folder, 'compile.ts'),
    ]),
    outputs: digestOf([...filesIn(folder, 'artifacts'), fileOf(folder, 'generated.ts')]),
  };
}

/** As the last compilation left it. @throws Error when there is none */
export function readCompileRecord(folder = contractsDir): CompileRecord {
  return JSON.parse(readFileSync(join(folder, recordName), 'utf8')) as CompileRecord;
}

/** Call it when everything of a compilation is written. */
export function writeCompileRecord(folder = contractsDir): void {
  writeFileSync(
    join(folder, recordName),
    `${JSON.stringify(digestCompilation(folder), undefined, 2)}\n`,
  );
}

function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function filesIn(folder: string, name: string): [name: string, text: string][] {
  const files = readdirSync(join(folder, name)).sort();
  return files.map((file) => fileOf(folder, `${name}/${file}`));
}

function fileOf(folder: string, path: string): [name: string, text: string] {
  return [path, readFileSync(join(folder, path), 'utf8')];
}
