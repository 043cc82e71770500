/**
 * Breaks each rule of agent checkouts once on purpose, in a copy of the sources, and runs the test
 * that has to fail then: `npm run mutate:rules -- [--only <words of the rule or the file>]`. Ends
 * with 1 when a fault is not noticed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '../mutation/run-tests.ts';
import { createScratch, type Scratch } from '../mutation/scratch.ts';
import { type RuleFault, ruleFaults } from './faults.ts';
import { findPlaces } from './places.ts';

const timeoutMs = 240_000;

type Verdict = 'noticed' | 'NOT NOTICED' | 'TEST NOT RUN';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
  const chosen = ruleFaults.filter(({ rule, file }) => `${rule} ${file}`.includes(values.only));
  const scratch = createScratch('rules');
  const missed: string[] = [];
  try {
    for (const fault of chosen) {
      const startedAt = Date.now();
      const verdict = await tryFault(scratch, fault);
      if (verdict !== 'noticed') missed.push(fault.rule);
      console.log(
        `${verdict.padEnd(12)} ${String(Math.round((Date.now() - startedAt) / 1000)).padStart(4)} s  ${fault.rule}\n${' '.repeat(21)}${fault.test.join(' › ')}`,
      );
    }
  } finally {
    scratch.remove();
  }
  console.log(`\n${chosen.length - missed.length} of ${chosen.length} faults are noticed.`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

async function tryFault(
  { folder, withText }: Scratch,
  { file, from, to, test: [testFile, name] }: RuleFault,
): Promise<Verdict> {
  const source = readFileSync(join(folder, file), 'utf8');
  const [first, end] = findPlaces(source, from)[0]!;
  const text = `${source.slice(0, first)}${to}${source.slice(end)}`;
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // None of these needs the database of the other tests.
  const run = await withText(file, text, () =>
    runTests(folder, { files: [testFile], pattern, maxMs: timeoutMs, isAlone: true }),
  );
  if (run.failed?.kind === 'test') return 'noticed';
  return run.testsPassed > 0 ? 'NOT NOTICED' : 'TEST NOT RUN';
}

await main();
