// Before anything that needs the npm packages: `node scripts/ensure-installed.mjs && …`, or
// imported first. No packages here.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const writtenMs = (file) => statSync(`${root}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const endWith = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  endWith(
    `Purser needs Node.js 20.19 or later, and this is ${process.versions.node}: install a newer one, e.g. from https://nodejs.org.`,
  );

// npm writes its record when all is there. The includes: NODE_ENV=production would leave out what
// the service is run with. Of warnings README tells: who starts can do nothing about them.
if (writtenMs('package-lock.json') > writtenMs('node_modules/.package-lock.json')) {
  console.log(
    'Installing the npm packages of package-lock.json (once, and again when it changes) …',
  );
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const { status } = spawnSync('npm', args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0)
    endWith(
      "`npm ci` failed: read npm's lines above, check the network and `npm config get registry`, and start again.",
    );
}
