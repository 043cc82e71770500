import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { RunBrowserError } from './errors.ts';

/** A Chromium that can be started. */
export interface BrowserExecutable {
  readonly path: string;
  readonly source: 'named' | 'package' | 'installed';
  /** Folder with a `fonts.conf`: without a single font every page of Chromium crashes. */
  readonly fontsFolder?: string;
}

const installedPaths: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/opt/google/chrome/chrome',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
};
const unpackTimeoutMs = 120_000;

/**
 * The Chromium to use: the named one, the one inside the npm package, unpacked once per version, or
 * an installed one. That of the package comes first because it is the one that the tests have met;
 * production leaves the package out and names its own.
 * @throws RunBrowserError `no-browser`
 */
export async function findExecutable(input: {
  readonly chromiumPath?: string;
  /** For tests: where installed browsers are looked for, and the file of the package. */
  readonly installedPaths?: readonly string[];
  readonly packageEntry?: string | undefined;
}): Promise<BrowserExecutable> {
  if (input.chromiumPath !== undefined) {
    if (await isFile(input.chromiumPath)) return { path: input.chromiumPath, source: 'named' };
    throw new RunBrowserError(
      'no-browser',
      `CHROMIUM_PATH names ${input.chromiumPath}, which is not there.`,
    );
  }
  const packageEntry = 'packageEntry' in input ? input.packageEntry : findPackage();
  if (packageEntry !== undefined) return unpackPackage(packageEntry);
  for (const path of input.installedPaths ?? installedPaths[process.platform] ?? [])
    if (await isFile(path)) return { path, source: 'installed' };
  throw new RunBrowserError(
    'no-browser',
    'No Chrome or Chromium is installed: install one, or set CHROMIUM_PATH.',
  );
}

/** Where the npm package is, if it is installed and holds a browser for this machine. */
function findPackage(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    return createRequire(import.meta.url).resolve('@sparticuz/chromium');
  } catch {
    // Optional: production leaves it out.
    return undefined;
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/**
 * The package unpacks to the system's temporary folder and takes whatever lies there under the name
 * `chromium`. Here it gets a folder that only this user could have made, which others may read, so
 * that an unprivileged user can start it.
 */
async function unpackPackage(entry: string): Promise<BrowserExecutable> {
  const version = await packageVersion(entry);
  const uid = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `purser-browser-${version}-${uid}`);
  if (!(await isOwnFolder(folder, uid))) await unpackTo(folder, uid);
  return { path: join(folder, 'chromium'), source: 'package', fontsFolder: join(folder, 'fonts') };
}

async function packageVersion(entry: string): Promise<string> {
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!(await isFile(file))) continue;
    const { version } = createRequire(import.meta.url)(file) as { version?: string };
    if (version !== undefined) return version;
  }
  return 'unknown';
}

async function isOwnFolder(folder: string, uid: number): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) return false;
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o022) !== 0)
    throw new RunBrowserError(
      'no-browser',
      `${folder} belongs to somebody else or may be written by others: remove it.`,
    );
  return true;
}

async function unpackTo(folder: string, uid: number): Promise<void> {
  const fresh = await mkdtemp(`${folder}.`);
  try {
    await unpackIn(fresh);
    await mkdir(join(fresh, 'fonts'), { recursive: true });
    await writeFile(join(fresh, 'fonts', 'fonts.conf'), fontsConfig(join(folder, 'fonts')), {
      mode: 0o644,
    });
    await chmod(join(fresh, 'chromium'), 0o755);
    await chmod(fresh, 0o755);
    await rename(fresh, folder);
  } catch (cause) {
    await rm(fresh, { recursive: true, force: true });
    // Another process was faster: then its folder is as good.
    if (await isOwnFolder(folder, uid)) return;
    throw new RunBrowserError('no-browser', 'The Chromium of the npm package cannot be unpacked.', {
      cause,
    });
  }
}

/**
 * The package's own file looks for its fonts in `/tmp/fonts`, where nothing of ours is. The
 * system's serve beside them, if it has any.
 */
const fontsConfig = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <config></config>
</fontconfig>
`;

/** In a process of its own: the package looks at TMPDIR, which is nothing to change in ours. */
async function unpackIn(folder: string): Promise<void> {
  const program = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    env: { TMPDIR: folder, HOME: folder },
    timeout: unpackTimeoutMs,
  });
}
