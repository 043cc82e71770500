// `npm test`: everything that CI checks, in the order in which a mistake is found soonest. Arguments go to vitest:
// `npm test -- src/areas/wallets` runs one folder and skips the rest.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './ensure-installed.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const chosen = process.argv.slice(2);

try {
  await ensureInstalled({ root });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const bin = (name) => join(root, 'node_modules', '.bin', name);
const checks = [
  ['types', bin('tsc'), ['--noEmit']],
  ['types of the client and what uses it', bin('tsc'), ['--noEmit', '-p', 'sdk']],
  ['lint', bin('oxlint'), ['--quiet']],
  ['format', bin('biome'), ['check', '--error-on-warnings', '.']],
];
const tests = ['tests', bin('vitest'), ['run', ...chosen]];

for (const [name, command, args] of chosen.length > 0 ? [tests] : [...checks, tests]) {
  const startedMs = Date.now();
  console.log(`\n== ${name}`);
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) console.error(error.message);
  if (status !== 0) {
    console.error(`\n${name}: failed`);
    process.exit(status ?? 1);
  }
  console.log(`${name}: ok (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`);
}
