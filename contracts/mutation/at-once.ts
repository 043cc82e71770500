/** Judges mutants by the schema: one compilation, one chain per test file, no start for any mutant. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import { renderArtifactFiles } from '../compile.ts';
import { AsGiven, orderTests, type TestChoice } from './judge.ts';
import type { Mutant } from './mutants.ts';
import { type Noticed, type Plan, planVariable } from './plan.ts';
import { compileSchema } from './schema-compiler.ts';

/** The slowest test alone takes a second. */
const testMaxMs = 8_000;

/** What code without optimization needs more of than the tests give; by file below contracts/. */
const loosened: readonly (readonly [file: string, before: string, after: string])[] = [
  ['test/anvil.ts', `'--accounts',`, `'--disable-code-size-limit', '--accounts',`],
  ['test/chain.ts', 'gas: 8_000_000n', 'gas: 60_000_000n'],
  ['test/chain.ts', 'gasLimit: 1_000_000n', 'gasLimit: 6_000_000n'],
  ['test/chain.ts', 'submitGas = 5_000_000n', 'submitGas = 20_000_000n'],
  ['batch-gas.test.ts', 'besideCalls + 200_000n', 'besideCalls + 300_000n'],
  ['wallet-module.test.ts', 'toBeLessThan(320_000n)', 'toBeLessThan(400_000n)'],
  ['batch-executor.test.ts', 'gasLimit + 5_000n', 'gasLimit + 30_000n'],
];

/** Which tests are asked together. */
const passes = [
  { isNearest: true, slow: false },
  { isNearest: false, slow: false },
  { isNearest: true, slow: true },
] as const;

/**
 * @param root of a copy, which is written to
 * @param until milliseconds since 1970: what no test noticed by then is not judged
 * @returns by id the test that noticed, undefined when none did; without those that are not judged
 */
export async function judgeAtOnce(
  root: string,
  tests: TestChoice,
  mutants: readonly Mutant[],
  until: number,
): Promise<ReadonlyMap<string, string | undefined>> {
  const numbered = mutants.map((mutant, index) => ({ number: index + 1, mutant }));
  const { artifacts, left } = compileSchema(join(root, 'contracts', 'src'), numbered);
  for (const [path, content] of renderArtifactFiles(artifacts))
    writeFileSync(join(root, 'contracts', path), content);
  for (const [file, before, after] of loosened)
    replaceIn(join(root, 'contracts', file), before, after);
  const judged = numbered.filter(({ number }) => !left.has(number));
  const results = join(root, 'noticed.jsonl');
  for (const { isNearest, slow } of passes) {
    if (Date.now() > until) break;
    const known = new Set(readNoticed(results).map(({ number }) => number));
    const asked: Record<string, number[]> = {};
    for (const { number, mutant } of judged.filter((one) => !known.has(one.number))) {
      const nearest = (tests.nearest[mutant.file] ?? []).map((name) => `${name}.test.ts`);
      for (const path of orderTests(root, tests, mutant.file)) {
        const name = path.split('/').at(-1)!;
        if (nearest.includes(name) === isNearest && (isNearest || !tests.slow.test(name)))
          (asked[name] ??= []).push(number);
      }
    }
    await runTests(root, { asked, results, slow, until });
  }
  const by = new Map(readNoticed(results).map((noticed) => [noticed.number, noticed.by]));
  const whole = Date.now() < until;
  return new Map(
    judged
      .filter(({ number }) => whole || by.has(number))
      .map(({ number, mutant }) => [mutant.id, by.get(number)]),
  );
}

async function runTests(root: string, plan: Plan): Promise<void> {
  const path = join(root, 'plan.json');
  writeFileSync(path, JSON.stringify(plan));
  process.env[planVariable] = path;
  const vitest = await createVitest('test', {
    root,
    config: false,
    watch: false,
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    runner: fileURLToPath(new URL('runner.ts', import.meta.url)),
    tags: [{ name: 'slow', description: 'takes seconds' }],
    testTimeout: testMaxMs,
    hookTimeout: 120_000,
    disableConsoleIntercept: true,
    reporters: [{}],
    sequence: { sequencer: AsGiven },
  });
  await vitest.standalone();
  const project = vitest.getRootProject();
  await vitest.runTestSpecifications(
    Object.keys(plan.asked).map((name) =>
      project.createSpecification(join(root, 'contracts', name)),
    ),
  );
  await vitest.close();
}

function readNoticed(path: string): readonly Noticed[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Noticed);
}

function replaceIn(path: string, before: string, after: string): void {
  const text = readFileSync(path, 'utf8');
  if (!text.includes(before))
    throw new Error(`${path} no longer says ${before}: adapt at-once.ts.`);
  writeFileSync(path, text.replaceAll(before, after));
}
