// `npm run build`: the programs of production as JavaScript in dist/
// (dist/bin/{api,worker,purser}.js), with the bytecode that they read at run time. They need
// package.json, node_modules (without development packages) and migrations/ beside dist/.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const require = createRequire(import.meta.url);

rmSync(dist, { recursive: true, force: true });
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
const { status } = spawnSync(
  process.execPath,
  [compiler, '-p', join(root, 'tsconfig.build.json')],
  { stdio: 'inherit' },
);
if (status !== 0) {
  console.error('The build stopped: the sources do not compile.');
  process.exit(1);
}

for (const folder of ['artifacts', 'safe'])
  cpSync(join(root, 'contracts', folder), join(dist, 'contracts', folder), { recursive: true });
// The program of /docs: its package is one of development.
const { bundleOfPackage } = await import(
  pathToFileURL(join(dist, 'src/http/reference/reference-page.js')).href
);
const bundle = await bundleOfPackage();
if (bundle === undefined) {
  console.error(
    'The build stopped: @scalar/fastify-api-reference, which has the program of /docs, is missing.',
  );
  process.exit(1);
}
writeFileSync(join(dist, 'reference.js'), bundle);
// What pages of shops are read with: its bundler is one too.
const { bundleAccessibleNames } = await import(
  pathToFileURL(join(dist, 'src/runner/engine/page/accessible-names.js')).href
);
writeFileSync(join(dist, 'accessible-names.js'), await bundleAccessibleNames());
await import('./build-console.mjs');
console.log(`Built ${dist}`);
