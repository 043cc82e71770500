/**
 * Mutation test of the contracts: changes one thing at a time, compiles what holds code of it, and
 * runs the contract tests in a copy, the nearest first. What no test notices is a survivor: it
 * wants a test, or a word in docs/decisions/0038 (0046 for Stellar).
 *
 * `npm run mutate:contracts -- [--of stellar] [--count 20] [--seed 1] [--file WalletModule] [--line 30] [--kind statement,condition] [--minutes 30] [--list] [--again] [--at-once]`.
 * `--at-once` (Solidity) compiles all of them together, behind switches: for hundreds. Those that no
 * switch can be put before are left for a run without it.
 * Verdicts are kept in `verdicts.jsonl` beside this, one line each; what stands there is not run
 * again unless told.
 */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { shuffle } from '../../test/mutation/changes.ts';
import { judgeAtOnce } from './at-once.ts';
import type { MutantCompiler } from './compiler.ts';
import { createJudge, type Judge } from './judge.ts';
import { findMutants, type Mutant } from './mutants.ts';
import { readSubject, type Subject, subjects } from './subjects.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const verdictsPath = fileURLToPath(new URL('verdicts.jsonl', import.meta.url));

type Verdict = 'killed' | 'survived' | 'timeout' | 'no-compile' | 'same-code';

interface Outcome {
  /** Of the mutant: see `Mutant`. */
  readonly id: string;
  readonly after: string;
  readonly verdict: Verdict;
  /** The test that noticed. */
  readonly by?: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      of: { type: 'string', default: 'solidity' },
      count: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      file: { type: 'string' },
      line: { type: 'string' },
      kind: { type: 'string' },
      minutes: { type: 'string', default: '60' },
      list: { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
      'at-once': { type: 'boolean', default: false },
    },
  });
  const subject = subjects.find(({ name }) => name === values.of);
  if (!subject)
    throw new Error(
      `--of is one of ${subjects.map(({ name }) => name).join(', ')}, not "${values.of}".`,
    );
  const all = readSubject(repository, subject).flatMap(([file, source]) =>
    findMutants(file, source),
  );
  const wanted = all
    .filter(({ file }) => values.file === undefined || file.split('.')[0] === values.file)
    .filter(({ line }) => values.line === undefined || line === Number(values.line))
    .filter(
      ({ id }) => values.kind === undefined || values.kind.split(',').includes(id.split(':')[3]!),
    );
  const kept = readOutcomes(all);
  if (values.list)
    return console.log(
      wanted
        .map(({ id, after }) => `${kept.get(id)?.verdict ?? 'not run'}  ${id}  ${after}`)
        .join('\n'),
    );
  const next = shuffle(wanted, Number(values.seed))
    .filter(({ id }) => values.again || !kept.has(id))
    .slice(0, Number(values.count));
  console.log(`${next.length} of ${wanted.length} mutants; ${kept.size} have a verdict.`);
  const tryAll = values['at-once'] ? tryAtOnce : tryMutants;
  await tryAll(subject, next, Date.now() + Number(values.minutes) * 60_000, (outcome) => {
    kept.set(outcome.id, outcome);
    appendFileSync(verdictsPath, `${JSON.stringify(outcome)}\n`);
  });
  report([...kept.values()], all.length);
}

/**
 * Verdicts of mutants as the sources are now: a line that changed since has none. The last one
 * counts.
 */
function readOutcomes(mutants: readonly Mutant[]): Map<string, Outcome> {
  const afterOf = new Map(mutants.map(({ id, after }) => [id, after]));
  const lines = existsSync(verdictsPath) ? readFileSync(verdictsPath, 'utf8').split('\n') : [];
  const outcomes = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Outcome);
  return new Map(
    outcomes
      .filter(({ id, after }) => afterOf.get(id) === after)
      .map((outcome) => [outcome.id, outcome]),
  );
}

async function tryMutants(
  subject: Subject,
  mutants: readonly Mutant[],
  until: number,
  keep: (outcome: Outcome) => void,
): Promise<void> {
  const folder = copyForTests(subject);
  const judge = await createJudge(folder, subject.tests);
  const compiler = subject.createCompiler(folder);
  try {
    const seen = new Map<string, Outcome>();
    for (const mutant of mutants) {
      if (Date.now() > until) return console.log('The time is over: run again to go on.');
      const startedAt = Date.now();
      const outcome = await tryMutant({ compiler, judge, seen }, mutant);
      keep(outcome);
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      console.log(
        `${outcome.verdict.padEnd(10)} ${String(seconds).padStart(4)} s  ${mutant.id}  ${outcome.by ?? ''}`,
      );
    }
  } finally {
    compiler.close();
    await judge.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryAtOnce(
  subject: Subject,
  mutants: readonly Mutant[],
  until: number,
  keep: (outcome: Outcome) => void,
): Promise<void> {
  if (subject.name !== 'solidity') throw new Error('--at-once is for --of solidity alone.');
  const folder = copyForTests(subject);
  try {
    const noticedBy = await judgeAtOnce(folder, subject.tests, mutants, until);
    for (const { id, after } of mutants) {
      if (!noticedBy.has(id)) continue;
      const by = noticedBy.get(id);
      keep({ id, after, verdict: by === undefined ? 'survived' : 'killed', ...(by && { by }) });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the tests need, where nobody else works. */
function copyForTests({ copied }: Subject): string {
  const folder = mkdtempSync(join(tmpdir(), 'purser-mutants-'));
  for (const name of [...copied, 'package.json', 'tsconfig.json'])
    cpSync(join(repository, name), join(folder, name), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** @param tools `seen`: by the code that it compiled to, what became of a mutant before */
async function tryMutant(
  tools: {
    readonly compiler: MutantCompiler;
    readonly judge: Judge;
    readonly seen: Map<string, Outcome>;
  },
  { id, file, after, source }: Mutant,
): Promise<Outcome> {
  const end = (verdict: Verdict, by?: string): Outcome => ({
    id,
    after,
    verdict,
    ...(by !== undefined && { by }),
  });
  const { changed } = await tools.compiler.compile(file, source);
  if (changed === undefined) return end('no-compile');
  if (changed.length === 0) return end('same-code');
  const code = JSON.stringify(changed);
  const twin = tools.seen.get(code);
  if (twin !== undefined) return end(twin.verdict, twin.by);
  const outcome = await tools.judge.ask(file).then(
    (by) => (by === undefined ? end('survived') : end('killed', by)),
    () => end('timeout'),
  );
  tools.seen.set(code, outcome);
  return outcome;
}

function report(outcomes: readonly Outcome[], total: number): void {
  const count = (verdict: Verdict) =>
    outcomes.filter((outcome) => outcome.verdict === verdict).length;
  const counted = outcomes.length - count('no-compile') - count('same-code');
  console.log(
    `\n${outcomes.length} of ${total} have a verdict: ${count('no-compile')} do not compile, ${count('same-code')} compile to the same code; of ${counted} others ${count('killed')} killed, ${count('timeout')} timed out, ${count('survived')} survived.`,
  );
  for (const { id, after, verdict } of outcomes)
    if (verdict === 'survived' || verdict === 'timeout')
      console.log(`${verdict} ${id}\n  ${after}`);
}

await main();
