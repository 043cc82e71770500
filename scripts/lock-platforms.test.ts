import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findUnlocked, findUnsealed, platformOf } from './lock-platforms.mjs';

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const remedy =
  'Run `node scripts/lock-platforms.mjs`, where npm reaches a registry that has them, and commit package-lock.json.';

/** Of the ranges that packages write: alternatives of `>=`, `>`, `^` and a bare version. */
const allows = (range: string, [major, minor]: readonly [number, number]) =>
  range.split('||').some((one) => {
    const [, operator, ...numbers] = /^(>=?|\^)?\s*(\d+)(?:\.(\d+))?/.exec(one.trim())!;
    const [least, leastMinor] = numbers.map((digits) => Number(digits ?? 0)) as [number, number];
    const isLater = operator?.startsWith('>') === true && major > least;
    return isLater || (major === least && minor >= leastMinor);
  });

describe('package-lock.json', () => {
  it('names the optional packages of every platform, so that `npm ci` works on all of them', () => {
    const names = findUnlocked(lock).map(({ name, version }) => `${name}@${version}`);
    expect(names, `npm refuses this lock file. ${remedy}`).toEqual([]);
  });

  it('holds the integrity of all that is installed here, and of all that production installs anywhere', () => {
    const unsealed = findUnsealed(lock);
    const names = unsealed.map(({ name }) => name);
    if (names.length > 0)
      console.warn(
        `Installed unchecked on other platforms, by developers only: ${names.join(', ')}. ${remedy}`,
      );
    const here = JSON.parse(
      readFileSync(new URL('../node_modules/.package-lock.json', import.meta.url), 'utf8'),
    );
    expect(
      unsealed.filter(
        ({ path }) =>
          here.packages[path] || !lock.packages[path].dev || !lock.packages[path].optional,
      ),
    ).toEqual([]);
  });

  it('has packages whose makers name a newer Node.js than ours for the few only that README tells of', () => {
    const wanting = (version: readonly [number, number]) =>
      Object.entries(lock.packages as Record<string, { engines?: { node?: string } }>).flatMap(
        ([path, { engines }]) =>
          engines?.node === undefined || allows(engines.node, version)
            ? []
            : [path.replace(/^.*node_modules\//, '')],
      );
    expect(wanting([22, 13]), 'README says that 22.13 has no warning').toEqual([]);
    const known = /^@mysten\/sui$|^@scalar\/|^@stellar\/|^commander$/;
    const warned = wanting([20, 19]);
    expect(warned.filter((name) => !known.test(name))).toEqual([]);
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    expect(readme).toContain(`EBADENGINE for ${warned.length} packages`);
  });

  it('is told to lack a package wherever Node.js would look for it', () => {
    const packages = {
      'node_modules/a': { optionalDependencies: { x: '1.0.0', y: '2.0.0', z: '3.0.0' } },
      'node_modules/a/node_modules/x': { version: '1.0.0', integrity: 'sha512-x' },
      'node_modules/y': { version: '2.0.0' },
      'sdk/node_modules/z': { version: '3.0.0', integrity: 'sha512-z' },
    };
    expect(findUnlocked({ packages }).map(({ name }) => name)).toEqual(['z']);
    expect(findUnsealed({ packages }).map(({ name }) => name)).toEqual(['a', 'y']);
  });
});

describe('the platform in a name', () => {
  it.each([
    ['@biomejs/cli-linux-x64-musl', { os: ['linux'], cpu: ['x64'], libc: ['musl'] }],
    ['@foundry-rs/anvil-darwin-amd64', { os: ['darwin'], cpu: ['x64'] }],
    ['@oxlint/binding-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'], libc: ['glibc'] }],
    ['@oxlint/binding-win32-ia32-msvc', { os: ['win32'], cpu: ['ia32'] }],
  ])('%s', (name, platform) => {
    expect(platformOf(name)).toEqual(platform);
  });

  it('that cannot be read is not guessed', () => {
    expect(() => platformOf('fsevents')).toThrow('write its entry by hand');
  });
});
