/**
 * Mutation test of the Solidity: changes one thing at a time in a copy of the sources, compiles, and runs the contract tests,
 * the nearest first. What no test notices is a survivor: it wants a test, or a word in docs/decisions.
 *
 * `npm run mutate:contracts -- [--count 20] [--seed 1] [--file WalletModule] [--minutes 30] [--out <file>]`. Results go to
 * the file, one JSON line each; what stands there already is not run again.
 */
import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { findMutants, type Mutant, shuffle } from './mutants.ts';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('..', import.meta.url));
const testsMaxMs = 600_000;
const compileMaxMs = 600_000;

/** Of tests alone, or without code of their own. */
const skipped = /^(?:Test.*|I[A-Z].*|Call)\.sol$/;

/** Test files that say most about a source; the others follow. */
const nearest: Readonly<Record<string, readonly string[]>> = {
  'AddressSignature.sol': ['delegates', 'signatures', 'signer-verifier'],
  'BatchExecutor.sol': ['batch-executor', 'batch-gas'],
  'BoundedCall.sol': ['batch-executor', 'wallet-module'],
  'CallRunner.sol': ['wallet-module', 'batch-gas', 'hostile-scopes', 'simulation'],
  'DelegatedSigners.sol': ['scopes', 'delegates', 'epochs', 'hostile-scopes', 'delegate-messages'],
  'DelegatedAccount.sol': ['delegated-account'],
  'Epochs.sol': ['epochs', 'delegates'],
  'KnownWallets.sol': ['delegated-account', 'wallet-module'],
  'SafeWallets.sol': ['wallet-module', 'batch-executor'],
  'SignatureHandler.sol': ['signature-handler', 'delegate-messages'],
  'SignerOwner.sol': ['signer-owner'],
  'SignerOwnerFactory.sol': ['signer-owner'],
  'SignerVerifier.sol': ['signer-verifier', 'quorum'],
  'TokenReceiver.sol': ['signature-handler', 'delegated-account'],
  'WalletModule.sol': ['wallet-module', 'signatures', 'epochs', 'delegates', 'batch-gas', 'simulation', 'delegate-simulation'],
  'WalletSetup.sol': ['signer-owner', 'delegates'],
};
/** They hold committed artifacts or recorded numbers, which every change of the code breaks. */
const notAsked = /^(?:compile|gas|index|mutants)\.test\.ts$|\.long\.test\.ts$/;

type Verdict = 'killed' | 'survived' | 'timeout' | 'no-compile' | 'same-code';

interface Outcome extends Omit<Mutant, 'source'> {
  readonly verdict: Verdict;
  /** The test that noticed, or what the compiler said. */
  readonly by?: string;
  readonly seconds: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      file: { type: 'string' },
      line: { type: 'string' },
      minutes: { type: 'string', default: '60' },
      out: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  });
  const sources = readdirSync(join(repository, 'contracts', 'src')).filter((file) => file.endsWith('.sol') && !skipped.test(file));
  const all = sources
    .filter((file) => values.file === undefined || file === `${values.file}.sol`)
    .flatMap((file) => findMutants(file, readFileSync(join(repository, 'contracts', 'src', file), 'utf8')))
    .filter(({ line }) => values.line === undefined || line === Number(values.line));
  const sample = shuffle(all, Number(values.seed)).slice(0, Number(values.count));
  if (values.list) return console.log(all.map(({ id, after }) => `${id}  ${after}`).join('\n'));
  const out = values.out ?? join(tmpdir(), `purser-mutants-${values.seed}.jsonl`);
  const known = new Map(readOutcomes(out).map((outcome) => [outcome.id, outcome]));
  const until = Date.now() + Number(values.minutes) * 60_000;
  console.log(`${sample.length} of ${all.length} mutants; results in ${out}`);
  const folder = copyContracts();
  try {
    const original = readBytecode(folder);
    for (const mutant of sample) {
      if (known.has(mutant.id)) continue;
      if (Date.now() > until) {
        console.log('The time is over: run again to go on.');
        break;
      }
      const outcome = await tryMutant(folder, mutant, original);
      known.set(mutant.id, outcome);
      appendFileSync(out, `${JSON.stringify(outcome)}\n`);
      console.log(`${outcome.verdict.padEnd(10)} ${String(outcome.seconds).padStart(4)} s  ${mutant.id}  ${outcome.by ?? ''}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  report(sample.flatMap(({ id }) => known.get(id) ?? []));
}

function readOutcomes(path: string): Outcome[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Outcome);
}

/** What the contract tests need, where nobody else works. */
function copyContracts(): string {
  const folder = mkdtempSync(join(tmpdir(), 'purser-mutants-'));
  for (const name of ['contracts', 'package.json', 'tsconfig.json'])
    cpSync(join(repository, name), join(folder, name), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `export default { test: { include: ['contracts/**/*.test.ts'], pool: 'forks', maxWorkers: 1, testTimeout: 120_000, hookTimeout: 60_000 } };\n`,
  );
  return folder;
}

/** Everything that would be deployed. */
function readBytecode(folder: string): string {
  const artifacts = join(folder, 'contracts', 'artifacts');
  return readdirSync(artifacts)
    .sort()
    .map((file) => (JSON.parse(readFileSync(join(artifacts, file), 'utf8')) as { bytecode: string }).bytecode)
    .join(' ');
}

async function tryMutant(folder: string, { source, ...mutant }: Mutant, original: string): Promise<Outcome> {
  const startedAt = Date.now();
  const path = join(folder, 'contracts', 'src', mutant.file);
  const before = readFileSync(path, 'utf8');
  const end = (verdict: Verdict, by?: string): Outcome => ({
    ...mutant,
    verdict,
    ...(by !== undefined && { by }),
    seconds: Math.round((Date.now() - startedAt) / 1000),
  });
  writeFileSync(path, source);
  try {
    const failure = await node(folder, ['--import', 'tsx', 'contracts/compile.ts'], compileMaxMs);
    if (failure?.timedOut) return end('timeout', 'compiling');
    if (failure !== undefined) return end('no-compile', /Error: .*/.exec(failure.output)?.[0]);
    if (readBytecode(folder) === original) return end('same-code');
    return await askTests(folder, mutant.file, end);
  } finally {
    writeFileSync(path, before);
  }
}

async function askTests(folder: string, file: string, end: (verdict: Verdict, by?: string) => Outcome): Promise<Outcome> {
  const tests = readdirSync(join(folder, 'contracts')).filter((name) => name.endsWith('.test.ts') && !notAsked.test(name));
  const first = (nearest[file] ?? []).map((name) => `${name}.test.ts`).filter((name) => tests.includes(name));
  const slow = tests.filter((name) => name.includes('invariant'));
  const rest = tests.filter((name) => !first.includes(name) && !slow.includes(name));
  for (const group of [first, rest, slow]) {
    if (group.length === 0) continue;
    const paths = group.map((name) => join('contracts', name));
    const failure = await node(folder, ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...paths], testsMaxMs);
    if (failure?.timedOut) return end('timeout');
    if (failure !== undefined) return end('killed', /FAIL\s+(.+)/.exec(failure.output)?.[1]?.trim());
  }
  return end('survived');
}

/** @returns undefined when it ended well */
async function node(cwd: string, args: readonly string[], timeoutMs: number): Promise<{ output: string; timedOut: boolean } | undefined> {
  try {
    await run(process.execPath, [...args], {
      cwd,
      timeout: timeoutMs,
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, NO_COLOR: '1' },
    });
    return undefined;
  } catch (error) {
    const { stdout = '', stderr = '', killed = false } = error as { stdout?: string; stderr?: string; killed?: boolean };
    return { output: `${stdout}\n${stderr}`, timedOut: killed };
  }
}

function report(outcomes: readonly Outcome[]): void {
  const count = (verdict: Verdict) => outcomes.filter((outcome) => outcome.verdict === verdict).length;
  const counted = outcomes.length - count('no-compile') - count('same-code');
  console.log(
    `\n${outcomes.length} run: ${count('no-compile')} do not compile, ${count('same-code')} compile to the same code; of ${counted} others ${count('killed')} killed, ${count('timeout')} timed out, ${count('survived')} survived.`,
  );
  for (const { verdict, file, line, before, after } of outcomes)
    if (verdict === 'survived' || verdict === 'timeout') console.log(`${verdict} ${file}:${line}\n  - ${before}\n  + ${after}`);
}

await main();
