/**
 * Compiles one changed source: only the contracts that hold code of it, since a contract takes the
 * compiler seconds. In a process of its own, because the compiler lets nothing else happen beside
 * it.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileSources, renderArtifactFiles, type TracedArtifact } from '../compile.ts';

/**
 * The code that differs from the original, by contract; none when the change compiles to the same.
 * Absent when it does not compile.
 */
export type Compiled = {
  readonly changed?: readonly (readonly [contract: string, bytecode: string])[];
};

export interface MutantCompiler {
  /**
   * Writes the artifacts as the changed source gives them.
   * @throws Error when the compiler's process ends
   */
  compile(file: string, source: string): Promise<Compiled>;
  close(): void;
}

interface Task {
  readonly file: string;
  readonly source: string;
}

/** @param folder a copy of contracts/, which is written to */
export function createMutantCompiler(folder: string): MutantCompiler {
  const child = fork(fileURLToPath(import.meta.url), [folder]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The compiler ended with code ${String(code)}.`);
  });
  ended.catch(() => undefined);
  return {
    async compile(file, source) {
      const answered = once(child, 'message');
      child.send({ file, source } satisfies Task);
      const [answer] = await Promise.race([answered, ended]);
      return answer as Compiled;
    },
    close: () => child.kill(),
  };
}

function serve(folder: string): void {
  const sources = readSources(join(folder, 'src'));
  const original = compileSources(sources);
  const holders = findHolders(original);
  process.on('message', ({ file, source }: Task) => {
    process.send?.(
      compileMutant(
        new Map([...sources, [file, source]]),
        holders.get(file) ?? new Set(),
      ) satisfies Compiled,
    );
  });
  process.on('disconnect', () => process.exit());

  function compileMutant(
    changedSources: ReadonlyMap<string, string>,
    wanted: ReadonlySet<string>,
  ): Compiled {
    const made = wanted.size === 0 ? [] : compileOrRefuse(changedSources, wanted);
    if (made === undefined) return {};
    const artifacts = original.map(
      (artifact) =>
        made.find(({ contractName }) => contractName === artifact.contractName) ?? artifact,
    );
    for (const [path, content] of renderArtifactFiles(artifacts))
      writeFileSync(join(folder, path), content);
    const changed = artifacts.filter(
      ({ bytecode }, index) => bytecode !== original[index]?.bytecode,
    );
    return { changed: changed.map(({ contractName, bytecode }) => [contractName, bytecode]) };
  }
}

function compileOrRefuse(
  sources: ReadonlyMap<string, string>,
  wanted: ReadonlySet<string>,
): readonly TracedArtifact[] | undefined {
  try {
    return compileSources(sources, wanted);
  } catch {
    return undefined;
  }
}

function readSources(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sol'));
  return new Map(files.sort().map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

/**
 * Per source file the contracts whose code came from it, those that carry such a contract in their
 * own code included.
 */
function findHolders(
  artifacts: readonly TracedArtifact[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const holders = new Map<string, Set<string>>();
  for (const { contractName, sourceFiles, bytecode } of artifacts) {
    const carriers = artifacts
      .filter((other) => other.bytecode.includes(bytecode.slice(2)))
      .map((other) => other.contractName);
    for (const file of sourceFiles)
      for (const holder of [contractName, ...carriers])
        holders.set(file, (holders.get(file) ?? new Set()).add(holder));
  }
  return holders;
}

const [, script, folder] = process.argv;
if (process.send && script === fileURLToPath(import.meta.url) && folder !== undefined)
  serve(folder);
