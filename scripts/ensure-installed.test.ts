import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureInstalled, findMissing, findNodeProblem } from './ensure-installed.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));
const here = { platform: 'linux', arch: 'x64' };
const messages: string[] = [];
const log = (message: string) => void messages.push(message);
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'purser-install-test-'));
  messages.length = 0;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A project with one dependency in a folder of its own: npm needs no network for it. */
function aProject(version = '1.0.0'): void {
  mkdirSync(join(root, 'dep'), { recursive: true });
  writeFileSync(join(root, 'dep', 'package.json'), JSON.stringify({ name: 'dep', version }));
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'p', version: '1.0.0', dependencies: { dep: 'file:dep' } }));
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({
      name: 'p',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'p', version: '1.0.0', dependencies: { dep: 'file:dep' } },
        dep: { version },
        'node_modules/dep': { resolved: 'dep', link: true },
      },
    }),
  );
}

/** Stands for npm: writes its record, and counts its runs in a file. */
function anNpm(body = ''): string[] {
  const path = join(root, 'npm.mjs');
  writeFileSync(
    path,
    `import fs from 'node:fs';
fs.appendFileSync('runs', process.argv.slice(2).join(' ') + '\\n');
await new Promise((resolve) => setTimeout(resolve, 300));
${body}
fs.mkdirSync('node_modules', { recursive: true });
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/dep': { resolved: 'dep', link: true } } }));
`,
  );
  return [process.execPath, path];
}

const runs = () => (existsSync(join(root, 'runs')) ? readFileSync(join(root, 'runs'), 'utf8').trim().split('\n') : []);

describe('the version of Node.js', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.21.0'])('%s is good', (version) => {
    expect(findNodeProblem(version)).toBeUndefined();
  });

  it.each(['18.20.4', '20.18.3', '8.0.0'])('%s is too old, and the sentence says what is needed', (version) => {
    expect(findNodeProblem(version)).toBe(
      `Purser needs Node.js 20.19 or later, and this is ${version}: install a newer one, e.g. from https://nodejs.org.`,
    );
  });
});

describe('what is missing', () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
      'node_modules/a/node_modules/b': { version: '2.0.0' },
      'node_modules/@x/linux': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'] },
      'node_modules/@x/mac': { version: '1.0.0', optional: true, os: ['darwin'], cpu: ['x64'] },
      'node_modules/@x/not-linux': { version: '1.0.0', optional: true, os: ['!linux'], cpu: ['x64'] },
      'node_modules/@x/musl': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
      'node_modules/wasm': { version: '1.0.0', optional: true },
    },
  };
  const installed = {
    packages: {
      'node_modules/a': lock.packages['node_modules/a'],
      'node_modules/a/node_modules/b': { version: '2.0.0' },
      'node_modules/@x/linux': { version: '1.0.0' },
    },
  };
  const without = (path: string) => ({
    packages: Object.fromEntries(Object.entries(installed.packages).filter(([name]) => name !== path)),
  });

  it('is nothing when npm installed what is meant for this machine', () => {
    expect(findMissing(lock, installed, here)).toBeUndefined();
  });

  it('is a package that is absent, of another version or with other contents', () => {
    expect(findMissing(lock, undefined, here)).toBe('a');
    expect(findMissing(lock, without('node_modules/a/node_modules/b'), here)).toBe('b');
    expect(findMissing(lock, { packages: { ...installed.packages, 'node_modules/a/node_modules/b': { version: '2.0.1' } } }, here)).toBe(
      'b',
    );
    expect(
      findMissing(lock, { packages: { ...installed.packages, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } } }, here),
    ).toBe('a');
  });

  it('is the binary package of this machine, when another machine or --omit=optional installed', () => {
    expect(findMissing(lock, without('node_modules/@x/linux'), here)).toBe('@x/linux');
    expect(findMissing(lock, installed, { platform: 'darwin', arch: 'x64' })).toBe('@x/mac');
    expect(findMissing(lock, installed, { platform: 'linux', arch: 'arm64' })).toBeUndefined();
  });
});

describe('ensureInstalled', () => {
  it('installs once, and again when the lock file changes', async () => {
    aProject();
    const npm = anNpm();
    expect(await ensureInstalled({ root, log, npm })).toBe('installed');
    expect(runs()).toEqual(['install --no-save --include=dev --include=optional --no-audit --no-fund']);
    expect(await ensureInstalled({ root, log, npm })).toBe('present');
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, unknown> };
    writeFileSync(
      join(root, 'package-lock.json'),
      JSON.stringify({ ...lock, packages: { ...lock.packages, 'node_modules/new': { version: '1.0.0' } } }),
    );
    await expect(ensureInstalled({ root, log, npm })).rejects.toThrow('`npm install` ended well but did not install new');
    expect(runs()).toHaveLength(2);
  });

  it('with the real npm, offline, with an empty cache', async () => {
    aProject();
    const cache = join(root, 'cache');
    writeFileSync(join(root, '.npmrc'), `offline=true\ncache=${cache}\n`);
    expect(await ensureInstalled({ root, log })).toBe('installed');
    expect(existsSync(join(root, 'node_modules', 'dep', 'package.json'))).toBe(true);
    expect(await ensureInstalled({ root, log, npm: ['false'] })).toBe('present');
  });

  it('takes what npm installed by hand for installed', async () => {
    aProject();
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(
      join(root, 'node_modules', '.package-lock.json'),
      JSON.stringify({ packages: { 'node_modules/dep': { resolved: 'dep', link: true } } }),
    );
    expect(await ensureInstalled({ root, log, npm: ['false'] })).toBe('present');
  });

  it('of three at once one installs and the others wait for it', async () => {
    aProject();
    const npm = anNpm();
    const results = await Promise.all([1, 2, 3].map(() => ensureInstalled({ root, log, npm })));
    expect(results.toSorted()).toEqual(['installed', 'present', 'present']);
    expect(runs()).toHaveLength(1);
    expect(messages.some((message) => message.startsWith('Waiting for the installation'))).toBe(true);
    expect(readdirSync(join(root, 'var'))).toEqual([]);
  });

  it('does not wait for the claim of a dead process, nor for one as old as the hills', async () => {
    aProject();
    mkdirSync(join(root, 'var'));
    const dead = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => dead.once('exit', resolve));
    writeFileSync(join(root, 'var', `installing-${dead.pid}-00000000`), '');
    const old = join(root, 'var', `installing-${process.ppid}-00000000`);
    writeFileSync(old, '');
    utimesSync(old, new Date(0), new Date(0));
    expect(await ensureInstalled({ root, log, npm: anNpm() })).toBe('installed');
    expect(readdirSync(join(root, 'var'))).toEqual([]);
  });

  it('installs anew after an installation that was killed in the middle', async () => {
    aProject();
    await expect(ensureInstalled({ root, log, npm: anNpm('process.kill(process.pid, "SIGKILL");') })).rejects.toThrow(
      'it ended with SIGKILL',
    );
    mkdirSync(join(root, 'node_modules', 'half'), { recursive: true });
    expect(await ensureInstalled({ root, log, npm: anNpm() })).toBe('installed');
  });

  it('says in one sentence that npm failed, is not there, or that the lock file is not', async () => {
    aProject();
    await expect(ensureInstalled({ root, log, npm: anNpm('process.exit(7);') })).rejects.toThrow(
      "The npm packages could not be installed with `npm install` (it ended with 7): read npm's lines above, check the network",
    );
    await expect(ensureInstalled({ root, log, npm: ['no-such-npm-anywhere'] })).rejects.toThrow('(npm is not in PATH)');
    rmSync(join(root, 'package-lock.json'));
    await expect(ensureInstalled({ root, log, npm: anNpm() })).rejects.toThrow('There is no readable package-lock.json');
    expect(readdirSync(join(root, 'var'))).toEqual([]);
  });

  it('as a program ends with 1 and the sentence when it cannot, and with 0 and no word when nothing is to be done', async () => {
    aProject();
    mkdirSync(join(root, 'scripts'));
    copyFileSync(join(project, 'scripts', 'ensure-installed.mjs'), join(root, 'scripts', 'ensure-installed.mjs'));
    await ensureInstalled({ root, log, npm: anNpm() });
    const program = [join(root, 'scripts', 'ensure-installed.mjs')];
    expect(execFileSync(process.execPath, program, { encoding: 'utf8' })).toBe('');
    rmSync(join(root, 'package-lock.json'));
    rmSync(join(root, 'node_modules'), { recursive: true });
    const failed = await new Promise<{ code: number | null; text: string }>((resolve) => {
      const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'pipe'] });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      child.once('close', (code) => resolve({ code, text }));
    });
    expect(failed).toEqual({ code: 1, text: `There is no readable package-lock.json in ${root}: get a whole copy of the project.\n` });
  });
});
