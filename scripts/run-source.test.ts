import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const project = fileURLToPath(new URL('..', import.meta.url));
let root: string;
const cacheFolder = () => join(root, 'node_modules', '.cache', 'purser');
const write = (path: string, text: string) => writeFileSync(join(root, path), text);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'purser-run-source-'));
  for (const folder of ['bin', 'contracts', 'devnet', 'fixtures', 'scripts', 'src', 'node_modules'])
    mkdirSync(join(root, folder));
  for (const name of ['esbuild', 'tsx'])
    symlinkSync(join(project, 'node_modules', name), join(root, 'node_modules', name));
  copyFileSync(join(project, 'scripts', 'run-source.mjs'), join(root, 'scripts', 'run-source.mjs'));
  write('package.json', '{ "type": "module" }');
  write('src/word.ts', `export const word: string = 'one';`);
  write(
    'bin/say.ts',
    `import { word } from '../src/word.ts';\nconsole.log(word, import.meta.url, ...process.argv.slice(2));`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const script = join(root, 'scripts', 'run-source.mjs');
  return promisify(execFile)(process.execPath, [script, ...args], {
    cwd: tmpdir(),
    timeout: 60_000,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, output: `${stdout}${stderr}`.trim() }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}`.trim() }),
  );
}
const said = (word: string, ...args: string[]) =>
  [word, pathToFileURL(join(root, 'bin', 'say.ts')).href, ...args].join(' ');

test('a program is compiled once, and anew when a source of it has changed', {
  tags: 'slow',
}, async () => {
  expect(await run('bin/say.ts', '--loud')).toEqual({ code: 0, output: said('one', '--loud') });
  const compiled = readdirSync(cacheFolder());
  expect(compiled).toEqual([expect.stringMatching(/^say-[0-9a-f]{32}$/)]);
  // What is there is what runs.
  writeFileSync(join(cacheFolder(), compiled[0]!, 'say.mjs'), `console.log('from the cache')`);
  expect((await run('bin/say.ts')).output).toBe('from the cache');
  write('src/word.ts', `export const word: string = 'another';`);
  expect(await run('bin/say.ts')).toEqual({ code: 0, output: said('another') });
  write('src/word.ts', `export const word: string = 'a third';`);
  expect(await run('bin/say.ts')).toEqual({ code: 0, output: said('a third') });
  // A program that still runs may read parts of the one before.
  expect(readdirSync(cacheFolder())).toHaveLength(2);
  expect(readdirSync(cacheFolder())).not.toContain(compiled[0]);
});

test('what is imported late is read late', { tags: 'slow' }, async () => {
  write('src/late.ts', `console.log('late');`);
  write(
    'bin/say.ts',
    `console.log('first');\nif (process.argv[2]) await import('../src/late.ts');`,
  );
  expect([(await run('bin/say.ts')).output, (await run('bin/say.ts', 'all')).output]).toEqual([
    'first',
    'first\nlate',
  ]);
});

test('of four that compile it at once each runs, and one result is left', {
  tags: 'slow',
}, async () => {
  const all = await Promise.all([1, 2, 3, 4].map(() => run('bin/say.ts')));
  for (const one of all) expect(one).toEqual({ code: 0, output: said('one') });
  expect(readdirSync(cacheFolder())).toHaveLength(1);
});

test('what a killed compiler left is removed, and what one is at work on is not', async () => {
  for (const name of ['killed.1.tmp', 'at-work.2.tmp'])
    mkdirSync(join(cacheFolder(), name), { recursive: true });
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(join(cacheFolder(), 'killed.1.tmp'), longAgo, longAgo);
  await run('bin/say.ts');
  expect(readdirSync(cacheFolder()).filter((name) => name.endsWith('.tmp'))).toEqual([
    'at-work.2.tmp',
  ]);
});

test('an error names the line of the source', { tags: 'slow' }, async () => {
  write(
    'src/word.ts',
    `\nexport const word: string = ((): string => {\n  throw new Error('no word');\n})();`,
  );
  const { code, output } = await run('bin/say.ts');
  expect([code, output]).toEqual([1, expect.stringContaining(join('src', 'word.ts:3'))]);
});

test('where nothing can be written it runs all the same', { tags: 'slow' }, async () => {
  write('node_modules/.cache', 'a file');
  expect(await run('bin/say.ts')).toEqual({ code: 0, output: said('one') });
});

test('a source that does not compile is named', { tags: 'slow' }, async () => {
  write('src/word.ts', 'export const word: string = ;');
  const { code, output } = await run('bin/say.ts');
  expect([code, output]).toEqual([1, expect.stringContaining('word.ts:1')]);
});

test('without a program it says what it wants', async () => {
  expect(await run()).toEqual({ code: 1, output: expect.stringContaining('Which program?') });
});
