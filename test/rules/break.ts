/**
 * Breaks each rule of agent checkouts once on purpose, in a copy of the sources, and runs the test that has to fail then:
 * `npm run mutate:rules -- [--only <words of the rule or the file>]`. Ends with 1 when a fault is not noticed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type RuleFault, ruleFaults } from './faults.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const copied = ['src', 'test', 'fixtures', 'sdk/src', 'package.json', 'tsconfig.json', 'vitest.config.ts'];
const timeoutMs = 240_000;

/** Without the database of the other tests: none of these needs it. */
const config = `import { defineConfig } from 'vitest/config';
import { sourceAliases } from './test/harness/source-aliases.ts';
export default defineConfig({ resolve: { alias: sourceAliases }, test: { include: ['src/**/*.test.ts'], pool: 'forks', testTimeout: 120_000, hookTimeout: 120_000 } });
`;

type Verdict = 'noticed' | 'NOT NOTICED' | 'TEST NOT RUN';

function main(): void {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
  const chosen = ruleFaults.filter(({ rule, file }) => `${rule} ${file}`.includes(values.only));
  const folder = copySources();
  const missed: string[] = [];
  try {
    for (const fault of chosen) {
      const startedAt = Date.now();
      const verdict = tryFault(folder, fault);
      if (verdict !== 'noticed') missed.push(fault.rule);
      console.log(
        `${verdict.padEnd(12)} ${String(Math.round((Date.now() - startedAt) / 1000)).padStart(4)} s  ${fault.rule}\n${' '.repeat(21)}${fault.test.join(' › ')}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${chosen.length - missed.length} of ${chosen.length} faults are noticed.`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'purser-rules-'));
  for (const name of copied) cpSync(join(repository, name), join(folder, name), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'rules.config.ts'), config);
  return folder;
}

function tryFault(folder: string, { file, from, to, test: [testFile, name] }: RuleFault): Verdict {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const args = ['vitest', 'run', '--config', 'rules.config.ts', '--reporter=json', `--outputFile=${report}`, testFile, '-t', pattern];
  spawnSync('npx', args, { cwd: folder, timeout: timeoutMs, stdio: 'ignore' });
  writeFileSync(path, source);
  return judge(report);
}

function judge(report: string): Verdict {
  try {
    const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>;
    return numFailedTests! > 0 ? 'noticed' : numPassedTests! > 0 ? 'NOT NOTICED' : 'TEST NOT RUN';
  } catch {
    return 'TEST NOT RUN';
  }
}

main();
