/**
 * A copy of the project that may be broken on purpose: whoever changes a source to see a test fail
 * does it here.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../tidy/source-files.ts';

export interface Scratch {
  readonly folder: string;
  /** Changes one file as long as `run` takes. */
  withText<T>(path: string, text: string, run: () => T | Promise<T>): Promise<T>;
  remove(): void;
}

/**
 * Copies what git knows or would take, with the packages linked but their caches apart: nothing
 * that runs in it is kept.
 * @param name for the folder's name in the system's folder of temporary files
 * @throws Error where there is no git checkout
 */
export function createScratch(name: string): Scratch {
  const listed = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: root, maxBuffer: 1 << 26 },
  );
  if (listed.status !== 0)
    throw new Error('Run this in a checkout: git says which files belong to the project.');
  const folder = mkdtempSync(join(tmpdir(), `purser-${name}-`));
  for (const path of listed.stdout.toString().split('\0')) {
    if (path === '' || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(root, path), join(folder, path));
  }
  linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const workspace of ['sdk', 'sdk-react'])
    if (existsSync(join(root, workspace, 'node_modules')))
      linkPackages(join(root, workspace, 'node_modules'), join(folder, workspace, 'node_modules'));
  return {
    folder,
    async withText(path, text, run) {
      const original = readFileSync(join(folder, path));
      writeFileSync(join(folder, path), text);
      try {
        return await run();
      } finally {
        writeFileSync(join(folder, path), original);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name === '.cache') continue;
    // Our own packages are links to their folders, and have to lead into the copy.
    if (name === '@purser')
      cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(from, name), join(to, name));
  }
}
