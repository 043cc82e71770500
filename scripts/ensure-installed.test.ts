import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('ensure-installed.mjs', import.meta.url));
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'purser-install-test-'));
  mkdirSync(join(root, 'scripts'));
  copyFileSync(script, join(root, 'scripts', 'ensure-installed.mjs'));
  aProject('1.0.0');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A project with one dependency in a folder of its own: npm needs no network for it. */
function aProject(version: string): void {
  const project = { name: 'p', version: '1.0.0', dependencies: { dep: 'file:dep' } };
  const packages = {
    '': project,
    dep: { version },
    'node_modules/dep': { resolved: 'dep', link: true },
  };
  mkdirSync(join(root, 'dep'), { recursive: true });
  writeFileSync(join(root, 'dep', 'package.json'), JSON.stringify({ name: 'dep', version }));
  writeFileSync(join(root, 'package.json'), JSON.stringify(project));
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({ ...project, lockfileVersion: 3, requires: true, packages }),
  );
}

function run(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...args, join(root, 'scripts', 'ensure-installed.mjs')],
    {
      encoding: 'utf8',
      env: { ...process.env, npm_config_offline: 'true', ...env },
    },
  );
  return { status, stdout, stderr };
}

/** As if Node.js had this version. */
const asNode = (version: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`,
];

describe('the npm packages', { tags: 'slow' }, () => {
  it('are installed once, also for production settings, and again when the lock file has changed', () => {
    expect(run([], { NODE_ENV: 'production' })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Installing the npm packages'),
    });
    expect(existsSync(join(root, 'node_modules', 'dep', 'package.json'))).toBe(true);

    expect(run()).toEqual({ status: 0, stdout: '', stderr: '' });

    aProject('2.0.0');
    const later = new Date(Date.now() + 5_000);
    utimesSync(join(root, 'package-lock.json'), later, later);
    expect(run().stdout).toContain('Installing the npm packages');
    expect(
      JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8')).packages
        .dep.version,
    ).toBe('2.0.0');
  });

  it('that npm refuses to install end the start with a sentence that says what to do', () => {
    writeFileSync(join(root, 'package-lock.json'), '{');
    const { status, stderr } = run();
    expect(status).toBe(1);
    expect(stderr).toContain('`npm ci` failed');
    expect(stderr).toContain('npm config get registry');
  });
});

describe('the version of Node.js', () => {
  it.each(['18.20.4', '20.18.3'])(
    '%s is too old, and the sentence says what is needed',
    (version) => {
      const { status, stdout, stderr } = run(asNode(version));
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr.trim()).toBe(
        `Purser needs Node.js 20.19 or later, and this is ${version}: install a newer one, e.g. from https://nodejs.org.`,
      );
    },
  );

  it.each(['20.19.0', '22.0.0', '24.21.0'])('%s is good', { tags: 'slow' }, (version) => {
    expect(run(asNode(version)).status).toBe(0);
  });
});
