/**
 * Mutation test of production's TypeScript: changes one thing at a time in a scratch copy and asks
 * the nearest tests. What none of them notices is a survivor: it wants a test, or a line in
 * `equivalent.jsonl` that says why nobody could notice.
 *
 * `npm run mutate -- --seed 1 --count 60 [--only 'src/areas/orders/**'] [--at-least 90] [--files 12] [--seconds 240] [--list] [--again]`
 * Ends with 1 below `--at-least` percent. Verdicts are kept in var/mutants.jsonl: what stands there
 * is not asked again, so that a run which was stopped goes on where it was; a changed source has
 * none.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { transformSync } from 'esbuild';
import { startSharedServer } from '../harness/database.ts';
import { productionFiles, root, sourceFiles } from '../tidy/source-files.ts';
import { applyMutant, findMutants, type Mutant, orderMutants } from './mutants.ts';
import { createNearestTests, type NearestTests } from './nearest.ts';
import { type Outcome, printOutcomes, shareCaught } from './report.ts';
import { runTests } from './run-tests.ts';
import { createScratch, type Scratch } from './scratch.ts';
import { createTypeCheck, type TypeCheck } from './type-check.ts';

const verdictsPath = join(root, 'var', 'mutants.jsonl');
const testFolders = [
  'src',
  'bin',
  'test',
  'devnet',
  'contracts',
  'programs',
  'scripts',
  'fixtures',
  'sdk/src',
  'sdk/test',
  'examples',
];

const options = {
  seed: { type: 'string', default: '1' },
  count: { type: 'string', default: '60' },
  only: { type: 'string', default: 'src/**' },
  'at-least': { type: 'string', default: '90' },
  files: { type: 'string', default: '12' },
  seconds: { type: 'string', default: '240' },
  list: { type: 'boolean', default: false },
  again: { type: 'boolean', default: false },
} as const;

interface Settings {
  readonly seed: number;
  readonly count: number;
  readonly only: string;
  readonly atLeast: number;
  readonly filesMax: number;
  readonly secondsMax: number;
  readonly isList: boolean;
  readonly isAgain: boolean;
}

function readSettings(): Settings {
  const { values } = parseArgs({ options });
  const numberOf = (name: 'seed' | 'count' | 'at-least' | 'files' | 'seconds') => {
    const value = Number(values[name]);
    if (!Number.isSafeInteger(value) || value < 0)
      throw new Error(`--${name} wants a whole number, and got '${values[name]}'.`);
    return value;
  };
  return {
    seed: numberOf('seed'),
    count: numberOf('count'),
    only: values.only,
    atLeast: numberOf('at-least'),
    filesMax: numberOf('files'),
    secondsMax: numberOf('seconds'),
    isList: values.list,
    isAgain: values.again,
  };
}

async function main(): Promise<void> {
  const settings = readSettings();
  const texts = new Map(productionFiles().map(({ path, text }) => [path, text]));
  const paths = [...texts.keys()].filter((path) => matchesGlob(path, settings.only));
  if (paths.length === 0)
    throw new Error(
      `--only '${settings.only}' fits no production file. For example: --only 'src/ledger/**'`,
    );
  const all = paths.flatMap((path) => findMutants(path, texts.get(path)!));
  console.log(`${all.length} mutants in ${paths.length} files.`);

  const stopping = new AbortController();
  let stoppedAt: number | undefined;
  const stop = () => {
    // The loader passes on what the terminal has sent already: the same Ctrl-C comes twice.
    if (stoppedAt !== undefined && Date.now() - stoppedAt > 1_000) process.exit(130);
    stoppedAt ??= Date.now();
    stopping.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stop);

  const known = settings.isAgain ? new Map<string, Outcome>() : readVerdicts();
  const scratch = createScratch('mutants');
  process.on('exit', () => scratch.remove());
  try {
    const sample = chooseSample(orderMutants(all, settings.seed), {
      texts,
      known,
      settings,
      types: createTypeCheck(scratch),
    });
    if (settings.isList)
      return console.log(
        sample.map((mutant) => describe(mutant, known.get(keyOf(mutant, texts)))).join('\n'),
      );
    const outcomes = await askAll(sample, {
      scratch,
      texts,
      known,
      settings,
      signal: stopping.signal,
    });
    printOutcomes(outcomes);
    const share = shareCaught(outcomes);
    if (outcomes.length < sample.length)
      console.log(`Stopped after ${outcomes.length} of ${sample.length}: run again to go on.`);
    if (share < settings.atLeast || outcomes.length < sample.length) process.exitCode = 1;
  } finally {
    scratch.remove();
  }
}

interface Tools {
  readonly texts: ReadonlyMap<string, string>;
  /** By `keyOf`. */
  readonly known: Map<string, Outcome>;
  readonly settings: Settings;
}

/** The same for the same change of the same text, wherever a run stands. */
function keyOf(mutant: Mutant, texts: ReadonlyMap<string, string>): string {
  const text = applyMutant(texts.get(mutant.file)!, mutant);
  return createHash('sha256').update(`${mutant.file}\n${text}`).digest('hex').slice(0, 24);
}

function readVerdicts(): Map<string, Outcome> {
  const lines = existsSync(verdictsPath) ? readFileSync(verdictsPath, 'utf8').split('\n') : [];
  return new Map(
    lines.filter((line) => line !== '').map((line) => JSON.parse(line) as [string, Outcome]),
  );
}

function keep(known: Map<string, Outcome>, key: string, outcome: Outcome): void {
  known.set(key, outcome);
  mkdirSync(join(root, 'var'), { recursive: true });
  appendFileSync(verdictsPath, `${JSON.stringify([key, outcome])}\n`);
}

/**
 * The first `count` mutants that the compiler takes and that are other code than the original: what
 * it refuses could never be committed. Many at once, one in each file, since each question takes
 * the compiler seconds.
 */
function chooseSample(
  candidates: readonly Mutant[],
  { texts, known, settings, types }: Tools & { readonly types: TypeCheck },
): Mutant[] {
  const chosen: Mutant[] = [];
  const waiting = [...candidates];
  while (chosen.length < settings.count && waiting.length > 0) {
    const batch = new Map<string, Mutant>();
    for (let at = 0; at < waiting.length && batch.size < 2 * (settings.count - chosen.length); ) {
      if (batch.has(waiting[at]!.file)) at += 1;
      else {
        const [mutant] = waiting.splice(at, 1);
        batch.set(mutant!.file, mutant!);
      }
    }
    const open = [...batch.values()].filter((mutant) => !known.has(keyOf(mutant, texts)));
    const other = open.filter((mutant) => isOtherCode(texts.get(mutant.file)!, mutant));
    const refused =
      other.length === 0
        ? new Set()
        : types.refuses(
            other.map((mutant) => [mutant.file, applyMutant(texts.get(mutant.file)!, mutant)]),
          );
    for (const mutant of open)
      if (refused.has(mutant.file) || !other.includes(mutant))
        keep(known, keyOf(mutant, texts), { mutant, verdict: 'refused' });
    const taken = [...batch.values()].filter(
      (mutant) => known.get(keyOf(mutant, texts))?.verdict !== 'refused',
    );
    chosen.push(...taken.slice(0, settings.count - chosen.length));
    console.log(
      `${chosen.length} of ${settings.count} chosen; the compiler refused ${other.filter(({ file }) => refused.has(file)).length} of ${other.length}.`,
    );
  }
  return chosen;
}

function isOtherCode(text: string, mutant: Mutant): boolean {
  const codeOf = (source: string) =>
    transformSync(source, { loader: 'ts', minifySyntax: true }).code;
  try {
    return codeOf(text) !== codeOf(applyMutant(text, mutant));
  } catch {
    return false;
  }
}

async function askAll(
  sample: readonly Mutant[],
  {
    scratch,
    texts,
    known,
    settings,
    signal,
  }: Tools & { readonly scratch: Scratch; readonly signal: AbortSignal },
): Promise<Outcome[]> {
  const nearest = createNearestTests(
    testFolders.filter((folder) => existsSync(join(root, folder))).flatMap(sourceFiles),
  );
  const equivalent = readEquivalent();
  const outcomes: Outcome[] = [];
  const green = new Set<string>();
  const open = sample.filter((mutant) => !known.has(keyOf(mutant, texts)));
  const server = open.length > 0 ? await startSharedServer() : undefined;
  if (server) process.env.PURSER_TEST_SERVER_URL = server.url;
  try {
    for (const mutant of sample) {
      const key = keyOf(mutant, texts);
      const startedAt = Date.now();
      let outcome = equivalent(mutant) ?? known.get(key);
      if (outcome === undefined) {
        outcome = await ask(mutant, {
          scratch,
          text: texts.get(mutant.file)!,
          nearest,
          settings,
          signal,
          green,
        });
        if (outcome === undefined) break;
        keep(known, key, outcome);
      }
      outcomes.push(outcome);
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      console.log(
        `${String(outcomes.length).padStart(3)}/${sample.length} ${String(seconds).padStart(4)} s  ${describe(mutant, outcome)}`,
      );
    }
    return await withoutFalseAlarms(outcomes, { scratch, green, signal, settings, known, texts });
  } finally {
    await server?.close();
  }
}

/**
 * A test that fails without the mutant too, or is too slow for a busy machine, has noticed nothing:
 * each that did is asked once more.
 */
async function withoutFalseAlarms(
  outcomes: readonly Outcome[],
  {
    scratch,
    green,
    signal,
    settings,
    known,
    texts,
  }: Tools & Pick<Question, 'scratch' | 'green' | 'signal'>,
): Promise<Outcome[]> {
  const doubted = outcomes.filter(({ file, isConfirmed }) => file !== undefined && !isConfirmed);
  const files = [...new Set(doubted.map(({ file }) => file!))].filter((file) => !green.has(file));
  if (files.length > 0 && !signal.aborted)
    console.log(`Asks the ${files.length} files that noticed once more, without a mutant.`);
  const maxMs = Math.max(1, files.length) * settings.secondsMax * 1000;
  const { passed } = await runTests(scratch.folder, { files, isWhole: true, maxMs, signal });
  for (const file of passed) green.add(file);
  if (signal.aborted) return [...outcomes];
  return outcomes.map((outcome) => {
    if (!doubted.includes(outcome)) return outcome;
    const judged: Outcome = green.has(outcome.file!)
      ? { ...outcome, isConfirmed: true }
      : {
          mutant: outcome.mutant,
          verdict: 'unsure',
          by: `${outcome.file} fails without a mutant too, or takes too long`,
        };
    keep(known, keyOf(outcome.mutant, texts), judged);
    return judged;
  });
}

interface Question {
  readonly scratch: Scratch;
  readonly text: string;
  readonly nearest: NearestTests;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  /** Files that were seen to pass. */
  readonly green: Set<string>;
}

/** @returns undefined of a run that was stopped */
async function ask(
  mutant: Mutant,
  { scratch, text, nearest, settings, signal, green }: Question,
): Promise<Outcome | undefined> {
  const files = nearest.of(mutant.file).slice(0, settings.filesMax);
  const maxMs = settings.secondsMax * 1000;
  const run = await scratch.withText(mutant.file, applyMutant(text, mutant), () =>
    runTests(scratch.folder, { files, maxMs, signal }),
  );
  if (run.cut === 'stopped') return undefined;
  for (const file of run.passed) green.add(file);
  if (run.failed !== undefined) {
    const { file, name } = run.failed;
    return { mutant, verdict: 'killed', by: `${file} > ${name}`, file };
  }
  if (run.cut === 'silent') {
    // A busy machine may be silent too: then so is the file without the mutant.
    const file = files.find((one) => !run.passed.includes(one))!;
    const clean = await runTests(scratch.folder, { files: [file], maxMs, signal });
    if (clean.cut === 'stopped') return undefined;
    return clean.passed.includes(file)
      ? { mutant, verdict: 'timed out' }
      : { mutant, verdict: 'unsure', by: `${file} is silent without it too` };
  }
  return { mutant, verdict: 'survived', asked: [run.passed.length, files.length] };
}

interface Equivalent extends Pick<Mutant, 'file' | 'before' | 'after'> {
  /** The whole line, without indentation. */
  readonly line: string;
  readonly why: string;
}

/** Mutants of which somebody has shown that they change nothing that anybody could notice. */
function readEquivalent(): (mutant: Mutant) => Outcome | undefined {
  const path = join(root, 'test', 'mutation', 'equivalent.jsonl');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const listed = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Equivalent);
  return (mutant) => {
    const line = readFileSync(join(root, mutant.file), 'utf8').split('\n')[mutant.line - 1]!.trim();
    const found = listed.find(
      (one) =>
        one.file === mutant.file &&
        one.before === mutant.before &&
        one.after === mutant.after &&
        one.line === line,
    );
    return found && { mutant, verdict: 'equivalent', by: found.why };
  };
}

function describe(
  { file, line, column, sort, before, after }: Mutant,
  outcome: Outcome | undefined,
): string {
  const short = (text: string) => {
    const flat = text.replaceAll(/\s+/g, ' ');
    return flat.length > 70 ? `${flat.slice(0, 67)}…` : flat;
  };
  const asked =
    outcome?.asked === undefined ? '' : `  (${outcome.asked[0]} of ${outcome.asked[1]} files)`;
  return `${(outcome?.verdict ?? 'not asked').padEnd(10)} ${sort}  ${file}:${line}:${column}  ${short(before)} → ${short(after)}${asked}${outcome?.by === undefined ? '' : `\n              ${outcome.by}`}`;
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
