// `npm test`: types, lint, format and all tests that are not tagged `slow`, in the order in which a
// mistake is found soonest. `npm run test:all`, as CI: those that are, too (docs/decisions/0071).
// Arguments go to vitest: `npm test -- src/areas/wallets` runs one folder whole, slow tests
// included, and skips the rest.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './ensure-installed.mjs';
import { chooseSecondLook } from './second-look.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isAll = process.argv[2] === '--all';
const chosen = process.argv.slice(isAll ? 3 : 2);
const which = isAll || chosen.length > 0 ? [] : ['--tagsFilter=!slow'];

const bin = (name) => join(root, 'node_modules', '.bin', name);
/** Each checker of the compiler works out the shared types again: as many as there are cores. */
const typesOf = (folder) => [
  bin('tsc'),
  ['--noEmit', '-p', folder, '--checkers', String(Math.min(4, availableParallelism()))],
];
const checks = [
  ['types', ...typesOf('.')],
  ['types of the client and the React components in a browser', ...typesOf('sdk-react')],
  ['types of the console', ...typesOf('console')],
  ['types of the approval page', ...typesOf('approve')],
  ['lint', bin('oxlint'), ['--quiet']],
  ['format', bin('biome'), ['check', '--error-on-warnings', '.']],
];
const tests = ['tests', bin('vitest'), ['run', ...which, ...chosen]];

/** @returns {boolean} whether it passed */
function passes([name, command, args], env = process.env) {
  const startedMs = Date.now();
  console.log(`\n== ${name}`);
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (error) console.error(error.message);
  const isOk = status === 0;
  console[isOk ? 'log' : 'error'](
    `${isOk ? '' : '\n'}${name}: ${isOk ? 'ok' : 'failed'} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`,
  );
  return isOk;
}

/**
 * The whole run; the few files that fail in it are run once more, alone, and said to be flaky when
 * they pass then.
 */
function passesWithSecondLook() {
  const folder = mkdtempSync(join(tmpdir(), 'purser-test-run-'));
  try {
    const path = join(folder, 'failed.json');
    if (passes(tests, { ...process.env, PURSER_TEST_FAILED_RUN: path })) return true;
    const { files, why } = chooseSecondLook(
      existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined,
    );
    if (files.length === 0) {
      console.error(`There is no second look: ${why}.`);
      return false;
    }
    const again = ['run', ...which, '--maxWorkers=1', ...files];
    if (!passes(['second look', bin('vitest'), again])) return false;
    console.warn(
      `\nFLAKY: failed once, see above, and passed alone. Mend what it is that they did not wait for:\n  ${files.join('\n  ')}`,
    );
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isPassed =
  chosen.length > 0
    ? passes(tests)
    : checks.every((check) => passes(check)) && passesWithSecondLook();
process.exit(isPassed ? 0 : 1);
