/**
 * Run before anything that needs the npm packages: `node scripts/ensure-installed.mjs && …`. Checks the version of Node.js,
 * and installs what package-lock.json says when it is not there. Plain JavaScript without imports of packages, because
 * there may be none yet; a few milliseconds when there is nothing to do.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const oldestNode = [20, 19];
const waitPollMs = 200;
/** An installation that takes longer has lost its process, whatever has its pid now. */
const claimAgeMaxMs = 30 * 60_000;
const claimPrefix = 'installing-';

/** Why this Node.js cannot run the service; undefined when it can. */
export function findNodeProblem(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  return isOld
    ? `Purser needs Node.js ${oldestNode.join('.')} or later, and this is ${version}: install a newer one, e.g. from https://nodejs.org.`
    : undefined;
}

/**
 * The first package that the lock file wants on this machine and node_modules lacks; undefined when it is complete.
 * `installed` is npm's own record (node_modules/.package-lock.json), so an `npm install` by hand counts as well.
 */
export function findMissing(lock, installed, machine = { platform: process.platform, arch: process.arch }) {
  const present = installed?.packages ?? {};
  const missing = Object.entries(lock.packages ?? {}).find(([path, wanted]) => {
    if (!path.includes('node_modules/')) return false;
    const found = present[path];
    if (found === undefined) return !(wanted.optional && !isMeantFor(wanted, machine));
    return found.version !== wanted.version || (wanted.integrity !== undefined && found.integrity !== wanted.integrity);
  });
  return missing?.[0].replace(/^.*node_modules\//, '');
}

/** Whether an optional package is one of those that npm installs by platform, and this is the platform. */
function isMeantFor(wanted, machine) {
  // Which libc is here cannot be told cheaply; npm can, and installs one of the two.
  if (wanted.os === undefined || wanted.cpu === undefined || wanted.libc !== undefined) return false;
  return isFor(wanted.os, machine.platform) && isFor(wanted.cpu, machine.arch);
}

/** npm's `os` and `cpu`: names that fit, or with a `!` before them those that do not. */
function isFor(list, name) {
  if (list.includes(`!${name}`)) return false;
  return list.includes(name) || list.every((entry) => entry.startsWith('!'));
}

/**
 * Installs when needed. Of two at once one installs and the other waits for it.
 * @param npm command and first arguments, for tests
 * @throws Error one sentence for the person at the terminal
 */
export async function ensureInstalled({ root, log = console.log, npm = findNpm() }) {
  const problem = findNodeProblem();
  if (problem) throw new Error(problem);
  if (isUpToDate(root)) return 'present';
  const release = await claimInstallation(root, log);
  try {
    // Whoever had the claim before has perhaps installed it all.
    if (isUpToDate(root)) return 'present';
    log('Installing the npm packages of package-lock.json (once, and again when it changes) …');
    await runNpm(npm, root);
    const missing = findMissing(readLock(root), readInstalled(root));
    if (missing)
      throw new Error(
        `\`npm install\` ended well but did not install ${missing}: look at the settings omit, os and cpu in \`npm config list\`.`,
      );
    writeStamp(root);
    return 'installed';
  } finally {
    release();
  }
}

function isUpToDate(root) {
  if (readText(stampFile(root)) === stampOf(root)) return true;
  const installed = readInstalled(root);
  if (installed === undefined || findMissing(readLock(root), installed)) return false;
  writeStamp(root);
  return true;
}

/** npm's record of what it installed, written when it is done. */
function readInstalled(root) {
  return readJson(join(root, 'node_modules', '.package-lock.json'));
}

/** In node_modules, so that it goes when that goes. */
const stampFile = (root) => join(root, 'node_modules', '.purser-installed');

function writeStamp(root) {
  try {
    writeFileSync(stampFile(root), stampOf(root));
  } catch {
    // A read-only installation is compared at each start instead.
  }
}

/** The same folder may be seen by two machines, e.g. from inside a container. */
function stampOf(root) {
  const file = join(root, 'package-lock.json');
  if (!existsSync(file)) throw noLock(root);
  return `${createHash('sha256').update(readFileSync(file)).digest('hex')} ${process.platform}-${process.arch}`;
}

function readLock(root) {
  const lock = readJson(join(root, 'package-lock.json'));
  if (lock === undefined) throw noLock(root);
  return lock;
}

function noLock(root) {
  return new Error(`There is no readable package-lock.json in ${root}: get a whole copy of the project.`);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/**
 * One installation at a time. Everybody writes a claim of an own name and then looks for others: of two at once at least one
 * sees the other and steps back. Claims of dead processes are removed.
 */
async function claimInstallation(root, log) {
  const folder = join(root, 'var');
  const endAt = Date.now() + claimAgeMaxMs;
  for (let isFirst = true; ; isFirst = false) {
    const claim = writeClaim(folder);
    const other = findOtherClaim(folder, claim);
    if (other === undefined) return () => rmSync(join(folder, claim), { force: true });
    rmSync(join(folder, claim), { force: true });
    if (isFirst) log(`Waiting for the installation that process ${other} is doing …`);
    if (Date.now() > endAt) throw new Error(`Process ${other} has been installing for too long: end it and start again.`);
    await delay(waitPollMs * (0.5 + Math.random()));
  }
}

function writeClaim(folder) {
  const name = `${claimPrefix}${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), '');
  } catch (error) {
    throw new Error(
      `The folder ${dirname(folder)} cannot be written (${error.code}): give this user the right to, or clone the project elsewhere.`,
      { cause: error },
    );
  }
  return name;
}

function findOtherClaim(folder, own) {
  for (const name of readdirSync(folder)) {
    const pid = Number(new RegExp(`^${claimPrefix}(\\d+)-`).exec(name)?.[1]);
    if (!pid || name === own) continue;
    const state = statSync(join(folder, name), { throwIfNoEntry: false });
    if (state === undefined) continue;
    if (isRunning(pid) && Date.now() - state.mtimeMs < claimAgeMaxMs) return pid;
    rmSync(join(folder, name), { force: true });
  }
  return undefined;
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The npm that started us, if one did: another one may be first in PATH. */
function findNpm() {
  const path = process.env.npm_execpath;
  if (path !== undefined && basename(path) === 'npm-cli.js' && existsSync(path)) return [process.execPath, path];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

/**
 * `install`, not `ci`: npm leaves optional packages of other platforms out of a lock file when its registry lacks them, and
 * `ci` then refuses the whole file. `--no-save` keeps the lock file as it is. The includes: NODE_ENV=production would leave
 * out what the service is run with.
 */
async function runNpm([command, ...first], root) {
  const args = [...first, 'install', '--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell: command.endsWith('.cmd') });
  const outcome = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.code === 'ENOENT' ? 'npm is not in PATH' : error.message));
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `it ended with ${code ?? signal}`));
  });
  if (outcome !== undefined) {
    throw new Error(
      `The npm packages could not be installed with \`npm install\` (${outcome}): read npm's lines above, check the network and \`npm config get registry\`, and start again.`,
    );
  }
}

async function main() {
  try {
    await ensureInstalled({ root: dirname(dirname(fileURLToPath(import.meta.url))) });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
