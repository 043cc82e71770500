/**
 * `node scripts/lock-platforms.mjs`: puts the optional packages of all platforms into
 * package-lock.json. npm leaves out those that its registry lacks (npm/cli#4828), and `npm ci` then
 * refuses the whole file. What the registry knows of them is written down, their integrity above
 * all; where it knows nothing the platform is read from the name, and the integrity is missing.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lookUpTimeoutMs = 30_000;

/**
 * The optional packages that the lock names as a dependency and has no entry of: npm refuses such a
 * lock.
 * @returns {{ name: string, version: string, parent: Record<string, unknown> }[]}
 */
export function findUnlocked({ packages }) {
  return Object.entries(packages).flatMap(([path, parent]) =>
    Object.entries(parent.optionalDependencies ?? {})
      .filter(([name]) => !placesOf(path, name).some((place) => packages[place]))
      .map(([name, version]) => ({ name, version, parent })),
  );
}

/** The packages that would be installed unchecked: their entry has no integrity. */
export function findUnsealed({ packages }) {
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.integrity)
    .map(([path, { version }]) => ({ path, name: path.replace(/^.*node_modules\//, ''), version }));
}

/** Where Node.js looks for `name` from the package at `path`, nearest first. */
function placesOf(path, name) {
  const places = [];
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    places.push(`${at === '' ? '' : `${at}/`}node_modules/${name}`);
    if (at === '') return places;
    if (!at.includes('node_modules/')) at = '';
  }
}

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = {
  amd64: 'x64',
  arm: 'arm',
  arm64: 'arm64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  x64: 'x64',
};

/**
 * npm's `os`, `cpu` and `libc` of a package that is named by its platform, as
 * `cli-linux-arm64-musl`.
 */
export function platformOf(name) {
  const parts = name.split(/[/-]/);
  const os = systems.find((system) => parts.includes(system));
  const cpu = Object.keys(processors).find((processor) => parts.includes(processor));
  if (!os || !cpu)
    throw new Error(
      `The platform of ${name} cannot be read from its name: write its entry by hand.`,
    );
  const c = /^(musl|gnu)/.exec(parts.at(-1))?.[1];
  return {
    os: [os],
    cpu: [processors[cpu]],
    ...(os === 'linux' && c ? { libc: [c === 'gnu' ? 'glibc' : 'musl'] } : {}),
  };
}

/** What the registry says of one version; undefined where it does not have it. */
function lookUp(name, version) {
  const fields = ['os', 'cpu', 'libc', 'license', 'engines', 'bin', 'dist.integrity'];
  const { stdout, status } = spawnSync('npm', ['view', `${name}@${version}`, ...fields, '--json'], {
    encoding: 'utf8',
    timeout: lookUpTimeoutMs,
    shell: process.platform === 'win32',
  });
  if (status !== 0 || stdout.trim() === '') return undefined;
  const { 'dist.integrity': integrity, ...rest } = JSON.parse(stdout);
  return integrity === undefined ? undefined : { integrity, ...rest };
}

function main() {
  const file = join(root, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  for (const { name, version, parent } of findUnlocked(lock))
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(parent.dev ? { dev: true } : {}),
      optional: true,
    };
  for (const { path, name, version } of findUnsealed(lock)) {
    const found = lookUp(name, version);
    if (found) Object.assign(lock.packages[path], found);
  }
  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
  );
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  const unsealed = findUnsealed(lock);
  console.log(
    `${Object.keys(lock.packages).length} entries, ${unsealed.length} without integrity.`,
  );
  for (const { name, version } of unsealed) console.log(`  ${name}@${version}`);
  if (unsealed.length > 0)
    console.log('Run this again where npm reaches a registry that has them.');
}

if (
  process.argv[1] !== undefined &&
  realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
)
  main();
