/** Asks the contract tests about changed code, the nearest first, up to the first that fails. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest, type TestSpecification } from 'vitest/node';

const testMaxMs = 60_000;
/** A mutant that makes everything slow: no test says so in this time. */
export const judgeMaxMs = 900_000;

/** Which tests are asked, from the root of a copy. */
export interface TestChoice {
  readonly folder: string;
  /** By source: test files that say most about it; the others follow. */
  readonly nearest: Readonly<Record<string, readonly string[]>>;
  readonly notAsked: RegExp;
  /** Random histories, which are asked last. */
  readonly slow: RegExp;
}

export interface Judge {
  /**
   * @returns the first test that fails, or undefined when none does.
   * @throws Error of a run that takes longer than `judgeMaxMs`
   */
  ask(file: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** One runner for all mutants: its start takes longer than most of the answers. */
export async function createJudge(root: string, tests: TestChoice): Promise<Judge> {
  const vitest = await createVitest('test', {
    root,
    config: false,
    watch: false,
    include: [`${tests.folder}/*.test.ts`],
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    bail: 1,
    reporters: [{}],
    // Tests name it; a suite that names one that nobody declared does not load.
    tags: [{ name: 'slow', description: 'takes seconds' }],
    testTimeout: testMaxMs,
    hookTimeout: testMaxMs,
    sequence: { sequencer: AsGiven },
  });
  await vitest.standalone();
  const project = vitest.getRootProject();
  return {
    async ask(file) {
      for (const path of vitest.projects.flatMap((one) => [
        ...one.vite.moduleGraph.fileToModulesMap.keys(),
      ]))
        if (path.startsWith(root)) vitest.invalidateFile(path);
      const specifications = orderTests(root, tests, file).map((path) =>
        project.createSpecification(path),
      );
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        void vitest.cancelCurrentRun('keyboard-input');
      }, judgeMaxMs);
      const { testModules, unhandledErrors } = await vitest
        .runTestSpecifications(specifications)
        .finally(() => clearTimeout(timer));
      if (late) throw new Error('the time was over');
      const failed = testModules.find((module) => module.state() === 'failed');
      if (failed === undefined)
        return unhandledErrors.length === 0 ? undefined : String(unhandledErrors[0]);
      const test = [...failed.children.allTests('failed')][0];
      return `${failed.relativeModuleId}${test === undefined ? '' : ` > ${test.fullName}`}`;
    },
    close: () => vitest.close(),
  };
}

/** Nearest first, random histories last. */
export function orderTests(
  root: string,
  { folder, nearest, notAsked, slow }: TestChoice,
  file: string,
): readonly string[] {
  const tests = readdirSync(join(root, folder)).filter(
    (name) => name.endsWith('.test.ts') && !notAsked.test(name),
  );
  const first = (nearest[file] ?? [])
    .map((name) => `${name}.test.ts`)
    .filter((name) => tests.includes(name));
  const others = tests
    .filter((name) => !first.includes(name))
    .toSorted((one, other) => Number(slow.test(one)) - Number(slow.test(other)));
  return [...first, ...others].map((name) => join(root, folder, name));
}

export class AsGiven {
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
  sort(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}
